package prepare

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// narrowSteps is the steps of a lift whose parameters of 64 bits fit into 32 over a segment, though not over the whole loop: bounded numbers that are
// added up.
//
//	x0 + i64(in(r)) of bytes   →   lanes of i32, which are widened behind each segment
type narrowSteps struct {
	First, Next []ir.Expr // what the first element of a segment makes of the step that changes nothing, and the steps behind it
}

// narrowStepsOf is nil where some parameter may not fit.
func narrowStepsOf(n *Stage) *narrowSteps {
	s := n.Stage
	if !n.Composes() || n.Seen() || len(s.Where) > 0 || !slices.Contains(s.Buffer.Types, ir.I64) {
		return nil
	}
	k := forms.Steps(s.Buffer.Types, n.Identity, s.Values)
	first, next, ok := forms.Narrowed(k)
	if !ok {
		return nil
	}
	for c, v := range first {
		if v.Type() == ir.I64 {
			first[c] = ir.CastTo(ir.I32, v)
		}
	}
	return &narrowSteps{first, next}
}
