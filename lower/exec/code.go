package exec

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
)

// code is a straight-line program that evaluates expressions at all points of a row, block
// by block. A row is a run of the innermost loop.
type code struct {
	w       *walker
	loop    int // the innermost
	block   int
	inner   *uint64 // its variable
	start   int     // its first value in this row
	extent  int
	cursors []*scalar.Cursor
	begin   []func()      // for each row: uniform values
	loads   []kernel.Step // for each block: registers become pieces of arrays
	steps   []kernel.Step // for each block, after loads
	ahead   []kernel.Step // ask for what loads will need
	bare    bool          // the steps are loads alone
	by      int           // how far apart the variable's values are
	indexed bool          // some read depends on data
	tiled   bool          // rows have an element of each of several segments
	tiles   []kernel.Tile // of what is read then, instead of loads
	bad     bool          // a block reads where there is no element
	regs    map[ir.Expr]any
	own     map[any]bool // registers that steps fill anew for each block
	moves   map[ir.Expr]bool
}

func newCode(w *walker) *code {
	last := len(w.loops) - 1
	return &code{w: w, loop: last, block: w.block, inner: w.vars[last], bare: true, by: 1, regs: map[ir.Expr]any{}, own: map[any]bool{}, moves: map[ir.Expr]bool{}}
}

// varies reports whether e may differ between the points of a row.
func (c *code) varies(e ir.Expr) bool {
	if v, ok := c.moves[e]; ok {
		return v
	}
	v := false
	switch {
	case e.Op() == ir.Var:
		v = e == c.w.loops[c.loop].Var || e.Kind() == ir.State || e.Kind() == ir.Leaf
	default:
		for _, a := range access.Operands(e) {
			v = c.varies(a) || v
		}
	}
	c.moves[e] = v
	return v
}

// value is the register that holds e.
func (c *code) value(e ir.Expr) any {
	if r, ok := c.regs[e]; ok {
		return r
	}
	r := c.evaluate(e)
	c.regs[e] = r
	return r
}

func (c *code) evaluate(e ir.Expr) any {
	z := kernel.Of(e.Type())
	switch {
	case !c.varies(e):
		return c.uniform(e)
	case access.IsRead(e):
		return c.read(e)
	}
	c.bare = false
	reg := z.Register(c.block)
	c.own[reg] = true
	switch e.Op() {
	case ir.Var:
		from := func() uint64 { return uint64(int64(c.start)) }
		c.steps = append(c.steps, z.Iota(reg, from, func() uint64 { return uint64(c.by) }))
	case ir.Select:
		cond := c.value(e.Arg(0)).(*kernel.Vector[bool])
		c.steps = append(c.steps, z.Choose(reg, cond, c.value(e.Arg(1)), c.value(e.Arg(2))))
	case ir.Cast:
		c.steps = append(c.steps, kernel.Of(e.Arg(0).Type()).Cast(e.Type(), reg, c.value(e.Arg(0))))
	default:
		of := kernel.Of(e.Arg(0).Type())
		if s := c.fused(e, reg); s != nil {
			c.steps = append(c.steps, s)
		} else if e.NumArgs() == 1 {
			c.steps = append(c.steps, of.Unary(e.Op(), z, reg, c.value(e.Arg(0))))
		} else {
			x, y := c.value(e.Arg(0)), c.value(e.Arg(1))
			c.steps = append(c.steps, of.Binary(e.Op(), reg, x, y))
		}
	}
	return reg
}

// fused is a·b + c, a·b + c·d or a·b − c·d in one pass, nil where e is none of these or its
// products are there already.
func (c *code) fused(e ir.Expr, reg any) kernel.Step {
	if e.Op() != ir.Add && e.Op() != ir.Sub || e.Type() == ir.Bool {
		return nil
	}
	product := func(a ir.Expr) bool { return a.Op() == ir.Mul && c.varies(a) && c.regs[a] == nil }
	x, y := e.Arg(0), e.Arg(1)
	if e.Op() == ir.Add && !product(x) {
		x, y = y, x
	}
	switch {
	case !product(x), e.Op() == ir.Sub && !product(y):
		return nil
	case product(y):
		return kernel.Of(e.Type()).Fused(e.Op(), reg, c.value(x.Arg(0)), c.value(x.Arg(1)), c.value(y.Arg(0)), c.value(y.Arg(1)))
	}
	return kernel.Of(e.Type()).Fused(e.Op(), reg, c.value(x.Arg(0)), c.value(x.Arg(1)), c.value(y))
}

// compute does the steps for [k, k+n) of a row that ends at hi, after which more passes over
// the block are to come.
func (c *code) compute(k, n, hi, more int) {
	for _, s := range c.loads {
		s(k, n)
	}
	for i, s := range c.steps {
		s(k, n)
		c.fetch(k+n, n, hi, i, len(c.steps)+more)
	}
}

// fewPasses is how many passes are so quick that the processor prefetches for them itself.
const fewPasses = 2

// fetch asks for a part of the block [k, k+n) behind each of many passes over the block
// before it: memory would be idle meanwhile.
func (c *code) fetch(k, n, hi, pass, passes int) {
	if passes <= fewPasses || k >= hi {
		return
	}
	n = min(n, hi-k)
	lo, end := n*pass/passes, n*(pass+1)/passes
	for _, f := range c.ahead {
		f(k+lo, end-lo)
	}
}

// uniform is filled once for each row.
func (c *code) uniform(e ir.Expr) any {
	c.bare = false
	z, f := kernel.Of(e.Type()), c.w.Compile(e)
	reg := z.Register(c.block)
	filled, is := 0, uint64(0)
	c.begin = append(c.begin, func() {
		v, n := f(), min(c.block, c.extent)
		if v != is || n > filled {
			z.Fill(reg, v, n)
			filled, is = n, v
		}
	})
	return reg
}

// read is a load where the index is affine in the innermost variable.
func (c *code) read(e ir.Expr) any {
	z := kernel.Of(e.Type())
	a := c.source(e)
	data := a.Columns[e.Index()]
	dims := c.w.nest.Forms[c.w.inner][e]
	if cur := c.cursor(dims, a); cur != nil {
		reg := z.Register(0)
		if c.tiled {
			c.tiles, c.ahead = append(c.tiles, z.Tile(reg, data, &cur.Strided, tileRows*c.block)), append(c.ahead, z.Ahead(data, &cur.Strided))
			return reg
		}
		c.loads, c.ahead = append(c.loads, z.Load(reg, data, &cur.Strided)), append(c.ahead, z.Ahead(data, &cur.Strided))
		return reg
	}
	c.bare = false
	reg := z.Register(c.block)
	c.steps = append(c.steps, z.Pick(reg, data, c.offsets(dims, a, nil)))
	return reg
}

// tileRows is how many elements of a segment are gathered at once: those of 4 bytes fill a line of the cache.
const tileRows = 16

// source is the array of a read, with the dimensions joined that the loop was joined of.
func (c *code) source(e ir.Expr) *scalar.Memory {
	a := c.w.run.Arrays[e.Name()]
	if m := c.w.nest.Collapsed; m > 0 && c.w.inner == len(c.w.nest.Vars)-1 {
		return c.w.run.collapsed(a, m)
	}
	return a
}

// cursor is nil where the access is not affine in the innermost variable.
func (c *code) cursor(dims []access.Coordinate, a *scalar.Memory) *scalar.Cursor {
	cur := scalar.NewCursor(c.w.Scalars, dims, a)
	if cur != nil {
		c.cursors = append(c.cursors, cur)
	}
	return cur
}

// offsets computes where an access with computed coordinates lies. Where mask does not hold
// nothing is accessed.
func (c *code) offsets(dims []access.Coordinate, a *scalar.Memory, mask *kernel.Vector[bool]) *kernel.Vector[int] {
	c.bare, c.indexed = false, true
	out := &kernel.Vector[int]{V: make([]int, c.block)}
	var index []*kernel.Vector[int32]
	for _, d := range dims {
		index = append(index, c.value(d.Index).(*kernel.Vector[int32]))
	}
	c.steps = append(c.steps, func(k, n int) {
		to := out.V[:n]
		clear(to)
		width := 1
		for i, d := range a.Dims {
			if !kernel.AddPlaces(to, index[i].V[:n], d, width, mask) {
				c.bad = true
				clear(to)
				return
			}
			width *= d.Extent
		}
	})
	return out
}
