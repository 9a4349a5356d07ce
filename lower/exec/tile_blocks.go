package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// scanForm is a scan that blocks serve: its passes are plain operations (sums, products, extrema, and bitwise ones), or steps
// x ↦ x·a + b. Floats are combined in their order, as the steps of a tile are.
//
//	f(r) = f(r - 1) + select(in(r) > 9, 1, 0)   →   t = select(in > 9, 1, 0) for a block; fold t, or scan t
type scanForm struct {
	nest  *prepared // of the stage with what passes inject as operands, so that their reads are known
	order []int     // the loops, that of the scan last
	ops   [][]ir.Op // by pass and component; none of a pass whose steps are x ↦ x·a + b
}

// newScanForm is nil where a scan has no such form.
func newScanForm(p *plan.Plan, s *plan.Stage) (*scanForm, error) {
	if s.Scan == nil || s.Scan.Lanes > 1 || len(s.Where) > 0 || slices.ContainsFunc(s.Loops, func(l plan.Loop) bool { return l.How == plan.AsLanes }) {
		return nil, nil
	}
	f := &scanForm{}
	plain := *s
	plain.Scan, plain.Inject = nil, nil
	for _, pass := range s.Scan.Passes {
		ops := plainOps(s.Scan, pass)
		if ops == nil && !s.Scan.IsAffine(pass) {
			return nil, nil
		}
		f.ops, plain.Inject = append(f.ops, ops), append(plain.Inject, pass.Inject...)
	}
	for _, k := range s.Scan.Keep {
		if k.State >= 0 {
			continue
		}
		if slices.ContainsFunc(access.Reads(&plan.Stage{Buffer: s.Buffer, Values: []ir.Expr{k.Value}}), func(a access.Access) bool { return a.Array == s.Buffer.Name }) {
			return nil, nil // which a block has overwritten in part
		}
		plain.Inject = append(plain.Inject, k.Value)
	}
	for i, l := range s.Loops {
		if l.Var != s.Scan.Var {
			f.order = append(f.order, i)
		}
	}
	f.order = append(f.order, slices.IndexFunc(s.Loops, func(l plan.Loop) bool { return l.Var == s.Scan.Var }))
	var err error
	f.nest, err = prepareLoops(p, &plain)
	return f, err
}

// plainOps returns the operations of a pass by component; nil where some component has none, or a total another type than
// the state.
func plainOps(sc *plan.Scan, p *plan.Pass) (ops []ir.Op) {
	if len(p.Types) != len(p.Components) {
		return nil
	}
	for i, t := range p.Types {
		e := p.Combine[i]
		if t != sc.State[p.Components[i]] || p.Apply[i] != e || e.NumArgs() != 2 || !kernel.CanScan(e.Op(), t) {
			return nil
		}
		isOperand := func(v ir.Expr, kind ir.VarKind) bool {
			return v.Op() == ir.Var && v.Kind() == kind && v.Index() == i && (kind == ir.State || v.Name()[0] == 'y')
		}
		a, b := e.Arg(0), e.Arg(1)
		if !(isOperand(a, ir.State) && isOperand(b, ir.Leaf)) && !(isOperand(b, ir.State) && isOperand(a, ir.Leaf)) {
			return nil
		}
		if part, ok := folds.Of(p.Update[i], i); !p.IsExact() && (!ok || part.Op != e.Op() || part.Leaf != p.Inject[i]) {
			return nil // the step itself may round otherwise
		}
		ops = append(ops, e.Op())
	}
	return ops
}

// tileBlocks runs tiles of a scanForm on one goroutine. What some place reads depends on data: then newTileBlocks gives nil.
type tileBlocks struct {
	*walker
	scan   *plan.Scan
	form   *scanForm
	passes []*blockPass
	keep   *code
	stores []kernel.Step
	room   int   // steps for which states have memory
	states []any // by component: before each step of a tile, and behind the last one
	get    []func(i int) uint64
	put    []func(i int, v uint64)
}

// blockPass is a pass, compiled for one goroutine.
type blockPass struct {
	*plan.Pass
	ops   []ir.Op
	code  *code    // what steps inject
	begin []func() // set the total of no steps
	fold  []kernel.Step
	scan  []func(at, n int)
	total []func() uint64
	zero  int
	read  bool // later passes read the states of steps, or they are kept

	from, to, sum []uint64 // the states before and behind a tile, and its total
}

func newTileBlocks(t *tiled, f *scanForm) *tileBlocks {
	b := &tileBlocks{walker: newWalker(t.run, f.nest, f.order, t.run.opts.Block), scan: t.scan, form: f}
	for _, typ := range t.scan.State {
		z := kernel.Of(typ)
		v := z.Register(0)
		b.states, b.get, b.put = append(b.states, v), append(b.get, z.Get(v)), append(b.put, z.Put(v))
	}
	for n, p := range t.scan.Passes {
		c := &blockPass{Pass: p, ops: f.ops[n], code: newCode(b.walker), from: make([]uint64, len(p.Components)), to: make([]uint64, len(p.Components)), sum: make([]uint64, len(p.Types)), read: t.scan.Keep != nil || t.scan.Reads(p)}
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
	return b
}

// plain compiles a pass of plain operations.
func (b *tileBlocks) plain(c *blockPass) {
	for i, e := range c.Inject {
		z, op := kernel.Of(e.Type()), c.ops[i]
		leaf, total := c.code.value(e), z.Register(1)
		get, put, neutral := z.Get(total), z.Put(total), folds.NeutralValue(op, e.Type())
		inOrder := e.Type().IsFloat() && (op == ir.Add || op == ir.Mul)
		c.begin, c.total = append(c.begin, func() { put(0, neutral) }), append(c.total, func() uint64 { return get(0) })
		c.fold = append(c.fold, z.Fold(&kernel.Folding{Op: op, Exact: inOrder, Data: total, At: &c.zero, Leaf: leaf}))
		c.scan = append(c.scan, z.Scan(op, b.states[c.Components[i]], leaf))
	}
}

// affine compiles a pass of steps x ↦ x·a + b.
func (b *tileBlocks) affine(c *blockPass) {
	z := kernel.Of(c.Types[0])
	total := z.Register(2)
	get := z.Get(total)
	fold, scan := z.Affine(total, b.states[c.Components[0]], c.code.value(c.Inject[0]), c.code.value(c.Inject[1]))
	c.fold, c.scan = []kernel.Step{fold}, []func(at, n int){scan}
	c.total = []func() uint64{func() uint64 { return get(0) }, func() uint64 { return get(1) }}
}

// behind puts the state behind a tile into to.
func (p *blockPass) behind() {
	for i, f := range p.total {
		p.sum[i] = f()
	}
	if p.ops == nil {
		t := p.Types[0]
		p.to[0] = ir.Apply2(ir.Add, t, ir.Apply2(ir.Mul, t, p.from[0], p.sum[0]), p.sum[1])
		return
	}
	for i, op := range p.ops {
		p.to[i] = ir.Apply2(op, p.Types[i], p.from[i], p.sum[i])
	}
}

// load lets a variable mean a component of the state before each step, or after it.
func (b *tileBlocks) load(c *code, v ir.Expr, component int, after bool) {
	z, at := kernel.Of(v.Type()), &kernel.Strided{Stride: 1}
	if after {
		at.Offset = 1
	}
	reg := z.Register(0)
	c.loads, c.regs[v] = append(c.loads, z.Load(reg, b.states[component], at)), reg
}

// keeps compiles what is written; false where it does not lie in one row.
func (b *tileBlocks) keeps() bool {
	c := newCode(b.walker)
	target := c.cursor(b.nest.targets[b.inner], b.buffer)
	if target == nil {
		return false
	}
	for i, k := range b.scan.Keep {
		typ := b.nest.stage.Buffer.Types[i]
		z := kernel.Of(typ)
		var reg any
		if k.State >= 0 {
			reg = z.Register(0)
			c.loads = append(c.loads, z.Load(reg, b.states[k.State], &kernel.Strided{Offset: 1, Stride: 1}))
		} else {
			for _, v := range ir.Vars(k.Value) {
				if v.Kind() == ir.State && c.regs[v] == nil {
					b.load(c, v, v.Index(), false)
				}
			}
			reg = c.value(k.Value)
		}
		b.stores = append(b.stores, z.Store(b.buffer.data[i], reg, &target.Strided, nil))
	}
	b.keep = c
	return true
}

// place readies the code of all passes for a tile; false where something in it would be read or written outside of an array.
func (b *tileBlocks) place(start, n int) bool {
	if n > b.room {
		for i, t := range b.scan.State {
			z := kernel.Of(t)
			z.Swap(b.states[i], z.Register(n+1))
		}
		b.room = n
	}
	for _, c := range b.codes() {
		c.start, c.extent = start, n
		*c.inner = uint64(int64(start))
		b.point++
		for _, cur := range c.cursors {
			if lo, hi := cur.place(start, n); lo > 0 || hi < n {
				b.takeError()
				return false
			}
		}
		if b.err == nil {
			for _, f := range c.begin {
				f()
			}
		}
		if b.takeError() != nil {
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

// tile runs a tile that place has readied.
func (b *tileBlocks) tile(j *job, number int) {
	for n, p := range b.passes {
		b.reduce(p)
		<-j.published[n][number]
		for i, c := range p.Components {
			p.from[i] = j.states[number][c]
		}
		p.behind()
		counts := b.scan.Counts(p.Pass, p.from, p.sum, p.to)
		if !counts {
			b.through(p)
		}
		for i, c := range p.Components {
			if !counts {
				p.to[i] = b.get[c](p.code.extent)
			}
			j.states[number+1][c] = p.to[i]
		}
		close(j.published[n][number+1])
		if p.read && counts {
			b.through(p)
		}
	}
	if b.keep != nil {
		b.write()
	}
}

// reduce computes the total of a tile.
func (b *tileBlocks) reduce(p *blockPass) {
	for _, f := range p.begin {
		f()
	}
	b.blocks(p.code, func(k, n int) {
		for _, f := range p.fold {
			f(k, n)
		}
	})
}

// through gives each step its state.
func (b *tileBlocks) through(p *blockPass) {
	for i, c := range p.Components {
		b.put[c](0, p.from[i])
	}
	b.blocks(p.code, func(k, n int) {
		for _, f := range p.scan {
			f(k, n)
		}
	})
}

// write writes what a tile keeps.
func (b *tileBlocks) write() {
	b.blocks(b.keep, func(k, n int) {
		for _, f := range b.stores {
			f(k, n)
		}
	})
}
