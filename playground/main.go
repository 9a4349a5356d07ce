//go:build js && wasm

// Playground is the matcher for the page of make playground. It runs in a worker as WebAssembly, and
// gives the page two functions, both of which return what there is to show as JSON: rfactorView, from a request to the
// answers, and rfactorPart, from the name of a part to that part of the page that the last request got.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/rfactor-go/rfactor/internal/view"
)

func main() {
	page := &view.Page{}
	export("rfactorView", func(request string) *view.Page {
		var r view.Request
		if err := json.Unmarshal([]byte(request), &r); err != nil {
			return &view.Page{Failed: "the request is no JSON"}
		}
		page = r.Match(context.Background())
		return page
	})
	export("rfactorPart", func(name string) *view.Page { return page.Part(context.Background(), name) })
	js.Global().Get("rfactorReady").Invoke()
	select {}
}

// export makes a function of the page of one from a text to a page.
func export(name string, f func(string) *view.Page) {
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := json.Marshal(f(args[0].String()))
		if err != nil {
			return `{"failed": "the answer is no JSON"}`
		}
		return string(out)
	}))
}
