package exec

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/ndarray"
)

// steps runs a few iterations of the loop around a row at once, where each adds to the row another
// one, as it is or times a factor. The row is then loaded and stored once for all of them. Each element
// gets its values in the order of the loop.
//
//	for k: for x: c(x, y) = x0 + a(k, y)*b(x, k)
type steps struct {
	w       *walker
	factor  func() uint64 // nil for none
	from    *scalar.Cursor
	add     func(at, n int, from []int, factors []uint64)
	offsets []int
	factors []uint64
}

// stepsAtOnce is how many iterations are gathered.
const stepsAtOnce = 16

// newSteps is nil where the two innermost loops do something else.
func newSteps(w *walker) *steps {
	s, last := w.nest.Stage, len(w.loops)-1
	if w.row == nil || last < 1 || len(s.Values) != 1 || len(s.Where) > 0 || w.row.target == nil || prepare.IsStill(w.nest.Targets[w.inner]) {
		return nil
	}
	outer, v := w.loops[last-1], s.Values[0]
	if v.Op() != ir.Add || v.Type() == ir.Bool || slices.Contains(ir.Vars(s.Index...), outer.Var) || prepare.SpanMentions(w.loops[last].Span, []ir.Expr{outer.Var}) {
		return nil
	}
	x, rest := v.Arg(0), v.Arg(1)
	if x != w.nest.X[0] {
		x, rest = rest, x
	}
	if x != w.nest.X[0] || rest.States() != 0 {
		return nil
	}
	t := &steps{w: w, offsets: make([]int, 0, stepsAtOnce), factors: make([]uint64, 0, stepsAtOnce)}
	if rest.Op() == ir.Mul {
		a, b := rest.Arg(0), rest.Arg(1)
		if w.row.varies(a) {
			a, b = b, a
		}
		if w.row.varies(a) {
			return nil
		}
		t.factor, rest = w.Compile(a), b
	}
	if !access.IsRead(rest) || rest.Name() == s.Buffer.Name || !w.row.varies(rest) {
		return nil
	}
	c := newCode(w)
	a := c.source(rest)
	if t.from = c.cursor(w.nest.Forms[w.inner][rest], a); t.from == nil {
		return nil
	}
	t.add = kernel.Of(v.Type()).AddRows(w.buffer.Columns[0], a.Columns[rest.Index()])
	return t
}

// run runs iterations of the i-th loop, which is the one around the innermost.
func (t *steps) run(i int, span ndarray.Range) error {
	w := t.w
	if span.Extent <= 0 {
		return nil
	}
	row, err := w.span(i + 1)
	if err != nil || row.Extent <= 0 {
		return err
	}
	for k := 0; k < span.Extent; {
		if err := w.run.ctx.Err(); err != nil {
			return err
		}
		if i == 0 && !w.quiet {
			w.run.tell(float64(k) / float64(span.Extent))
		}
		if n := t.gather(i, span.Min+k, min(stepsAtOnce, span.Extent-k), row); n > 0 {
			t.add(w.row.target.Offset, row.Extent, t.offsets, t.factors)
			k += n
			continue
		}
		*w.vars[i] = uint64(int64(span.Min + k))
		w.Point++
		if err := w.loop(i + 1); err != nil {
			return err
		}
		k++
	}
	return nil
}

// gather finds the rows of the next iterations, as many as lie wholly within their arrays.
func (t *steps) gather(i, k, count int, row ndarray.Range) int {
	w := t.w
	t.offsets, t.factors = t.offsets[:0], t.factors[:0]
	*w.vars[i+1] = uint64(int64(row.Min))
	whole := func(c *scalar.Cursor) bool {
		lo, hi := c.Place(row.Min, row.Extent)
		return lo <= 0 && hi >= row.Extent && c.Stride == 1
	}
	for n := range count {
		*w.vars[i] = uint64(int64(k + n))
		w.Point++
		ok := (n > 0 || whole(w.row.target)) && whole(t.from)
		f := uint64(0)
		if ok && t.factor != nil {
			f = t.factor()
		}
		if !ok || w.Err != nil {
			w.TakeError() // the run of the single iteration finds it again
			break
		}
		t.offsets = append(t.offsets, t.from.Offset)
		if t.factor != nil {
			t.factors = append(t.factors, f)
		}
	}
	return len(t.offsets)
}
