//go:build js

package machine

import (
	"syscall/js"

	"github.com/rfactor-go/rfactor/lower/exec/internal/wasm"
)

// exports is what the module of this process exports, its memory among it; undefined where its host is not Go's wasm_exec.js. The object that runs
// the module is behind no name: it is what one of its methods is called on, when package js makes a function.
var exports = func() js.Value {
	host := js.Global().Get("Go")
	if host.Type() != js.TypeFunction {
		return js.Undefined()
	}
	const method = "_makeFuncWrapper"
	methods := host.Get("prototype")
	own := methods.Get(method)
	methods.Set(method, js.Global().Get("Object").Get("prototype").Get("valueOf"))
	self := js.FuncOf(nil)
	methods.Set(method, own)
	self.Release()
	return self.Get("_inst").Get("exports")
}()

// Compiles reports whether the host compiles modules that share the memory of this process.
var Compiles = exports.Type() == js.TypeObject && exports.Get("mem").Type() == js.TypeObject

// apply is what modules import.
//
//go:wasmexport rfactor_apply
func apply(what uint32, a, b uint64) uint64 { return wasm.Applied(what, a, b) }

// Machine is an instance of a module.
type Machine struct{ run js.Value }

// New compiles a module, which exports a function "run".
func New(module []byte) (m *Machine, err error) {
	defer thrown(&err)
	bytes := js.Global().Get("Uint8Array").New(len(module))
	js.CopyBytesToJS(bytes, module)
	own := js.Global().Get("Object").New()
	own.Set("apply", exports.Get("rfactor_apply"))
	own.Set("memory", exports.Get("mem"))
	imports := js.Global().Get("Object").New()
	imports.Set("ir", own)
	of := js.Global().Get("WebAssembly")
	instance := of.Get("Instance").New(of.Get("Module").New(bytes), imports)
	return &Machine{instance.Get("exports").Get("run")}, nil
}

// Lend does nothing: the memory of the machine is that of this process.
func (m *Machine) Lend(*Window) error { return nil }

// Return does nothing.
func (m *Machine) Return() error { return nil }

// Call calls the function of a machine.
type Call struct{ run js.Value }

// Call returns a new one.
func (m *Machine) Call() *Call { return &Call{m.run} }

// Run calls the function: see wasm.Code.
func (c *Call) Run(frame uint32, first, last int32) (status int, err error) {
	defer thrown(&err)
	return c.run.Invoke(frame, first, last).Int(), nil
}

// thrown makes an error of what the host throws; it is deferred.
func thrown(err *error) {
	switch e := recover().(type) {
	case nil:
	case js.Error:
		*err = e
	default:
		panic(e)
	}
}
