//go:build !linux

package egraph

// huge is for systems on which an array in huge pages takes no wish.
func huge[T any](s []T) []T { return s }
