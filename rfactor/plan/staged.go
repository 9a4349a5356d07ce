package plan

import (
	"context"
	"errors"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// stageOperation returns what an answer combines partial results by, in types that are wide enough.
func stageOperation(ctx context.Context, a *rfactor.Answer) (*widened, error) {
	if a.Assumes&(ir.NSW|ir.NUW) != 0 {
		s := &scheduler{ctx: ctx, opts: Options{Match: rfactor.Options{Allowed: a.Assumes}}}
		widen := s.widen
		if a.Status == rfactor.Lifted {
			widen = s.widenLift
		}
		w, reason := widen(a)
		if w == nil {
			return nil, errors.New("partial results may overflow, and they cannot be widened: " + reason)
		}
		return w, nil
	}
	if a.Status == rfactor.Lifted {
		return liftOf(a), nil
	}
	w := &widened{types: a.Types, exprs: a.Operator.Exprs, inject: a.Inject}
	if written, ok := a.AsWritten(); ok {
		w.exprs = written
	}
	return w, nil
}
