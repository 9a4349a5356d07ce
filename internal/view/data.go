package view

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// Row is values that a reader may change: the state at the start, a constant, or an input at each step.
type Row struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Each   bool     `json:"each,omitempty"`  // one value for each step
	Fixed  bool     `json:"fixed,omitempty"` // an earlier stage computes it
}

// maxSteps bounds how many steps of a loop a page shows: more do not fit beside one another.
const maxSteps = 64

// data is a run of a loop: where it starts, and the leaves of each step.
type data struct {
	start []uint64
	steps []map[string]uint64 // by the names of leaves
	fixed map[string]bool     // the leaves that an earlier stage computes
}

// Drawn returns the answer of an update, and data that were drawn for it: where a loop starts, and what some steps read, by the names of leaves. The
// answer is nil of what is not answered in one pass.
func (v *Update) Drawn() (a *rfactor.Answer, start []uint64, steps []map[string]uint64) {
	if v.answer == nil || v.Status == rfactor.Refused || v.Status == rfactor.Staged {
		return nil, nil, nil
	}
	d := draw(v.answer, v.init)
	return v.answer, d.start, d.steps
}

// rows prints data, one row for the state, then one for each leaf.
func (d *data) rows(a *rfactor.Answer) []Row {
	out := []Row{{Name: "start", Values: texts(a.Types, d.start)}}
	for _, l := range a.Leaves {
		r := Row{Name: l.Spelling(), Each: l.Var.Kind() != ir.Param, Fixed: d.fixed[l.Var.Name()]}
		for i, step := range d.steps {
			if i == 0 || r.Each {
				r.Values = append(r.Values, valueText(l.Var.Type(), step[l.Var.Name()]))
			}
		}
		out = append(out, r)
	}
	return out
}

// readData reads what rows printed and a reader changed: a line for each row, with values between blanks or commas.
func readData(a *rfactor.Answer, lines []string) (*data, error) {
	if len(lines) != len(a.Leaves)+1 {
		return nil, fmt.Errorf("%d rows, where there are %d", len(lines), len(a.Leaves)+1)
	}
	d := &data{}
	start := fields(lines[0])
	if len(start) != len(a.Types) {
		return nil, fmt.Errorf("the start has %d values, and the state %d components", len(start), len(a.Types))
	}
	for i, t := range a.Types {
		v, err := program.ParseValue(t, start[i])
		if err != nil {
			return nil, err
		}
		d.start = append(d.start, v)
	}
	steps := -1
	for i, l := range a.Leaves {
		if l.Var.Kind() == ir.Param {
			continue
		}
		if n := len(fields(lines[i+1])); steps < 0 {
			steps = n
		} else if n != steps {
			return nil, fmt.Errorf("%s has %d values, and the rows above have %d", l.Spelling(), n, steps)
		}
	}
	if steps < 0 { // the loop reads nothing that changes
		steps = drawnSteps
	}
	if steps < 1 || steps > maxSteps {
		return nil, fmt.Errorf("%d steps: at least 1 and at most %d are shown", steps, maxSteps)
	}
	for range steps {
		d.steps = append(d.steps, map[string]uint64{})
	}
	for i, l := range a.Leaves {
		values := fields(lines[i+1])
		if l.Var.Kind() == ir.Param && len(values) != 1 {
			return nil, fmt.Errorf("%s has %d values: it is the same at each step", l.Spelling(), len(values))
		}
		for j, step := range d.steps {
			v, err := program.ParseValue(l.Var.Type(), values[min(j, len(values)-1)])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", l.Spelling(), err)
			}
			step[l.Var.Name()] = v
		}
	}
	return d, nil
}

// fields splits a line at blanks and commas.
func fields(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' })
}

// valueText writes a value so that program.ParseValue reads it, and no longer than that takes.
func valueText(t ir.Type, value uint64) string {
	if t.IsFloat() {
		return strconv.FormatFloat(ir.Float(t, value), 'g', -1, t.Bits())
	}
	return verify.ValueText(t, value)
}

// drawnSteps is how many steps are drawn where nobody gave data: three levels of a tree.
const drawnSteps = 8

// draw chooses data that have what the answer relies on. Where none of many drawn have it, what was drawn last is returned.
// The same answer gets the same data.
func draw(a *rfactor.Answer, init []ir.Expr) *data {
	rng := rand.New(rand.NewPCG(1, uint64(len(a.Leaves))))
	d := &data{start: startOf(a, init)}
	const tries = 500
	for try := range tries {
		d.steps = d.steps[:0]
		for i := range drawnSteps {
			step := map[string]uint64{}
			d.steps = append(d.steps, step)
			for again := range tries {
				for n, l := range a.Leaves {
					switch {
					case l.Var.Kind() == ir.Coord:
						step[l.Var.Name()] = l.Var.Type().Wrap(uint64(i))
					case l.Var.Kind() == ir.Param && i > 0:
						step[l.Var.Name()] = d.steps[0][l.Var.Name()]
					case try+again < 2:
						step[l.Var.Name()] = digit(l.Var.Type(), n*drawnSteps+i, try+again == 0 && !l.NonNeg)
					default:
						step[l.Var.Name()] = drawValue(rng, l.Var.Type(), l.NonNeg, try+again)
					}
				}
				if d.broken(a, i) == "" {
					break
				}
			}
		}
		if d.breach(a) == "" && (try > 2 || d.finite(a)) {
			break
		}
		if len(init) == 0 {
			for i, t := range a.Types {
				d.start[i] = drawValue(rng, t, false, try)
			}
		}
	}
	return d
}

// startOf is where a loop starts: at its initial value, at the identity, or at zeros.
func startOf(a *rfactor.Answer, init []ir.Expr) []uint64 {
	start := make([]uint64, len(a.Types))
	from := init
	if len(from) == 0 && a.Operator != nil && a.Lift == nil {
		from = a.Operator.Identity
	}
	for i := range start {
		if i < len(from) && from[i].IsValid() && from[i].Type() == a.Types[i] && len(ir.Vars(from[i])) == 0 && from[i].Op() != ir.Call {
			start[i] = ir.Eval(from[i], nil)
		}
	}
	return start
}

// finite reports whether no component ends as NaN or infinite, which shows little.
func (d *data) finite(a *rfactor.Answer) bool {
	states := serialStates(a, d)
	for i, v := range states[len(states)-1] {
		if f := ir.Float(a.Types[i], v); a.Types[i].IsFloat() && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return false
		}
	}
	return true
}

// digit is a digit of π, or its negative: numbers that a reader knows are followed more easily.
func digit(t ir.Type, at int, signed bool) uint64 {
	const digits = "31415926535897932384626433832795"
	n := int64(digits[at%len(digits)] - '0')
	switch {
	case t == ir.Bool:
		return uint64(n & 1)
	case signed && at%3 == 2 && !t.IsUnsigned():
		n = -n
	}
	if t.IsFloat() {
		return ir.FloatBits(t, float64(n))
	}
	return t.Wrap(uint64(n))
}

// drawValue draws a small value, that can be followed in one's head, and after many tries any.
func drawValue(rng *rand.Rand, t ir.Type, nonNeg bool, tries int) uint64 {
	n := int64(rng.IntN(10))
	if tries > 20 {
		n = int64(rng.IntN(512)) - 128
	}
	if tries > 200 {
		n = int64(rng.Uint64() >> rng.IntN(64))
	}
	switch {
	case t == ir.Bool:
		return rng.Uint64() & 1
	case t.IsFloat() && tries > 20: // a probability, perhaps
		return ir.FloatBits(t, float64(n)/512)
	case t.IsFloat():
		return ir.FloatBits(t, float64(n))
	case nonNeg || t.IsUnsigned():
		n = max(n, -n)
	}
	return t.Wrap(uint64(n))
}

// breach says which condition of the answer's Given the data do not have; "" where they have all.
func (d *data) breach(a *rfactor.Answer) string {
	for _, c := range a.Given {
		if c.States() != 0 && evaluate([]ir.Expr{c}, d.start, nil, d.steps[0])[0] == 0 {
			return "the start does not have what is given: " + Spelled(a, c)
		}
	}
	for i := range d.steps {
		if why := d.broken(a, i); why != "" {
			return why
		}
	}
	return ""
}

// broken says which condition on inputs a step does not have.
func (d *data) broken(a *rfactor.Answer, step int) string {
	for _, c := range a.Given {
		if c.States() == 0 && evaluate([]ir.Expr{c}, nil, nil, d.steps[step])[0] == 0 {
			return fmt.Sprintf("step %d does not have what is given: %s", step+1, Spelled(a, c))
		}
	}
	for _, l := range a.Leaves {
		if l.NonNeg && l.Var.Type().IsSigned() && int64(d.steps[step][l.Var.Name()]) < 0 {
			return fmt.Sprintf("step %d has a negative %s", step+1, l.Spelling())
		}
	}
	return ""
}

// evaluate evaluates expressions over x_i, the operands y_i if there are any, and leaves by their names.
func evaluate(es []ir.Expr, x, y []uint64, leaves map[string]uint64) []uint64 {
	return ir.EvalAll(es, &ir.Env{Var: func(v ir.Expr) uint64 {
		switch {
		case v.Kind() == ir.State:
			return x[v.Index()]
		case v.Kind() == ir.Leaf && y != nil && v.Index() < len(y):
			return y[v.Index()]
		}
		return leaves[v.Name()]
	}})
}

// texts prints values of types.
func texts(ts []ir.Type, values []uint64) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = valueText(ts[i], v)
	}
	return out
}

// tupleText prints a tuple of values, one alone without parentheses.
func tupleText(ts []ir.Type, values []uint64) string {
	if all := texts(ts, values); len(all) != 1 {
		return "(" + strings.Join(all, ", ") + ")"
	} else {
		return all[0]
	}
}

// equalValues reports whether values are equal bit for bit. All NaN are equal.
func equalValues(ts []ir.Type, a, b []uint64) bool {
	return slices.Equal(texts(ts, a), texts(ts, b))
}
