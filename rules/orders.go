package rules

import (
	"slices"
	"sort"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// Forms returns the left sides that r stands for: one for every operand order of the
// commutative operators, without those that only rename the variables of another form and
// of the right side with it.
func (r *Rule) Forms() []*Term { return r.forms }

func (r *Rule) makeForms() []*Term {
	var forms []*Term
	seen := map[string]bool{}
	for _, f := range r.LHS.orders() {
		if key := r.formKey(f); !seen[key] {
			seen[key] = true
			forms = append(forms, f)
		}
	}
	return forms
}

// formKey writes the rule with left side f, its variables renamed in the order of f.
func (r *Rule) formKey(f *Term) string {
	names := map[string]string{}
	for i, v := range f.Vars() {
		kind := "T"
		if isBoolVar(v) {
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
	return f.key(names, false) + " => " + r.RHS.key(names, true) + strings.Join(guards, ",")
}

// key writes the term with renamed variables; sorted forgets the order of the operands of
// commutative operators.
func (t *Term) key(names map[string]string, sorted bool) string {
	switch t.Op {
	case ir.Var:
		return names[t.Name]
	case ir.Const:
		return t.Name
	}
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = a.key(names, sorted)
	}
	if sorted && t.Op.Commutes() {
		sort.Strings(args)
	}
	return t.Op.String() + "(" + strings.Join(args, ",") + ")"
}

// orders returns the forms of t under every operand order of its commutative operators.
func (t *Term) orders() []*Term {
	lists := [][]*Term{nil}
	for _, a := range t.Args {
		var next [][]*Term
		for _, prefix := range lists {
			for _, form := range a.orders() {
				next = append(next, append(slices.Clone(prefix), form))
			}
		}
		lists = next
	}
	var forms []*Term
	for _, args := range lists {
		forms = append(forms, &Term{Op: t.Op, Name: t.Name, Args: args})
	}
	if len(t.Args) == 2 && t.Op.Commutes() {
		for _, args := range lists {
			forms = append(forms, &Term{Op: t.Op, Args: []*Term{args[1], args[0]}})
		}
	}
	return forms
}
