package rfactor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/prove"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
	"github.com/rfactor-go/rfactor/verify/rule"
)

// Rules are rewrite rules of one's own, each proven when it was read. They make terms appear that an operator
// of a table matches. An answer is proven without them, so that certificates mention none and package verify
// needs no file; its remarks name those that were applied. A nil Rules has none. Several goroutines may use one.
type Rules struct{ own *canon.Own }

// NotARule is the error for a rule of one's own that does not hold, or is not proven to.
type NotARule struct {
	Name    string
	At      string                // the type and the arithmetic, such as i32 or i32/nsw
	Counter *prove.Counterexample // nil where the rule is neither proven nor refuted
}

// Error says what was refuted, with the values.
func (e *NotARule) Error() string {
	c := e.Counter
	if c == nil {
		return fmt.Sprintf("%s is neither proven nor refuted at %s", e.Name, e.At)
	}
	var at []string
	for i, v := range c.Inputs {
		at = append(at, fmt.Sprintf("%s = %s", v, verify.ValueText(v.Type(), c.Values[i])))
	}
	return fmt.Sprintf("%s does not hold at %s: the left side is %s and the right side %s, where %s", e.Name, e.At,
		verify.ValueText(c.Type, c.Left), verify.ValueText(c.Type, c.Right), strings.Join(at, ", "))
}

// ReadRules reads rules in the notation of package rules and proves each at every type of its classes and in each
// arithmetic in which it may be applied. Answers name a rule by the namespace, a slash and its name. A rule
// that is refuted, or neither proven nor refuted, is an error that wraps a [*NotARule]; other errors are of
// lines that cannot be read, of a name that is there twice, and those of ctx.
func ReadRules(ctx context.Context, text, namespace string) (*Rules, error) {
	list, err := rules.Load(namespace, text)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, r := range list {
		switch {
		case seen[r.Name]:
			return nil, fmt.Errorf("%s.rules: %s is there twice", namespace, r.Name)
		case strings.ContainsAny(r.Name, ":/"):
			return nil, fmt.Errorf("%s.rules: %s has a colon or a slash in its name", namespace, r.Name)
		}
		seen[r.Name] = true
		r.Name = namespace + "/" + r.Name
		if err := proveRule(ctx, r); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s.rules: there is no rule in it", namespace)
	}
	return &Rules{canon.NewOwn(list)}, nil
}

// proveRule proves all instances of a rule.
func proveRule(ctx context.Context, r *rules.Rule) error {
	for _, in := range rule.Instances(r) {
		goal := in.Goal()
		t := prove.Prove(ctx, []proof.Problem{goal.Problem()}, prove.Options{Allowed: goal.Assume, Exactly: true})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case t.Status != prove.Proved:
			return &NotARule{Name: r.Name, At: in.String(), Counter: t.Counter}
		}
	}
	return nil
}

// session returns the rules for a session; nil where there are none.
func (r *Rules) session() *canon.Own {
	if r == nil {
		return nil
	}
	return r.own
}

// remarkRules names the rules of one's own that were applied in the search.
func (m *matcher) remarkRules() {
	if applied := slices.Sorted(maps.Keys(m.workspace.Session.OwnApplied)); len(applied) > 0 && m.answer.Operator != nil {
		m.answer.Remarks = append(m.answer.Remarks, "rules of one's own were applied in the search: "+strings.Join(applied, ", "))
	}
}
