package golang

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// answers remembers what was answered to updates: the loops of the standard library have three times as many updates
// as there are different ones. It may be used by several goroutines.
type answers struct {
	mutex sync.Mutex
	known map[string]*once
}

// once is an answer that is there, or on its way.
type once struct {
	sync.Once
	answer *rfactor.Answer
	err    error
}

// match answers an update that was made canonical, where some of the assumptions are allowed by name.
func (a *answers) match(ctx context.Context, u *ir.Update, allowed, named ir.Assume) (*rfactor.Answer, error) {
	key := keyOf(u, allowed, named)
	a.mutex.Lock()
	if a.known == nil {
		a.known = map[string]*once{}
	}
	o := a.known[key]
	if o == nil {
		o = &once{}
		a.known[key] = o
	}
	a.mutex.Unlock()
	o.Do(func() {
		o.answer, o.err = rfactor.Match(ctx, u, rfactor.Options{Allowed: allowed, Named: named})
	})
	return o.answer, o.err
}

// keyOf writes an update with the types of its variables.
func keyOf(u *ir.Update, allowed, named ir.Assume) string {
	var b strings.Builder
	fmt.Fprint(&b, allowed, " ", named, " ", u.Types)
	for _, v := range u.Vars {
		fmt.Fprint(&b, " ", v, ":", v.Kind(), ":", v.Type())
	}
	return b.String() + " " + ir.Strings(u.Values)
}

// canonical returns an update whose leaves are y0, y1, …, k0, k1, … and r, r.b, … in the order in which they occur,
// and what each was before.
func canonical(u *ir.Update) (out *ir.Update, was map[ir.Expr]ir.Expr) {
	pool := ir.NewPool()
	out = &ir.Update{Pool: pool, Types: u.Types}
	was = map[ir.Expr]ir.Expr{}
	to := map[ir.Expr]ir.Expr{}
	counts := map[ir.VarKind]int{}
	for _, v := range ir.Vars(u.Values...) {
		n, t := counts[v.Kind()], v.Type()
		var e ir.Expr
		switch v.Kind() {
		case ir.State:
			continue
		case ir.Leaf:
			e = pool.Y(n, t)
		case ir.Param:
			e = pool.K(n, t)
		default:
			name := "r"
			if n > 0 {
				name = fmt.Sprintf("r.c%d", n)
			}
			e = pool.R(name, t)
		}
		counts[v.Kind()]++
		to[v], was[e] = e, v
		out.Vars = append(out.Vars, e)
	}
	out.Values = pool.Map(u.Values, func(e ir.Expr) ir.Expr {
		if e.Op() != ir.Var {
			return ir.Expr{}
		}
		if e.Kind() == ir.State {
			return pool.X(e.Index(), e.Type())
		}
		return to[e]
	})
	return out, was
}
