package exec

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/rfactor-go/rfactor/lower/exec/internal/machine"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/exec/internal/wasm"
	"github.com/rfactor-go/rfactor/ndarray"
)

// compiled is a stage from one of its loops on, compiled for one execution.
type compiled struct {
	depth   int
	code    *wasm.Code
	machine *machine.Machine
}

// calls are those of one goroutine.
type calls struct {
	*compiled
	w      *walker
	call   *machine.Call
	frame  []uint64
	arrays []*scalar.Memory // of the slots
	fixed  []func() uint64  // the values of slots that do not change during a run; nil for others
	at     uint32           // where the frame lies in the window
	step   int              // how many iterations a call runs at most
}

const (
	compilePoints = 4096 // how many points closures take as long for as it takes to compile a stage and to run them
	callPoints    = 16   // the same of a stage that is compiled
)

// compile has the walkers of some goroutines run compiled loops; done is called behind the run. Few points are not worth it.
func (run *execution) compile(n *stage, goroutines int) (done func() error, err error) {
	w := run.walker(n, 0)
	for i := range run.walkers[n] {
		run.walkers[n][i].code = nil
	}
	if n.code == nil || !machine.Compiles {
		return func() error { return nil }, nil
	}
	points, inner := 1, make([]int, len(w.vars)) // of an iteration of each loop
	for i := len(w.vars) - 1; i >= 0; i-- {
		inner[i] = points
		if points <= math.MaxInt32 {
			points *= w.times(i)
		}
	}
	depth := 0
	if w.later {
		depth = 1
	}
	for depth < len(w.vars)-1 && inner[depth] > run.opts.Block/n.code.Weight {
		depth++
	}
	c := run.compiledAt(n, depth)
	if c == nil {
		run.points[n] += min(points, run.opts.Compile)
	}
	if c == nil && run.points[n] < run.opts.Compile || c != nil && points < min(run.opts.Compile, callPoints) || depth == len(w.vars) {
		return func() error { return nil }, nil
	}
	if c == nil {
		code := n.code.Write(depth, !run.opts.Scalar)
		m, err := machine.New(code.Module)
		if err != nil {
			return nil, fmt.Errorf("internal: what was compiled does not load: %w", err)
		}
		c = &compiled{depth, code, m}
		run.compiled[n] = append(run.compiled[n], c)
	}
	return run.lend(n, c, goroutines, max(1, run.opts.Block/n.code.Weight/inner[depth]))
}

func (run *execution) compiledAt(n *stage, depth int) *compiled {
	for _, c := range run.compiled[n] {
		if c.depth == depth {
			return c
		}
	}
	return nil
}

// apart is whether arrays are taken to lie too far apart for one memory; tests set it.
var apart = false

// lend gives a machine the arrays of a stage, and a frame for each goroutine; done takes them back.
func (run *execution) lend(n *stage, c *compiled, goroutines, step int) (done func() error, err error) {
	var all []*calls
	for i := range goroutines {
		k := run.walker(n, i).callsOf(c)
		k.step, k.w.code = step, k
		all = append(all, k)
	}
	window, copied := run.window(c, all)
	if window == nil {
		for _, k := range all {
			k.w.code = nil
		}
		return func() error { return nil }, nil
	}
	for _, k := range all {
		k.at = window.At(unsafe.Pointer(&k.frame[0]))
		if err := k.fill(window, copied); err != nil {
			return nil, err
		}
	}
	return func() error {
		for key, to := range copied {
			if key.Array == n.Buffer.Name || n.Places != nil && key.Array == n.Places.Counter.Name {
				copy(run.Arrays[key.Array].Bytes[key.Component], to)
			}
		}
		return c.machine.Return()
	}, c.machine.Lend(window)
}

// window is where the arrays of a stage and the frames of its calls lie. Those that lie too far apart are copied to where they do not; it is nil where they
// are more than a memory holds.
func (run *execution) window(c *compiled, all []*calls) (*machine.Window, map[wasm.Slot][]byte) {
	w, bytes := &machine.Window{}, 0
	for i, s := range c.code.Slots {
		if s.What == wasm.Base {
			b := all[0].arrays[i].Bytes[s.Component]
			w.Add(b)
			bytes += len(b) + 8
		}
	}
	for _, k := range all {
		w.Add(words(k.frame))
		bytes += 8 * len(k.frame)
	}
	if w.Fits() && !apart {
		return w, nil
	}
	if uint64(bytes) >= machine.MostBytes {
		return nil, nil
	}
	memory := make([]uint64, bytes/8+1)
	near, rest, copied := &machine.Window{}, memory, map[wasm.Slot][]byte{}
	near.Add(words(memory))
	for _, k := range all {
		k.frame, rest = rest[:len(k.frame):len(k.frame)], rest[len(k.frame):]
	}
	for i, s := range c.code.Slots {
		if s.What == wasm.Base {
			b := all[0].arrays[i].Bytes[s.Component]
			copied[s] = words(rest)[:copy(words(rest), b)]
			rest = rest[(len(b)+7)/8:]
		}
	}
	return near, copied
}

// callsOf is the calls of a walker, which stay from run to run.
func (w *walker) callsOf(c *compiled) *calls {
	for _, k := range w.kept {
		if k.compiled == c {
			return k
		}
	}
	k := &calls{compiled: c, w: w, call: c.machine.Call(), frame: make([]uint64, max(len(c.code.Slots), 1))}
	for i, s := range c.code.Slots {
		k.arrays, k.fixed = append(k.arrays, w.run.Arrays[s.Array]), append(k.fixed, nil)
		if s.What == wasm.Scalar && i >= len(w.vars) {
			k.fixed[i] = w.Compile(s.Expr)
		}
	}
	w.kept = append(w.kept, k)
	return k
}

// fill puts into the frame what does not change during a run.
func (k *calls) fill(window *machine.Window, copied map[wasm.Slot][]byte) error {
	w := k.w
	for i, s := range k.code.Slots {
		a := k.arrays[i]
		var v int
		switch s.What {
		case wasm.Scalar:
			if f := k.fixed[i]; f != nil {
				k.frame[i] = f()
			}
			continue
		case wasm.Base:
			b, ok := copied[s]
			if !ok {
				b = a.Bytes[s.Component]
			}
			if len(b) > 0 {
				v = int(window.At(unsafe.Pointer(&b[0])))
			}
		case wasm.Extent:
			v = max(a.Dims[s.Dim].Extent, 0)
		case wasm.Stride:
			v = ndarray.Box(a.Dims[:s.Dim]).Len()
		}
		k.frame[i] = uint64(int64(v))
	}
	return w.TakeError()
}

// iterate runs iterations of the loop that was compiled, in parts between which the context is asked.
func (k *calls) iterate(span ndarray.Range) error {
	w := k.w
	for i := range k.depth {
		k.frame[i] = *w.vars[i]
	}
	for done := 0; done < span.Extent; done += k.step {
		if err := w.run.ctx.Err(); err != nil {
			return err
		}
		if k.depth == 0 && !w.quiet {
			w.run.tell(float64(done) / float64(span.Extent))
		}
		first := span.Min + done
		status, err := k.call.Run(k.at, int32(first), int32(first+min(k.step, span.Extent-done)-1))
		if err != nil {
			return fmt.Errorf("internal: compiled code stops: %w", err)
		}
		if status == wasm.Failed {
			return k.failed()
		}
		if status == wasm.Ended && k.depth >= w.nest.over {
			return nil
		}
	}
	return nil
}

// failed is the error of the iteration at which compiled code has stopped.
func (k *calls) failed() error {
	w := k.w
	for i := range w.vars {
		if i > k.depth {
			if _, err := w.span(i); err != nil {
				return err
			}
		}
		*w.vars[i] = k.frame[i]
		w.Point++
	}
	if err := w.element(); err != nil {
		return err
	}
	return fmt.Errorf("internal: compiled code finds an index outside of an array, which is none")
}

// words is the memory of words.
func words(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}
