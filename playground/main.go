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
	"encoding/json"
	"strconv"
	"syscall/js"

	"github.com/rfactor-go/rfactor/internal/view"
	"github.com/rfactor-go/rfactor/ir/program"
)

func main() {
	page := &view.Page{}
	export("rfactorView", func(args []string) any {
		page = request(args).Match(context.Background())
		return page
	})
	export("rfactorWarm", func(args []string) any { return request(args).Match(context.Background()) })
	export("rfactorPart", func(args []string) any { return page.Part(context.Background(), args[0]) })
	export("rfactorMerge", func(args []string) any {
		at, err := strconv.Atoi(args[0])
		if err != nil {
			at = -1
		}
		return page.Merged(at, args[1:])
	})
	export("rfactorWords", func([]string) any { return program.Words() })
	js.Global().Get("rfactorReady").Invoke()
	select {}
}

// request is a request of the fields of a page: nothing here reads JSON.
func request(args []string) *view.Request {
	return &view.Request{Text: args[0], Types: args[1], Given: args[2], Assume: args[3]}
}

// export makes a function of the page of one from texts to what there is to show.
func export(name string, f func(args []string) any) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		texts := make([]string, len(args))
		for i, a := range args {
			texts[i] = a.String()
		}
		out, err := json.Marshal(f(texts))
		if err != nil {
			return `{"failed": "the answer is no JSON"}`
		}
		return string(out)
	}))
}
