//go:build amd64 || arm64

package machine

import (
	"context"
	"errors"
	goruntime "runtime"
	"sync"
	"unsafe"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/rfactor-go/rfactor/lower/exec/internal/wasm"
)

// Compiles reports whether there is a compiler for this processor.
const Compiles = true

// Machine is an instance of a module. Several goroutines may call its function, each by a Call of its own. What is not used any more is closed: the
// compiler keeps modules until then.
type Machine struct {
	module api.Module
	memory *lent
}

// lent is a memory that lies where it is told. Wazero asks for it anew each time it grows.
type lent struct{ next, own []byte }

func (l *lent) Allocate(_, _ uint64) experimental.LinearMemory { return l }
func (l *lent) Reallocate(uint64) []byte                       { return l.next }
func (l *lent) Free()                                          {}

var runtime = sync.OnceValues(func() (wazero.Runtime, error) {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig())
	apply := api.GoFunc(func(_ context.Context, stack []uint64) { stack[0] = wasm.Applied(uint32(stack[0]), stack[1], stack[2]) })
	_, err := r.NewHostModuleBuilder("ir").NewFunctionBuilder().
		WithGoFunction(apply, []api.ValueType{api.ValueTypeI32, api.ValueTypeI64, api.ValueTypeI64}, []api.ValueType{api.ValueTypeI64}).
		Export("apply").Instantiate(ctx)
	return r, err
})

// New compiles a module, which exports a function "run".
func New(module []byte) (*Machine, error) {
	r, err := runtime()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	compiled, err := r.CompileModule(ctx, module)
	if err != nil {
		return nil, err
	}
	m := &Machine{memory: &lent{own: make([]byte, 1<<16)}}
	m.memory.next = m.memory.own
	m.module, err = r.InstantiateModule(experimental.WithMemoryAllocator(ctx, m.memory), compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, errors.Join(err, compiled.Close(ctx))
	}
	goruntime.AddCleanup(m, func(of []api.Closer) {
		for _, c := range of {
			c.Close(context.Background())
		}
	}, []api.Closer{m.module, compiled})
	return m, nil
}

// Lend makes the window the memory of the machine, until Return.
func (m *Machine) Lend(w *Window) error {
	// A slice over several arrays is none that package unsafe makes.
	b := struct {
		base     unsafe.Pointer
		len, cap int
	}{w.base, int(w.hi - w.lo), int(w.hi - w.lo)}
	return m.lie(*(*[]byte)(unsafe.Pointer(&b)))
}

// Return gives the window back.
func (m *Machine) Return() error { return m.lie(m.memory.own) }

func (m *Machine) lie(b []byte) error {
	m.memory.next = b
	if _, ok := m.module.Memory().Grow(1); !ok {
		return errors.New("machine: internal: the memory does not grow")
	}
	return nil
}

// Call calls the function of a machine, on one goroutine.
type Call struct {
	f     api.Function
	stack [3]uint64
}

// Call returns a new one.
func (m *Machine) Call() *Call { return &Call{f: m.module.ExportedFunction("run")} }

// Run calls the function: see wasm.Code.
func (c *Call) Run(frame uint32, first, last int32) (status int, err error) {
	c.stack = [3]uint64{uint64(frame), uint64(uint32(first)), uint64(uint32(last))}
	err = c.f.CallWithStack(context.Background(), c.stack[:])
	return int(uint32(c.stack[0])), err
}
