//go:build js && wasm

// Playground is the matcher for the page of make playground. It runs in a worker as WebAssembly, and gives the page
// functions that return what there is to show as JSON:
//
//   - rfactorView, from the fields of a request to the answers;
//   - rfactorWarm, the same, but the next two are still about the request before it;
//   - rfactorPart, from the name of a part to that part of the page that the last request got;
//   - rfactorWords, what an editor completes;
//   - rfactorSpeed, from the number of an update to how long its steps take here;
//   - rfactorMerge, from the number of an update and lines of data to how its answer merges them.
package main

import (
	"context"
	"strconv"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/internal/view/speed"
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
	page.Export("rfactorSpeed", func(args []string) any {
		if at := number(args[0]); at >= 0 && at < len(last.Updates) {
			return speed.Of(last.Updates[at])
		}
		return nil
	})
	page.Export("rfactorMerge", func(args []string) any { return last.Merged(number(args[0]), args[1:]) })
	page.Export("rfactorWords", func([]string) any { return program.Words() })
	page.Ready()
}

// number reads the number of an update, -1 where there is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
