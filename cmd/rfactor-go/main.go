// Rfactor-go runs, emits and reads code for the command rfactor, and is a tool for go vet.
package main

import (
	"os"

	"github.com/rfactor-go/rfactor/internal/gocode"
)

func main() { os.Exit(gocode.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
