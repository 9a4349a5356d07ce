//go:build js && wasm

// Playground is the matcher for the page of make playground. It runs in a worker as WebAssembly, and
// gives the page two functions, both of which return what there is to show as JSON: rfactorView, from the fields of a request
// to the answers, and rfactorPart, from the name of a part to that part of the page that the last request got.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/rfactor-go/rfactor/internal/view"
)

func main() {
	page := &view.Page{}
	export("rfactorView", func(args []string) *view.Page {
		r := view.Request{Text: args[0], Types: args[1], Given: args[2], Assume: args[3]} // nothing here reads JSON
		page = r.Match(context.Background())
		return page
	})
	export("rfactorPart", func(args []string) *view.Page { return page.Part(context.Background(), args[0]) })
	js.Global().Get("rfactorReady").Invoke()
	select {}
}

// export makes a function of the page of one from texts to a page.
func export(name string, f func(args []string) *view.Page) {
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
