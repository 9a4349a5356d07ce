package lower

import (
	"context"

	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Estimate is what the innermost loops of an update are estimated to take that a schedule factors.
type Estimate = emit.Estimate

// Estimates estimates the updates of a plan that Source runs whole where elements are few, in the order of the plan. There are none where Source gives an
// error.
func Estimates(p *plan.Plan) []Estimate { return emit.Estimates(p) }

// Factor does what plan.Factor does. With Options.Auto it then estimates each parallel update, and plans once more without those that
// would be slower than their serial loops; Plan.Serial says why they stay serial. Where fewer stay so without what is given, that is not used: it may
// bring an answer that costs more.
func Factor(ctx context.Context, prog *program.Program, opts plan.Options) (*plan.Plan, error) {
	p, err := faster(ctx, prog, opts)
	if err != nil || len(p.Serial) == 0 || len(opts.Given) == 0 {
		return p, err
	}
	opts.Given = nil
	if other, err := faster(ctx, prog, opts); err == nil && len(other.Serial) < len(p.Serial) {
		return other, nil
	}
	return p, nil
}

// faster plans a program without the slices that are estimated to be slower than the serial loops.
func faster(ctx context.Context, prog *program.Program, opts plan.Options) (*plan.Plan, error) {
	p, err := plan.Factor(ctx, prog, opts)
	if err != nil || !opts.Auto || len(prog.Schedule) > 0 {
		return p, err
	}
	leave := map[*program.Definition]string{}
	for _, e := range emit.Estimates(p) {
		if why := e.Slower(); why != "" {
			leave[e.Update] = why
		}
	}
	if len(leave) == 0 {
		return p, nil
	}
	opts.Leave = leave
	return plan.Factor(ctx, prog, opts)
}
