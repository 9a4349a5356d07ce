package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// tileBlocks runs tiles of a scanForm on one goroutine. What some place reads depends on data: then newTileBlocks gives nil.
type tileBlocks struct {
	*walker
	scan   *plan.Scan
	form   *prepare.ScanForm
	passes []*blockPass
	keep   *code
	target *scalar.Cursor // where the steps of a tile write
	stores []kernel.Step
	room   int         // steps for which states have memory
	at     []stateLoad // what reads states
	states []any       // by component: before each step of a tile, or of a block, and behind the last one
	get    []func(i int) uint64
	put    []func(i int, v uint64)
}

// aim is where the states of one component are written: to an output of the buffer that no other pass reads.
type aim struct {
	output int // of the buffer
	scan   kernel.Scan
	tree   *kernel.Tree
}

// stateLoad reads the states before each step, or after it.
type stateLoad struct {
	at        *kernel.Strided
	component int
	after     int
}

// blockPass is a pass, compiled for one goroutine.
type blockPass struct {
	*plan.Pass
	ops    []ir.Op
	inject []ir.Expr
	code   *code    // what steps inject
	begin  []func() // set the total of no steps
	fold   []kernel.Step
	scan   []kernel.Scan  // in their order, into the states
	trees  []*kernel.Tree // by component, of floats that round as a tree does; else nil
	aims   []*aim         // by component; nil for one whose states others read
	total  []func() uint64
	zero   int
	read   bool // later passes read the states of steps, or they are kept

	from, to, sum []uint64 // the states before and behind a tile, and its total
}

func newTileBlocks(t *tiled, f *prepare.ScanForm) *tileBlocks {
	block := (t.run.opts.Block + kernel.TreeLanes - 1) / kernel.TreeLanes * kernel.TreeLanes
	b := &tileBlocks{walker: newWalker(t.run, f.Nest, f.Order, block), scan: t.scan, form: f}
	for _, typ := range t.scan.State {
		z := kernel.Of(typ)
		v := z.Register(0)
		b.states, b.get, b.put = append(b.states, v), append(b.get, z.Get(v)), append(b.put, z.Put(v))
	}
	for n, p := range t.scan.Passes {
		c := &blockPass{Pass: p, ops: f.Ops[n], inject: f.Steps[n], code: newCode(b.walker), from: make([]uint64, len(p.Components)), to: make([]uint64, len(p.Components)), sum: make([]uint64, len(p.Types)), read: t.scan.Keep != nil || t.scan.Reads(p)}
		c.trees = make([]*kernel.Tree, len(p.Components))
		for _, r := range p.Reads {
			b.load(c.code, r.Var, r.Component, r.After)
		}
		if c.ops == nil {
			b.affine(c)
		} else {
			b.plain(c)
		}
		b.passes = append(b.passes, c)
	}
	if t.scan.Keep != nil && !b.keeps() || slices.ContainsFunc(b.codes(), func(c *code) bool { return c.indexed }) {
		return nil
	}
	b.aim()
	return b
}

// aim finds the components that can be written where they are kept.
func (b *tileBlocks) aim() {
	for _, p := range b.passes {
		p.aims = make([]*aim, len(p.Components))
		for i, c := range p.Components {
			output := slices.IndexFunc(b.scan.Keep, func(k plan.Keep) bool { return k.State == c })
			reads := 0
			for _, l := range b.at {
				if l.component == c {
					reads++
				}
			}
			if output < 0 || reads > 1 { // one is that of what is kept
				continue
			}
			z, to := kernel.Of(b.scan.State[c]), b.buffer.Columns[output]
			a := &aim{output: output}
			if p.ops == nil {
				factor, summand := p.code.value(p.inject[0]), p.code.value(p.inject[1])
				if _, a.scan = z.Affine(z.Register(2), to, factor, summand); p.trees[i] != nil {
					a.tree = z.Tree(ir.Add, to, factor, summand)
					byLiteral(a.tree, p.inject[0])
				}
			} else if a.scan = z.Scan(p.ops[i], to, p.code.value(p.inject[i])); p.trees[i] != nil {
				a.tree = z.Tree(p.ops[i], to, p.code.value(p.inject[i]))
			}
			p.aims[i] = a
		}
	}
}

// rounds reports whether a pass rounds as a tree does.
func (b *tileBlocks) rounds(p *blockPass) bool { return b.scan.Lanes > 1 && !p.IsExact() }

// plain compiles a pass of plain operations.
func (b *tileBlocks) plain(c *blockPass) {
	for i, e := range c.inject {
		z, op, states := kernel.Of(e.Type()), c.ops[i], b.states[c.Components[i]]
		leaf, total := c.code.value(e), z.Register(1)
		get, put, neutral := z.Get(total), z.Put(total), folds.NeutralValue(op, e.Type())
		inOrder := e.Type().IsFloat() && (op == ir.Add || op == ir.Mul)
		c.scan = append(c.scan, z.Scan(op, states, leaf))
		if inOrder && b.rounds(c) {
			t := z.Tree(op, states, leaf)
			c.trees[i] = t
			c.begin, c.fold, c.total = append(c.begin, t.Begin), append(c.fold, t.Reduce), append(c.total, func() uint64 { return t.Totals()[0] })
			continue
		}
		c.begin, c.total = append(c.begin, func() { put(0, neutral) }), append(c.total, func() uint64 { return get(0) })
		c.fold = append(c.fold, z.Fold(&kernel.Folding{Op: op, Exact: inOrder, Data: total, At: &c.zero, Leaf: leaf}))
	}
}

// affine compiles a pass of steps x ↦ x·a + b.
func (b *tileBlocks) affine(c *blockPass) {
	z, states := kernel.Of(c.inject[0].Type()), b.states[c.Components[0]]
	total, factor, summand := z.Register(2), c.code.value(c.inject[0]), c.code.value(c.inject[1])
	get := z.Get(total)
	fold, scan := z.Affine(total, states, factor, summand)
	c.fold, c.scan = []kernel.Step{fold}, []kernel.Scan{scan}
	c.total = []func() uint64{func() uint64 { return get(0) }, func() uint64 { return get(1) }}
	if b.rounds(c) {
		t := z.Tree(ir.Add, states, factor, summand)
		byLiteral(t, c.inject[0])
		c.trees[0] = t
		c.begin, c.fold = []func(){t.Begin}, []kernel.Step{t.Reduce}
		c.total = []func() uint64{func() uint64 { return t.Totals()[0] }, func() uint64 { return t.Totals()[1] }}
	}
}

// byLiteral lets a tree compute the powers of a factor that is a literal once.
func byLiteral(t *kernel.Tree, factor ir.Expr) {
	if factor.Op() == ir.Const {
		t.By(factor.Value())
	}
}

// behind puts the state behind a tile into to.
func (p *blockPass) behind() {
	for i, f := range p.total {
		p.sum[i] = f()
	}
	if p.ops == nil {
		t := p.inject[0].Type()
		p.to[0] = ir.Apply2(ir.Add, t, ir.Apply2(ir.Mul, t, p.from[0], p.sum[0]), p.sum[1])
		return
	}
	for i, op := range p.ops {
		p.to[i] = ir.Apply2(op, p.Types[i], p.from[i], p.sum[i])
	}
}

// load lets a variable mean a component of the state before each step, or after it.
func (b *tileBlocks) load(c *code, v ir.Expr, component int, after bool) {
	reg := kernel.Of(v.Type()).Register(0)
	b.read(c, reg, component, after)
	c.regs[v] = reg
}

// read lets a register have a component of the state before each step, or after it.
func (b *tileBlocks) read(c *code, reg any, component int, after bool) {
	l := stateLoad{at: &kernel.Strided{Stride: 1}, component: component}
	if after {
		l.after = 1
	}
	b.at = append(b.at, l)
	c.loads = append(c.loads, kernel.Of(b.scan.State[component]).Load(reg, b.states[component], l.at))
}

// keeps compiles what is written; false where it does not lie in one row.
func (b *tileBlocks) keeps() bool {
	c := newCode(b.walker)
	target := c.cursor(b.nest.Targets[b.inner], b.buffer)
	if target == nil {
		return false
	}
	for i, k := range b.scan.Keep {
		typ := b.nest.Stage.Buffer.Types[i]
		z := kernel.Of(typ)
		var reg any
		if k.State >= 0 {
			reg = z.Register(0)
			b.read(c, reg, k.State, true)
		} else {
			for _, v := range ir.Vars(k.Value) {
				if v.Kind() == ir.State && c.regs[v] == nil {
					b.load(c, v, v.Index(), false)
				}
			}
			reg = c.value(k.Value)
		}
		b.stores = append(b.stores, z.Store(b.buffer.Columns[i], reg, &target.Strided, nil))
	}
	b.keep, b.target = c, target
	return true
}

// place readies the code of all passes for a tile; false where something in it would be read or written outside of an array.
func (b *tileBlocks) place(start, n int) bool {
	for _, c := range b.codes() {
		c.start, c.extent = start, n
		*c.inner = uint64(int64(start))
		b.Point++
		for _, cur := range c.cursors {
			if lo, hi := cur.Place(start, n); lo > 0 || hi < n {
				b.TakeError()
				return false
			}
		}
		if b.Err == nil {
			for _, f := range c.begin {
				f()
			}
		}
		if b.TakeError() != nil {
			return false
		}
	}
	return true
}

func (b *tileBlocks) codes() (list []*code) {
	for _, p := range b.passes {
		list = append(list, p.code)
	}
	if b.keep != nil {
		list = append(list, b.keep)
	}
	return list
}

// blocks computes what a code does, block by block, and then calls each.
func (b *tileBlocks) blocks(c *code, each func(k, n int)) {
	for k := 0; k < c.extent; k += c.block {
		n := min(c.block, c.extent-k)
		c.compute(k, n, c.extent, 0)
		each(k, n)
	}
}
