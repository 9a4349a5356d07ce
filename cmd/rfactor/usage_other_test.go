//go:build !unix

package main

import "time"

// processorTime is the time of the clock where nothing better is known.
func processorTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
