//go:build !unix

package main

import "errors"

// replace makes this process another program, which this system cannot.
func replace(string, []string) error { return errors.ErrUnsupported }
