package rfactor

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/rfactor-go/rfactor/canon/poly"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
)

// A compensated sum keeps what rounding lost in a component of its own:
//
//	x0 + (y0 - x1); ((x0 + (y0 - x1)) - x0) - (y0 - x1)   (Kahan)
//
// Of real numbers the second component is 0, so that under reassoc the update equals a plain sum:
// the operator is proven, and loses what the loop was written for.

// refuseUncompensated refuses an answer by which the update loses its compensation for rounding,
// unless that is asked for; then it is remarked.
func (m *matcher) refuseUncompensated() {
	a := m.answer
	if a.Operator == nil || !a.Assumes.Has(ir.Reassoc) {
		return
	}
	lost := compensation(a.Update, &m.meter)
	if !lost.IsValid() {
		return
	}
	if m.opts.Named.Has(ir.Reassoc) {
		a.Remarks = append(a.Remarks, fmt.Sprintf("under reassoc %s is 0: its compensation for rounding is lost", m.inSource(lost)))
		return
	}
	pass := toPass(a.Assumes|m.asked, m.opts.Named&^ir.Contract|ir.Reassoc)
	m.answer = &Answer{Name: a.Name, Status: Refused, Types: a.Types, Update: a.Update, Leaves: a.Leaves, Hint: Hint{Assume: m.asked, Named: m.opts.Named | ir.Reassoc},
		Refusal: Refusal{Code: LosesCompensation, Reason: fmt.Sprintf("matches only without its compensation for rounding, %s, which is 0 under reassoc (-assume %s): %s", m.inSource(lost), pass, a.inShort())}}
}

// inSource writes an expression with the names that the source has for states and inputs.
func (m *matcher) inSource(e ir.Expr) string { return m.answer.Spelled(e)[0] }

// compensation returns the largest sum of the state that is 0 of real numbers and is not where every
// operation rounds; the zero Expr where there is none.
func compensation(values []ir.Expr, m *effort.Meter) (found ir.Expr) {
	const real = ir.Reassoc | ir.NNaN | ir.NInf | ir.NSZ
	ir.Walk(values, func(e ir.Expr) {
		t := e.Type()
		if e.Op() != ir.Add && e.Op() != ir.Sub || !t.IsFloat() || e.States() == 0 || found.IsValid() && e.Size() <= found.Size() {
			return
		}
		if occurrences(e, bits.TrailingZeros64(e.States()), 0) < 2 { // nothing cancels it
			return
		}
		if isZero(poly.Normal(e, real)) && rounds0(e, m) {
			found = e
		}
	})
	return found
}

// occurrences adds to n how often a component of the state is read, up to 2 in all.
func occurrences(e ir.Expr, state, n int) int {
	switch {
	case n >= 2 || e.States()&(1<<state) == 0:
		return n
	case e.NumArgs() == 0:
		return n + 1
	}
	for i := range e.NumArgs() {
		n = occurrences(e.Arg(i), state, n)
	}
	return n
}

func isZero(e ir.Expr) bool {
	return e.Op() == ir.Const && ir.Float(e.Type(), e.Value()) == 0
}

// rounds0 reports whether a sum that is 0 of real numbers is another finite number at some points of
// moderate size.
func rounds0(e ir.Expr, m *effort.Meter) bool {
	code := tape.Paid(m, e)
	rows := make([]*[tape.Lanes]uint64, len(code.Inputs))
	for i, v := range code.Inputs {
		rows[i] = new([tape.Lanes]uint64)
		for lane := range rows[i] {
			n := (37*lane+101*i+11)%97 - 48
			if t := v.Type(); t.IsFloat() {
				rows[i][lane] = ir.FloatBits(t, float64(n)*0.1*math.Pow10((lane+2*i)%5-2))
			} else {
				rows[i][lane] = t.Wrap(uint64(n))
			}
		}
	}
	for _, bits := range code.Run(rows)[0] {
		if f := ir.Float(e.Type(), bits); f != 0 && f-f == 0 {
			return true
		}
	}
	return false
}

// remark notes what is true of an answer and may not be what was meant.
func (m *matcher) remark() {
	a := m.answer
	a.Remarks = append(a.Remarks, m.opaque()...)
	if a.Status != Associative {
		return
	}
	var kept []string
	for i, e := range a.Operator.Exprs {
		x := m.pool.X(i, a.Types[i])
		if e == x && a.Update[i] != x {
			kept = append(kept, fmt.Sprint(i))
		}
	}
	switch {
	case len(kept) == 0:
	case len(a.Types) == 1:
		a.Remarks = append(a.Remarks, "no step changes the state: the update is read as "+m.inSource(a.Update[0]))
	default:
		a.Remarks = append(a.Remarks, "no step changes component "+strings.Join(kept, ", "))
	}
}
