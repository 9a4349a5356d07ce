package combine

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/internal/construct"
	"github.com/rfactor-go/rfactor/rfactor/internal/fold"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift"
	"github.com/rfactor-go/rfactor/rfactor/internal/lift/family"
	"github.com/rfactor-go/rfactor/rfactor/internal/tuple"
)

// decayed is the name of lifts of sums of which each step keeps a share.
const decayed = "decayed"

// fitDecayed fits averages and moments of which old elements count for less. What a step adds is kept as a state, as means and variances are, since sums
// of squares would cancel.
//
//	x0*k0 + 1; (x0*k0*x1 + y0)/(x0*k0 + 1)   →   share k0, state (1, y0)
//	(k, s) ∘ (k', s') = (k*k', the state of k'·φ(s) + φ(s'))
func fitDecayed(cx *lift.Context, p *tuple.Part, memory family.Memory) *lift.Shape {
	if memory != family.None || !cx.Allowed.Has(ir.Reassoc) {
		return nil
	}
	for d := range construct.Decayed(cx.Pool, p, cx.Consider) {
		return &lift.Shape{Name: decayed, Inject: append([]ir.Expr{d.Share}, d.Inject...),
			Apply: func(x, cells []ir.Expr) []ir.Expr { return d.Joined(x, cells[1:], cells[0]) },
			Compose: func(a, b []ir.Expr) []ir.Expr {
				return slices.Insert(d.Joined(a[1:], b[1:], b[0]), 0, fold.Mul(a[0], b[0]))
			}}
	}
	return nil
}
