// Vettool runs the analyzer for go vet, as rfactor itself does, and nothing else.
//
//	go build -o vettool . && go vet -vettool=$PWD/vettool -rfactor.all ./...
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/rfactor-go/rfactor/golang"
)

func main() { unitchecker.Main(golang.Analyzer) }
