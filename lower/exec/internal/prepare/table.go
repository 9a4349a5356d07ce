package prepare

import (
	"math/bits"
	"slices"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// TableRow is how many elements of a row are looked up before the context is asked.
const TableRow = 1 << 16

// StepTable is the steps of a lift with one parameter of few values, each of which a byte decides. Its other parameters are steady.
//
//	a CRC of 8 bits   →   next[256*y + x], and powers of the matrix of a step
type StepTable struct {
	Next   *[256 * folds.ByteStates]uint8 // see folds.StepTable
	Shift  uint                           // of elements in its index
	Few    *[256][16]uint8                // the same of few states; nil for many
	Read   ir.Expr                        // of the byte
	Moving int                            // the parameter
	Steady []int
	Powers [][]uint64 // of steady parameters, behind 1, 2, 4, … steps
}

// tabledPasses of lanes take as long as it takes to look a step up among those of all bytes.
const tabledPasses = 16

// tabulate finds the table of a stage's steps, once for all runs. It is nil where steps are computed.
func (n *Stage) tabulate() *StepTable {
	s := n.Stage
	if !n.Composes() || n.Seen() || len(s.Where) > 0 || len(s.Operator) != len(s.Values) {
		return nil
	}
	reads := access.Reads(&plan.Stage{Buffer: s.Buffer, Values: s.Values})
	if len(reads) != 1 || reads[0].Call.Type() != ir.U8 {
		return nil
	}
	d := &StepTable{Read: reads[0].Call, Steady: n.steady()}
	for len(d.Steady) > d.Moving && d.Steady[d.Moving] == d.Moving {
		d.Moving++
	}
	if len(d.Steady) != len(s.Values)-1 || !d.tabulate(n) {
		return nil
	}
	d.raise(n)
	return d
}

// tabulate tries few states, and those of a byte where steps are of many operations.
func (d *StepTable) tabulate(n *Stage) bool {
	s, m := n.Stage, d.Moving
	if s.Values[m].Type() != ir.U8 || slices.ContainsFunc(d.Steady, func(c int) bool { return access.Mentions(s.Operator[m], n.X[c]) }) {
		return false
	}
	next, ok := folds.StepTable(s.Values[m], n.X[m], d.Read, n.Identity[m])
	d.Shift = uint(bits.Len(folds.TableStates - 1))
	if ok {
		d.Few = new([256][16]uint8)
		for y := range d.Few {
			copy(d.Few[y][:], next[folds.TableStates*y:])
		}
	}
	if !ok && n.Powers == nil && passes(s.Values) >= tabledPasses {
		next, ok = folds.ByteTable(s.Values[m], n.X[m], d.Read, n.Identity[m])
		d.Shift = uint(bits.Len(folds.ByteStates - 1))
	}
	if ok {
		d.Next = new([256 * folds.ByteStates]uint8)
		copy(d.Next[:], next)
	}
	return ok
}

// passes is how many operations lanes need for values.
func passes(values []ir.Expr) int {
	count := 0
	ir.Walk(values, func(e ir.Expr) {
		if e.NumArgs() > 0 && !access.IsRead(e) {
			count++
		}
	})
	return count
}

// raise computes the powers that rows need.
func (d *StepTable) raise(n *Stage) {
	power := n.steadyStep(d.Steady)
	for steps := 1; len(d.Steady) > 0 && steps <= TableRow; steps *= 2 {
		d.Powers = append(d.Powers, power)
		power = n.Join(d.Steady, power, power)
	}
}
