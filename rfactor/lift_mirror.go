package rfactor

import "github.com/rfactor-go/rfactor/ir"

// maxMirrored bounds the components of which each may be mirrored.
const maxMirrored = 3

// mirrored is the family max-plus of steps some of whose numbers are taken with the opposite
// sign: the least so far is the greatest of −x, and y − x is a sum with it. So the greatest
// difference of a later element and an earlier one is found.
func (m *matcher) mirrored(p *part) *shape {
	n := len(p.types)
	if n < 2 || n > maxMirrored || !subtractsState(p.values) {
		return nil
	}
	for mask := uint64(1); mask < 1<<n-1; mask++ {
		w := mirror{m, mask}
		q := *p
		q.values = make([]ir.Expr, n)
		ok := true
		for i, v := range p.values {
			q.values[i] = w.of(v, mask>>i&1 != 0)
			ok = ok && q.values[i].IsValid()
		}
		if !ok {
			continue
		}
		s := m.fit(&q, "max-plus", newMaxPlus, 0)
		if s == nil {
			continue
		}
		s.name = "mirrored max-plus"
		apply := s.apply
		s.apply = func(x, cells []ir.Expr) []ir.Expr { return w.all(apply(w.all(x), cells)) }
		return s
	}
	return nil
}

// subtractsState reports whether something is subtracted in which the state occurs.
func subtractsState(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		n := e.NumArgs()
		found = found || (e.Op() == ir.Sub || e.Op() == ir.Neg) && e.Arg(n-1).States() != 0
	})
	return found
}

// mirror takes the components of a mask with the opposite sign.
type mirror struct {
	m    *matcher
	mask uint64
}

func (w mirror) all(x []ir.Expr) []ir.Expr {
	out := make([]ir.Expr, len(x))
	for i := range x {
		if out[i] = x[i]; w.mask>>i&1 != 0 {
			out[i] = negative(x[i])
		}
	}
	return out
}

// of is e, or −e, over the mirrored state; the zero Expr where it is no sum or extremum.
func (w mirror) of(e ir.Expr, minus bool) ir.Expr {
	switch op := e.Op(); {
	case e.States() == 0 && e.Type() == ir.Bool:
		return ir.Expr{}
	case e.States() == 0 && minus:
		return negative(e)
	case e.States() == 0:
		return e
	case op == ir.Var && minus != (w.mask>>e.Index()&1 != 0):
		return ir.Expr{} // −x is of another mask
	case op == ir.Var:
		return e
	case op == ir.Neg:
		return w.of(e.Arg(0), !minus)
	case op == ir.Select && e.Arg(0).States() != 0:
		if g := w.m.unfold(e, e.States()); g.IsValid() {
			return w.of(g, minus)
		}
	case op == ir.Select:
		return w.pair(e.Arg(1), e.Arg(2), minus, minus, func(a, b ir.Expr) ir.Expr { return ir.SelectOf(e.Arg(0), a, b) })
	case op == ir.Add:
		return w.pair(e.Arg(0), e.Arg(1), minus, minus, ir.AddOf)
	case op == ir.Sub:
		return w.pair(e.Arg(0), e.Arg(1), minus, !minus, ir.AddOf)
	case op == ir.Min || op == ir.Max:
		if minus {
			op = ir.Min + ir.Max - op
		}
		return w.pair(e.Arg(0), e.Arg(1), minus, minus, func(a, b ir.Expr) ir.Expr { return ir.Make(op, a, b) })
	}
	return ir.Expr{}
}

func (w mirror) pair(a, b ir.Expr, minusA, minusB bool, join func(a, b ir.Expr) ir.Expr) ir.Expr {
	a, b = w.of(a, minusA), w.of(b, minusB)
	if !a.IsValid() || !b.IsValid() {
		return ir.Expr{}
	}
	return join(a, b)
}
