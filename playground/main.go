//go:build js && wasm

// Playground is the matcher for the page of make playground. It runs in a worker as WebAssembly, and gives the page
// functions that return what there is to show as JSON:
//
//   - rfactorView, from the fields of a request to the answers;
//   - rfactorWarm, the same, but the next two are still about the request before it;
//   - rfactorPart, from the name of a part to that part of the page that the last request got;
//   - rfactorWords, what an editor completes;
//   - rfactorMerge, from the number of an update and lines of data to how its answer merges them.
package main

import (
	"context"
	"strconv"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/playground/internal/page"
)

func main() {
	last := &view.Page{}
	page.Export("rfactorView", func(args []string) any {
		last = page.Request(args).Match(context.Background())
		return last
	})
	page.Export("rfactorWarm", func(args []string) any { return page.Request(args).Match(context.Background()) })
	page.Export("rfactorPart", func(args []string) any { return last.Part(context.Background(), args[0]) })
	page.Export("rfactorMerge", func(args []string) any {
		at, err := strconv.Atoi(args[0])
		if err != nil {
			at = -1
		}
		return last.Merged(at, args[1:])
	})
	page.Export("rfactorWords", func([]string) any { return program.Words() })
	page.Ready()
}
