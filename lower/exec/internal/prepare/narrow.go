package prepare

import (
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// narrowSteps is the steps of a lift whose parameters fit into fewer bits over a segment, though not over the whole loop: bounded numbers that are
// added up.
//
//	x0 + i64(in(r)) of bytes   →   lanes of i16, which are widened behind each segment
type narrowSteps struct {
	First, Next []ir.Expr // what the first element of a segment makes of the step that changes nothing, and the steps behind it
}

// MaxSegment is how many steps a segment has at most, which keeps it in a near cache.
const MaxSegment = 80

// narrowStepsOf is nil where some parameter may not fit.
func narrowStepsOf(n *Stage) *narrowSteps {
	s := n.Stage
	if !n.Composes() || n.Seen() || len(s.Where) > 0 {
		return nil
	}
	k := forms.Steps(s.Buffer.Types, n.Identity, s.Values)
	for _, as := range []ir.Type{ir.I16, ir.I32} {
		first, next, ok := forms.Narrowed(k, as, MaxSegment)
		if !ok {
			continue
		}
		for c, v := range first {
			if v.Type() != next[c].Type() {
				first[c] = ir.CastTo(as, v)
			}
		}
		return &narrowSteps{first, next}
	}
	return nil
}
