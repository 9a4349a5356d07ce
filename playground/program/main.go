//go:build js && wasm

// Program is the part of the playground that factors programs and writes Go. It is a module of WebAssembly of its own, which the page
// asks for when somebody wants to see a program: with what it needs to factor, the matcher is in it again. It gives the page
// rfactorProgram, from the fields of a request to a page with the code.
package main

import (
	"context"

	"github.com/rfactor-go/rfactor/internal/view/factored"
	"github.com/rfactor-go/rfactor/playground/internal/page"
)

func main() {
	page.Export("rfactorProgram", func(args []string) any {
		return factored.Page(context.Background(), page.Request(args))
	})
	page.Ready()
}
