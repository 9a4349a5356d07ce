package canon

import (
	"bytes"
	"sort"
	"strings"

	"github.com/rfactor-go/rfactor/internal/recent"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// Forms returns the left sides that a rule stands for: one for each order of the operands of commutative operators. An order is left
// out if renaming variables makes it another form with the same right side. Callers must not
// change them.
func Forms(r *rules.Rule) []*rules.Term {
	orders := r.Orders()
	if len(orders) == 1 {
		return orders
	}
	return formsOf.Get(r, func() (forms []*rules.Term, weight int) {
		seen := map[string]bool{}
		for _, f := range orders {
			if key := formKey(r, f); !seen[key] {
				seen[key] = true
				forms = append(forms, f)
			}
		}
		return forms, 1
	})
}

// formsOf has more places than there are rules of one order more than once, so that only those of users are computed again.
var formsOf = recent.Map[*rules.Rule, []*rules.Term]{Most: 4000}

// formKey writes the rule with left side f, its variables renamed in the order of f.
func formKey(r *rules.Rule, f *rules.Term) string {
	var names renaming
	for i, v := range f.Vars() {
		first := byte('a')
		if t, err := (&rules.Term{Op: ir.Var, Name: v}).Type(ir.I32); err == nil && t == ir.Bool {
			first = 'A'
		}
		names[v[0]] = first + byte(i)
	}
	guards := make([]string, len(r.Guards))
	for i, g := range r.Guards {
		guards[i] = string(names[g.Var[0]])
		if g.State {
			guards[i] += "state"
		}
	}
	sort.Strings(guards)
	key := append(names.write(make([]byte, 0, 128), f, false), " => "...)
	return string(names.write(key, r.RHS, true)) + strings.Join(guards, ",")
}

// renaming gives variables, which are letters, other letters.
type renaming [128]byte

// write appends a term with renamed variables; sorted forgets the order of the operands of commutative operators.
func (names *renaming) write(out []byte, t *rules.Term, sorted bool) []byte {
	switch t.Op {
	case ir.Var:
		return append(out, names[t.Name[0]])
	case ir.Const:
		return append(out, t.Name...)
	}
	out = append(append(out, t.Op.String()...), '(')
	from := len(out)
	for i, a := range t.Args {
		at := len(out)
		out = append(names.write(out, a, sorted), ',')
		if sorted && i == 1 && t.Op.Commutes() && bytes.Compare(out[at:], out[from:at]) < 0 {
			first := bytes.Clone(out[from:at])
			out = append(append(out[:from], out[at:]...), first...)
		}
	}
	return append(out, ')')
}
