package prepare

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// stepTable is the steps of a lift with one parameter of few values, each of which a byte decides.
type stepTable struct {
	Next []uint8 // see folds.StepTable
	Read ir.Expr // of the byte
}

// tabulate finds the table of a stage's steps, once for all runs.
func (n *Stage) tabulate() {
	s := n.Stage
	if !n.Composes() || n.Seen() || len(s.Where) > 0 || len(s.Values) != 1 || s.Values[0].Type() != ir.U8 {
		return
	}
	reads := access.Reads(&plan.Stage{Buffer: s.Buffer, Values: s.Values})
	if len(reads) != 1 || reads[0].Call.Type() != ir.U8 {
		return
	}
	if next, ok := folds.StepTable(s.Values[0], n.X[0], reads[0].Call, n.Identity[0]); ok {
		n.Tabled = &stepTable{next, reads[0].Call}
	}
}
