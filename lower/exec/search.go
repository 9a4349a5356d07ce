package exec

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/exec/internal/kernel"
	"github.com/rfactor-go/rfactor/lower/exec/internal/prepare"
	"github.com/rfactor-go/rfactor/lower/exec/internal/scalar"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/simd"
)

// search searches blocks, and evaluates the payload at the point of the found element alone.
//
//	{min(x0, in(r)), select(x0 < in(r), x1, r)}   →   min of each block of in; in the last block
//	that lowered x0, the place of x0
func (r *rowCode) search(s folds.Search) kernel.Pass {
	w := r.w
	taken := w.CompileAll(s.Taken)
	ir.Walk(s.Taken, func(e ir.Expr) {
		if access.IsRead(e) && r.varies(e) {
			r.value(e) // all reads must be in range, whether taken or not
		}
	})
	found := func(k int, v uint64) {
		w.set[s.Key](r.target.Offset, v)
		*r.inner = uint64(int64(r.start + k))
		w.Point++
		for i, c := range s.Payload {
			w.set[c](r.target.Offset, taken[i]())
		}
	}
	leaf := prepare.Unextended(s.Leaf)
	x, z := r.value(leaf), kernel.Of(leaf.Type())
	key := func() uint64 { return w.old[s.Key](r.target.Offset) }
	now := z.Find(&kernel.Finding{Max: s.Max, Last: s.Last, Leaf: x, Signed: s.Leaf.Type().IsSigned(), Key: key, Found: found})
	told, best := r.later(s, z.Place(s.Last, x, found)), z.Least(s.Max, x)
	alone := func(k, n int) {
		if r.several || leaf.Type().IsFloat() {
			told(k, n, best(n))
			return
		}
		now(k, n)
	}
	p := kernel.Pass{Alone: alone, Kind: z, Over: x, Fold: simd.FoldMin, Took: told}
	if s.Max {
		p.Fold = simd.FoldMax
	}
	none := folds.NeutralValue(s.Op(), leaf.Type())
	p.From = func() uint64 { return none }
	return p
}

// later takes the best values of blocks. It finds the element when the row has ended, in the last
// block whose best was better than all before: until then the value is enough.
func (r *rowCode) later(s folds.Search, place func(k, n int, v uint64)) func(k, n int, best uint64) {
	w := r.w
	t := s.Leaf.Type()
	start, length := 0, 0
	settle := func() {
		if length == 0 {
			return
		}
		n, best := length, w.old[s.Key](r.target.Offset)
		length = 0
		r.compute(start, n, start+n, 0)
		place(start, n, best)
		if s.Folded {
			w.set[s.Key](r.target.Offset, best)
		}
	}
	r.end = append(r.end, settle)
	var inOrder kernel.Step
	if t.IsFloat() {
		inOrder = r.inOrder(append([]int{s.Key}, s.Payload...))
	}
	return func(k, n int, v uint64) {
		key := w.old[s.Key](r.target.Offset)
		if t.IsFloat() && (isNaN(t, key) || isNaN(t, v)) {
			settle()
			inOrder(k, n)
			r.compute(k, n, k+n, 0) // for other components
			return
		}
		better := s.Better(v, key)
		if better {
			start, length = k, n
		}
		if s.Folded {
			v = ir.Apply2(s.Op(), t, key, v)
		} else if !better {
			return
		}
		w.set[s.Key](r.target.Offset, v)
	}
}

func isNaN(t ir.Type, v uint64) bool { return ir.Float(t, v) != ir.Float(t, v) }

// inOrder updates components point by point.
func (r *rowCode) inOrder(components []int) kernel.Step {
	w := r.w
	s := scalar.NewScalars(&w.run.Names)
	s.Slots = w.Slots
	var values []ir.Expr
	for _, c := range components {
		values = append(values, w.nest.Stage.Values[c])
	}
	next := s.CompileAll(values)
	fresh := make([]uint64, len(next))
	return func(k, n int) {
		for i := range n {
			*r.inner = uint64(int64(r.start + k + i))
			for _, c := range components {
				*w.states[c] = w.old[c](r.target.Offset)
			}
			s.Point++
			for j, f := range next {
				fresh[j] = f()
			}
			for j, c := range components {
				w.set[c](r.target.Offset, fresh[j])
			}
		}
		w.Fail(s.TakeError())
	}
}
