//go:build !unix

package egraph

func peakBytes() int64 { return 0 }
