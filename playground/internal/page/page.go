//go:build js && wasm

// Package page gives functions of Go to the page of the playground.
package page

import (
	"encoding/json"
	"syscall/js"

	"github.com/rfactor-go/rfactor/internal/view"
)

// Ready tells the worker that the functions are there, and never returns.
func Ready() {
	js.Global().Get("rfactorReady").Invoke()
	select {}
}

// Request is a request of the fields of a page: nothing here reads JSON.
func Request(args []string) *view.Request {
	return &view.Request{Text: args[0], Types: args[1], Given: args[2], Assume: args[3]}
}

// Export makes a function of the page of one from texts to what there is to show.
func Export(name string, f func(args []string) any) {
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
