//go:build js && wasm

// Playground is the matcher for the page of make playground. It runs in a worker as WebAssembly, and
// gives the page one function, rfactorView, from a request to what there is to show, both as JSON.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/rfactor-go/rfactor/internal/view"
)

func main() {
	js.Global().Set("rfactorView", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var r view.Request
		if err := json.Unmarshal([]byte(args[0].String()), &r); err != nil {
			return `{"failed": "the request is no JSON"}`
		}
		out, err := json.Marshal(r.Answer(context.Background()))
		if err != nil {
			return `{"failed": "the answer is no JSON"}`
		}
		return string(out)
	}))
	js.Global().Get("rfactorReady").Invoke()
	select {}
}
