package exec

import (
	"fmt"
	"math"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// tileWorker runs tiles on one goroutine.
type tileWorker struct {
	*scalar.Scalars
	*tiled
	vars          []*uint64 // of the loops, that of the scan last
	mins, extents []func() uint64
	where, index  []func() uint64
	begin         []func() uint64 // the state before the first step
	passes        []*tilePass
	keep          [][]func() uint64 // nil for a component of the state
	kept          [][]operand       // the states that these read
	set           []func(int, uint64)
	at            []int64
	values        []uint64

	blocks *tileBlocks // nil where tiles run step by step alone

	steps  []uint64 // values of the scan's variable in a tile
	before []uint64 // the state before each step, and behind the last one
	local  []uint64 // totals from the tile's begin to behind each step, with lanes; else that of the tile
}

// tilePass is a pass, compiled for one goroutine.
type tilePass struct {
	*plan.Pass
	inject, next, update []func() uint64
	combine, apply       []func() uint64
	state                []operand // of update
	so                   []operand // of next: the total so far
	left, right          []operand // of combine
	before, total        []operand // of apply
	reads                []*uint64
	from, to             []uint64
}

// operand is where a variable that stands for a component lies.
type operand struct {
	slot      *uint64
	component int
}

func newTileWorker(t *tiled) *tileWorker {
	w := &tileWorker{Scalars: scalar.NewScalars(&t.run.Names), tiled: t}
	for _, l := range append(slices.Clone(t.outer), t.loop) {
		w.vars = append(w.vars, w.Slot(l.Var))
		w.mins, w.extents = append(w.mins, w.Compile(l.Span.Min)), append(w.extents, w.Compile(l.Span.Extent))
	}
	s := t.stage
	w.where, w.index, w.begin = w.CompileAll(s.Where), w.CompileAll(s.Index), w.CompileAll(t.scan.Start)
	w.at, w.values = make([]int64, len(s.Index)), make([]uint64, len(s.Buffer.Types))
	for _, p := range t.scan.Passes {
		c := &tilePass{Pass: p, inject: w.CompileAll(p.Inject), next: w.CompileAll(p.Next), so: w.operands(p.Next, ir.State), update: w.CompileAll(p.Update), combine: w.CompileAll(p.Combine), apply: w.CompileAll(p.Apply),
			state: w.operands(p.Update, ir.State), left: w.operands(p.Combine, ir.State), right: w.operands(p.Combine, ir.Leaf),
			before: w.operands(p.Apply, ir.State), total: w.operands(p.Apply, ir.Leaf),
			from: make([]uint64, len(p.Components)), to: make([]uint64, len(p.Components))}
		for _, r := range p.Reads {
			c.reads = append(c.reads, w.Slot(r.Var))
		}
		w.passes = append(w.passes, c)
	}
	for c, typ := range s.Buffer.Types {
		w.set = append(w.set, kernel.Of(typ).Put(t.run.Arrays[s.Buffer.Name].Columns[c]))
	}
	for _, k := range t.scan.Keep {
		var value []func() uint64
		var reads []operand
		if k.State < 0 {
			value, reads = w.CompileAll([]ir.Expr{k.Value}), w.operands([]ir.Expr{k.Value}, ir.State)
		}
		w.keep, w.kept = append(w.keep, value), append(w.kept, reads)
	}
	if t.form != nil {
		w.blocks = newTileBlocks(t, t.form)
	}
	return w
}

// operands lists the components that expressions mention, of the first operand or of the second.
func (w *tileWorker) operands(es []ir.Expr, kind ir.VarKind) (list []operand) {
	for _, v := range ir.Vars(es...) {
		if v.Kind() == kind && (kind == ir.State || v.Name()[0] == 'y') { // and no component of an earlier pass
			list = append(list, operand{w.Slot(v), v.Index()})
		}
	}
	return list
}

func assign(to []operand, values []uint64) {
	for _, o := range to {
		*o.slot = values[o.component]
	}
}

// evaluate puts the values of terms at the point where the slots are now into out.
func (w *tileWorker) evaluate(terms []func() uint64, out []uint64) {
	w.Point++
	for i, f := range terms {
		out[i] = f()
	}
}

func (w *tileWorker) span(i int) (ndarray.Range, error) {
	lo, n := int64(w.mins[i]()), int64(w.extents[i]())
	err := w.TakeError()
	if err == nil && n > 0 && lo+n-1 > math.MaxInt32 {
		err = fmt.Errorf("it runs over %d..%d, more than coordinates, which are i32, can count", lo, lo+n-1)
	}
	return ndarray.Range{Min: int(lo), Extent: int(n)}, err
}

func (w *tileWorker) start() ([]uint64, error) {
	out := make([]uint64, len(w.begin))
	w.evaluate(w.begin, out)
	return out, w.TakeError()
}

// enter tells the blocks where the loops around the scan are.
func (w *tileWorker) enter() {
	if w.blocks != nil {
		for i := range w.outer {
			*w.blocks.vars[i] = *w.vars[i]
		}
	}
}

// work takes tiles while there are some. A tile that failed publishes as well, so that none waits for it.
func (w *tileWorker) work(j *job) {
	for {
		number := int(j.next.Add(1)) - 1
		if number >= len(j.errs) {
			return
		}
		lo := number * j.tile
		err := w.tiled.run.ctx.Err()
		if n := min(j.tile, j.span.Extent-lo); err == nil && w.blocks != nil && w.blocks.place(j.span.Min+lo, n) {
			if !j.alone || !w.blocks.straight(j, number) {
				w.blocks.tile(j, number)
			}
			continue
		}
		if err == nil {
			err = w.collect(j, number)
		}
		for p, c := range w.passes {
			if err == nil {
				err = w.reduce(c)
			}
			<-j.published[p][number]
			for i, k := range c.Components {
				c.from[i] = j.states[number][k]
			}
			ahead := err == nil && w.behind(c)
			if err == nil && !ahead {
				err = w.through(c)
			}
			for i, k := range c.Components {
				j.states[number+1][k] = c.to[i]
			}
			close(j.published[p][number+1])
			if err == nil && ahead {
				err = w.through(c)
			}
		}
		if err == nil && w.scan.Keep != nil {
			err = w.keepAll()
		}
		j.errs[number] = err
	}
}
