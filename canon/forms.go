package canon

import (
	"sort"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rules"
)

// Forms returns the left sides that a rule stands for: one for every operand order of the
// commutative operators, without those that only rename the variables of another form and
// of the right side with it. They are made once a rule, and must not be changed.
func Forms(r *rules.Rule) []*rules.Term {
	if made, ok := formsOf.Load(r); ok {
		return made.([]*rules.Term)
	}
	var forms []*rules.Term
	seen := map[string]bool{}
	for _, f := range r.Orders() {
		if key := formKey(r, f); !seen[key] {
			seen[key] = true
			forms = append(forms, f)
		}
	}
	formsOf.Store(r, forms)
	return forms
}

var formsOf sync.Map // *rules.Rule to []*rules.Term

// formKey writes the rule with left side f, its variables renamed in the order of f.
func formKey(r *rules.Rule, f *rules.Term) string {
	names := map[string]string{}
	for i, v := range f.Vars() {
		kind := "T"
		if t, err := (&rules.Term{Op: ir.Var, Name: v}).Type(ir.I32); err == nil && t == ir.Bool {
			kind = "B"
		}
		names[v] = kind + string(rune('0'+i))
	}
	guards := make([]string, len(r.Guards))
	for i, g := range r.Guards {
		guards[i] = names[g.Var]
		if g.State {
			guards[i] += "state"
		}
	}
	sort.Strings(guards)
	return termKey(f, names, false) + " => " + termKey(r.RHS, names, true) + strings.Join(guards, ",")
}

// termKey writes a term with renamed variables; sorted forgets the order of the operands of
// commutative operators.
func termKey(t *rules.Term, names map[string]string, sorted bool) string {
	switch t.Op {
	case ir.Var:
		return names[t.Name]
	case ir.Const:
		return t.Name
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = termKey(a, names, sorted)
	}
	if sorted && t.Op.Commutes() {
		sort.Strings(args)
	}
	return t.Op.String() + "(" + strings.Join(args, ",") + ")"
}
