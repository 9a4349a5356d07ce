// Multichecker is a command of several analyzers, of which one finds reductions.
//
//	go run . -rfactor.all ./...
//	go run . -rfactor -fix ./...
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/nilness"

	"github.com/rfactor-go/rfactor/golang"
)

func main() { multichecker.Main(copylock.Analyzer, nilness.Analyzer, golang.Analyzer) }
