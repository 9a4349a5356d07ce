package programs

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// shrunk returns the smallest program found that is wrong in the same place, by leaving parts out, after so many tries.
func (w *whole) shrunk(v verdict, budget int, judged func(*whole) verdict) (*whole, verdict) {
	for again := true; again; {
		again = false
		for _, next := range w.smaller() {
			if budget--; budget < 0 {
				return w, v
			}
			if nv := judged(next); nv.wrong == v.wrong {
				w, v, again = next, nv, true
				break
			}
		}
	}
	return w, v
}

// smaller lists programs with one part less.
func (w *whole) smaller() (out []*whole) {
	add := func(change func(*whole)) {
		c := *w
		c.schedule, c.values, c.init = slices.Clone(w.schedule), slices.Clone(w.values), slices.Clone(w.init)
		c.size = [2][]int{slices.Clone(w.size[0]), slices.Clone(w.size[1])}
		c.least = slices.Clone(w.least)
		change(&c)
		out = append(out, &c)
	}
	for i := range slices.Backward(w.schedule) {
		add(func(c *whole) { c.schedule = slices.Delete(c.schedule, i, i+1) })
	}
	for _, part := range []func(*whole) *string{
		func(c *whole) *string { return &c.where }, func(c *whole) *string { return &c.until },
		func(c *whole) *string { return &c.tail }, func(c *whole) *string { return &c.given }, func(c *whole) *string { return &c.bound },
	} {
		if *part(w) != "" {
			add(func(c *whole) { *part(c) = "" })
		}
	}
	for k, sizes := range w.size {
		for i, n := range sizes {
			for _, m := range []int{n / 2, n - 1} {
				if m >= 0 && m < n {
					add(func(c *whole) { c.size[k][i] = m })
				}
			}
		}
	}
	for i, n := range w.least {
		if n > 0 && w.kind != "scan" {
			add(func(c *whole) { c.least[i] = 0 })
		}
	}
	u, err := program.ParseUpdate(ir.NewPool(), w.types, join(w.values))
	if err != nil {
		return out
	}
	for i, e := range u.Values {
		ir.Walk([]ir.Expr{e}, func(part ir.Expr) {
			for k := range part.NumArgs() {
				if part.Arg(k).Type() != part.Type() {
					continue
				}
				with := u.Pool.Map([]ir.Expr{e}, func(x ir.Expr) ir.Expr {
					if x == part {
						return part.Arg(k)
					}
					return ir.Expr{}
				})
				add(func(c *whole) { c.values[i] = with[0].String() })
			}
		})
	}
	return out
}

func join(values []string) (s string) {
	for i, v := range values {
		if i > 0 {
			s += "; "
		}
		s += v
	}
	return s
}
