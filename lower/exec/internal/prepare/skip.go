package prepare

import (
	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// change is the condition under which a component of a stage changes, the zero Expr where it never does. It is not ok where there
// is no such condition. In a buffer whose last component tells whether any point has come, it holds behind the first point.
type change struct {
	Condition ir.Expr
	Ok        bool
}

// changeOf is the change of component c.
func changeOf(s *plan.Stage, c int) change {
	v, flag := s.Values[c], len(s.Values)-1
	if s.Buffer.Seen {
		switch {
		case c == flag:
			return change{Ok: v.IsConst(1)}
		case v.Op() != ir.Select || v.Arg(0) != v.Pool().X(flag, s.Values[flag].Type()):
			return change{}
		}
		v = v.Arg(1)
	}
	condition, ok := folds.Change(v, c)
	return change{condition, ok}
}
