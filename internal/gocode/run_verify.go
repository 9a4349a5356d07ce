package gocode

import (
	"fmt"
	"math"

	"github.com/rfactor-go/rfactor/internal/verbs"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// compare runs the serial program, and says how far the results are from its. Bits are compared, but for floats that the plan regroups: these are
// compared with what they were without rounding, as are those of the serial program, each within the bound of its own roundings. The exit code is 0
// where that shows that all results are right.
func (c *command) compare(planned *plan.Plan, in *plan.Inputs, out map[string]*ndarray.Array, opts plan.Options) int {
	serial, err := plan.RunSerial(planned.Program, opts, in)
	if err != nil {
		return c.Errorf("the serial program: %v", err)
	}
	signed := true // zeros have signs
	for _, a := range planned.Answers {
		signed = signed && a.Assumes&(ir.NSZ|ir.Reassoc) == 0
	}
	var exact map[string][][]plan.Exact
	code := 0
	for _, fn := range planned.Program.Funcs {
		for i, t := range fn.Types {
			d := difference{typ: t, signed: signed}
			d.count(out[fn.Name].Elements(i), serial[fn.Name].Elements(i))
			if len(d.at) > 0 && exact == nil {
				if exact, err = planned.Bounds(opts, in); err != nil {
					return c.Errorf("the program in higher precision: %v", err)
				}
			}
			if len(d.at) > 0 {
				d.judge(exact[fn.Name][i])
			}
			if d.wrong || d.unsure != "" {
				code = verbs.Refused
			}
			fmt.Fprintf(c.Stderr, "verify: %s[%d]: %s\n", fn.Name, i, &d)
		}
	}
	return code
}

// difference is between two components of a type.
type difference struct {
	typ      ir.Type
	signed   bool
	size     int
	at       []int // the elements that differ
	got      []float64
	want     []float64
	most     float64 // NaN where just one of two is
	of       float64 // the greatest magnitude of those that should be
	wrong    bool    // some element is not what it has to be
	unsure   string  // why it is not known of some whether they are right
	rounding float64 // the greatest bound
}

// count finds the elements whose bits differ. One NaN is as good as another.
func (d *difference) count(got, want ndarray.Elements) {
	d.size = want.Len()
	for i := range d.size {
		v, w := got.At(i), want.At(i)
		x, y := number(d.typ, v), number(d.typ, w)
		if v == w || x != x && y != y || d.typ.IsFloat() && !d.signed && x == y {
			continue
		}
		d.at, d.got, d.want = append(d.at, i), append(d.got, x), append(d.want, y)
		d.most, d.of = max(d.most, math.Abs(x-y)), max(d.of, math.Abs(y))
	}
}

// judge compares elements that differ with what they were without rounding, where that is why they may.
func (d *difference) judge(exact []plan.Exact) {
	for k, i := range d.at {
		if exact == nil || !d.typ.IsFloat() && exact[i].Plan == 0 {
			d.wrong = true
			return
		}
		e := exact[i]
		d.rounding = max(d.rounding, e.Plan)
		switch {
		case math.IsNaN(e.Plan):
			d.unsure = "no bound of their roundings is known"
		case math.Abs(d.want[k]-e.Value) > e.Serial:
			d.unsure = "the serial program rounds more than its bound says"
		case !(math.Abs(d.got[k]-e.Value) <= e.Plan):
			d.wrong = true
		case e.Plan >= math.Abs(e.Value) && d.unsure == "":
			d.unsure = fmt.Sprintf("roundings may be as great as a result: %.3g of %.3g", e.Plan, math.Abs(e.Value))
		}
	}
}

// String is the verdict.
func (d *difference) String() string {
	differ := fmt.Sprintf("%d of %d", len(d.at), d.size)
	switch {
	case len(d.at) == 0:
		return "equal"
	case d.wrong:
		return fmt.Sprintf("%s DIFFER, at most by %.3g", differ, d.most)
	case d.unsure != "":
		return fmt.Sprintf("not verified: %s differ, at most by %.3g of %.3g, and %s", differ, d.most, d.of, d.unsure)
	}
	return fmt.Sprintf("%s differ by rounding, at most by %.3g; roundings stay within %.3g", differ, d.most, d.rounding)
}

func number(t ir.Type, v uint64) float64 {
	switch {
	case t.IsFloat():
		return ir.Float(t, v)
	case t.IsSigned():
		return float64(int64(v))
	}
	return float64(v)
}
