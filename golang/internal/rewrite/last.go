package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/rfactor"
)

// A loop that assigns its state and never looks at it leaves the last value that a step assigned. Each block says of every variable whether
// it was assigned.
//
//	if v.from <= x { width = v.width }   →   if v.from <= x { width, widthSet = v.width, true }   and   if y.widthSet { x.width, x.widthSet = y.width, true }

// isLast reports whether the answer has no operator on the state, and steps assign the state alone.
func (l *Loop) isLast() bool {
	if l.Search || l.Histogram != nil || l.Answer.Status != rfactor.Lifted {
		return false
	}
	for _, phi := range l.States {
		if !l.isCarried(phi) {
			return false
		}
	}
	return true
}

// isCarried reports whether a component of the state goes through a step as it is, or is lost there.
func (l *Loop) isCarried(state *ssa.Phi) bool {
	seen := []*ssa.Phi{state}
	for at := 0; at < len(seen); at++ {
		for _, user := range *seen[at].Referrers() {
			if _, isDebug := user.(*ssa.DebugRef); isDebug || !l.Has(user.Block()) {
				continue
			}
			phi, ok := user.(*ssa.Phi)
			if !ok || phi.Block() == l.Header && phi != state {
				return false
			}
			if !slices.Contains(seen, phi) {
				seen = append(seen, phi)
			}
		}
	}
	return true
}

// checkLast refuses loops over maps, that end early, that store, and that rely on more than a promise about what they call.
func (r *Rewrite) checkLast() error {
	switch l := r.loop; {
	case l.OverMap:
		return refuse("a map has no slices")
	case !l.Counted:
		return refuse("what is read, or the state, decides where the loop ends")
	case l.Cells:
		return refuse("the state is a variable in memory")
	case l.Stores:
		return refuse("a step stores")
	}
	return nil
}

// writeLast writes what merges blocks.
func (r *Rewrite) writeLast() error {
	var merge strings.Builder
	for _, v := range r.states {
		set := r.fresh(v.Name() + "Set")
		r.flags = append(r.flags, set)
		merge.WriteString("if y." + set + " {\nx." + v.Name() + ", x." + set + " = y." + v.Name() + ", true\n}\n")
	}
	r.merge = merge.String() + "return x"
	assigned, marked := 0, r.withFlags()
	ast.Inspect(r.header.body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok {
			for _, e := range s.Lhs {
				if r.stateOf(e) >= 0 {
					assigned++
				}
			}
		}
		return true
	})
	if len(marked) != 2*assigned {
		return refuse("a step assigns otherwise than by x = value")
	}
	return r.checkNames()
}

// stateOf is which variable of the state an expression is; -1 where it is none.
func (r *Rewrite) stateOf(e ast.Expr) int {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return -1
	}
	return slices.IndexFunc(r.states, func(v *types.Var) bool { return r.pkg.Info.Uses[id] == types.Object(v) })
}

// withFlags are the changes after which each assignment to the state is noted.
func (r *Rewrite) withFlags() (edits []PosEdit) {
	ast.Inspect(r.header.body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || s.Tok != token.ASSIGN || len(s.Lhs) != len(s.Rhs) {
			return true
		}
		for i, e := range s.Lhs {
			if state := r.stateOf(e); state >= 0 {
				edits = append(edits, PosEdit{s.Lhs[i].End(), s.Lhs[i].End(), ", " + r.flags[state]}, PosEdit{s.Rhs[i].End(), s.Rhs[i].End(), ", true"})
			}
		}
		return true
	})
	return edits
}
