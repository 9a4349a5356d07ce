package construct

import (
	"math/bits"

	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
)

// A component of an operator is often a choice among a few terms by conditions on both operands. Each
// term is right at some points; conditions have to cover all points by right terms.

// decisions finds choices among terms.
type decisions struct {
	*bank
	at         mask
	conditions []condition
	terms      []right
}

// right is a term with the points at which it is right.
type right struct {
	ir.Expr
	at mask
}

// condition is a flag over the operands with the points at which it holds.
type condition = right

// maxConditions bounds the conditions that are tried, and maxRight the terms.
const (
	maxConditions = 120
	maxRight      = 60
)

// conditions lists flags that tell points apart, the smallest first, and of a flag and its complement
// one.
func (b *bank) conditions(at mask) (out []condition) {
	known := map[mask]bool{{}: true, at: true}
	for _, e := range b.of[ir.Bool] {
		var holds mask
		for n := range points {
			if e.at[n] != 0 {
				holds.add(n)
			}
		}
		holds = holds.and(at)
		if known[holds] || known[at.minus(holds)] || len(out) == maxConditions {
			continue
		}
		known[holds] = true
		out = append(out, condition{e.Expr, holds})
	}
	return out
}

// fits returns the points at which op(by, e) is the value that is wanted.
func (b *bank) fits(t ir.Type, s shift, e term, want *values, at mask) (ok mask) {
	approximate := t.IsFloat()
	if approximate || s.by.IsValid() {
		b.Meter.Spend(effort.Points, points/8)
	} else {
		b.Meter.Spend(effort.Points, points/32) // nothing is computed
	}
	var merged values
	got := e.at
	if s.by.IsValid() {
		got = &merged
		tape.Apply2(s.op, t, got[:b.used], s.by.at[:], e.at[:])
	}
	for k := range ok {
		for here := at[k]; here != 0; here &= here - 1 {
			i := k*64 + bits.TrailingZeros64(here)
			if got[i] == want[i] || approximate && testpoint.Close(t, b.Allowed, got[i], want[i]) {
				ok[k] |= here & -here
			}
		}
	}
	return ok
}

// undo returns what a term has to be with a shift, where one value at each point is known to serve; such a
// term has no shift any more. It is not possible that a semilattice gives values that are not above the shift's.
func (b *bank) undo(t ir.Type, s shift, want *values, at mask) (_ *values, rest shift, possible bool) {
	if !s.by.IsValid() || t.IsFloat() || s.op == ir.Mul {
		return want, s, true
	}
	if s.op != ir.Add && s.op != ir.BitXor {
		return want, s, b.fits(t, s, term{at: want}, want, at) == at
	}
	b.Meter.Spend(effort.Points, points/8)
	op := ir.BitXor
	if s.op == ir.Add {
		op = ir.Sub
	}
	out := b.Buffers.get()
	tape.Apply2(op, t, out[:b.used], want[:], s.by.at[:])
	return out, shift{}, true
}

// add notes a term and the points at which it is right, unless a term before it, which is no larger, is right at all of them.
func (d *decisions) add(e term, ok mask) {
	if ok == (mask{}) || len(d.terms) == maxRight {
		return
	}
	for _, r := range d.terms {
		if ok.within(r.at) {
			return
		}
	}
	d.terms = append(d.terms, right{e.Expr, ok})
}

// cover returns the smallest term that is right at all of some points; the zero Expr where none is.
func (d *decisions) cover(at mask) ir.Expr {
	for _, r := range d.terms {
		if at.within(r.at) {
			return r.Expr
		}
	}
	return ir.Expr{}
}

// find lists choices that are right at all points, by as few conditions as suffice.
func (d *decisions) find() (out []ir.Expr) {
	if e := d.cover(d.at); e.IsValid() {
		return []ir.Expr{e}
	}
	if out = d.choices(d.at); out != nil {
		return out[:min(len(out), maxEach)]
	}
	for _, c := range d.conditions {
		for _, holds := range []bool{true, false} {
			at, rest := c.at, d.at.minus(c.at)
			if !holds {
				at, rest = rest, at
			}
			first := d.cover(at)
			if !first.IsValid() || count(rest) < minPoints/4 {
				continue
			}
			if d.Meter.Done() {
				return out
			}
			for _, e := range d.choices(rest) {
				if holds {
					out = append(out, fold.Select(c.Expr, first, e))
				} else {
					out = append(out, fold.Select(c.Expr, e, first))
				}
			}
			if len(out) > 2*maxEach {
				return out
			}
		}
	}
	return out
}

// choices lists the terms select(c, a, b) that are right at some points.
func (d *decisions) choices(at mask) (out []ir.Expr) {
	d.Meter.Spend(effort.Points, len(d.conditions)*(1+len(d.terms)/4)) // a term is looked at in a tenth of the time of eight points
	for _, c := range d.conditions {
		then := c.at.and(at)
		if then == (mask{}) || then == at {
			continue
		}
		a := d.cover(then)
		if !a.IsValid() {
			continue
		}
		if b := d.cover(at.minus(then)); b.IsValid() {
			out = append(out, fold.Select(c.Expr, a, b))
		}
	}
	return out
}

func count(m mask) (n int) {
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}
