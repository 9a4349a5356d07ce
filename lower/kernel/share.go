package kernel

import "fmt"

// rewriter rewrites values, operands first: f gets each with the operands that it has got.
func rewriter(f func(v *Value) *Value) func(*Value) *Value {
	done := map[*Value]*Value{}
	var of func(v *Value) *Value
	of = func(v *Value) *Value {
		if done[v] == nil {
			w := *v
			w.Args = nil
			for _, a := range v.Args {
				w.Args = append(w.Args, of(a))
			}
			done[v] = f(&w)
		}
		return done[v]
	}
	return of
}

// Share makes equal values one, so that each is computed once.
func (k *Kernel) Share() *Kernel {
	known, number := map[string]*Value{}, map[*Value]int{}
	return k.mapped(rewriter(func(v *Value) *Value {
		key := fmt.Sprint(v.Op, v.Type, v.Imm, v.At)
		for _, a := range v.Args {
			key += fmt.Sprint(" ", number[a])
		}
		if known[key] == nil {
			known[key], number[v] = v, len(number)
		}
		return known[key]
	}))
}

// With puts values in the place of states and right operands.
func With(values, states, right []*Value) (out []*Value) {
	of := rewriter(func(v *Value) *Value {
		switch v.Op {
		case State:
			return states[v.Imm]
		case Right:
			return right[v.Imm]
		}
		return v
	})
	for _, v := range values {
		out = append(out, of(v))
	}
	return out
}

// Ahead is values of elements that come so many later.
func Ahead(values []*Value, by int) (out []*Value) {
	of := rewriter(func(v *Value) *Value {
		if v.Op == Load {
			v.At += by
		}
		return v
	})
	for _, v := range values {
		out = append(out, of(v))
	}
	return out
}
