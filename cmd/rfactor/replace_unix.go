//go:build unix

package main

import (
	"os"
	"syscall"
)

// replace makes this process another program.
func replace(path string, argv []string) error { return syscall.Exec(path, argv, os.Environ()) }
