package rules

import (
	"fmt"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
)

// Load reads the lines of one theory. The error names the line.
func Load(theory, text string) ([]*Rule, error) { return load(theory, text, true) }

// load is Load, which checks rules or takes them to be well typed: tests check those that are embedded.
func load(theory, text string, checked bool) ([]*Rule, error) {
	var rs []*Rule
	var p parser
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parsed, err := p.line(theory, line)
		if err == nil && checked {
			err = checkAll(parsed)
		}
		if err != nil {
			return nil, fmt.Errorf("%s.rules:%d: %w", theory, i+1, err)
		}
		rs = append(rs, parsed...)
	}
	return rs, nil
}

func (p *parser) line(theory, line string) ([]*Rule, error) {
	head, body, ok := strings.Cut(line, " : ")
	if !ok {
		return nil, fmt.Errorf("no ' : ' between head and equation")
	}
	name, classText, ok := strings.Cut(strings.TrimSpace(head), " ")
	classText = strings.TrimSpace(classText)
	if !ok || !strings.HasPrefix(classText, "[") || !strings.HasSuffix(classText, "]") {
		return nil, fmt.Errorf("the head is not 'name [classes]'")
	}
	r := &Rule{Name: name, Theory: theory, Text: line}
	for _, c := range strings.Fields(classText[1 : len(classText)-1]) {
		class, err := ParseClass(c)
		if err != nil {
			return nil, err
		}
		r.Classes = append(r.Classes, class)
	}
	body, guardText, _ := strings.Cut(body, " if ")
	for _, g := range strings.Split(guardText, ",") {
		if g = strings.TrimSpace(g); g == "" {
			continue
		}
		switch g {
		case "anywhere()":
			r.Anywhere = true
			continue
		case "deriving()":
			r.Deriving, r.Anywhere = true, true
			continue
		}
		guard, err := parseGuard(g)
		if err != nil {
			return nil, err
		}
		r.Guards = append(r.Guards, guard)
	}
	return p.equation(r, body)
}

func (p *parser) equation(r *Rule, body string) ([]*Rule, error) {
	left, right, both := strings.Cut(body, "<=>")
	if !both {
		var ok bool
		if left, right, ok = strings.Cut(body, "=>"); !ok {
			return nil, fmt.Errorf("no => in the equation")
		}
	}
	var err error
	if r.LHS, err = p.term(left); err != nil {
		return nil, err
	}
	if r.RHS, err = p.term(right); err != nil {
		return nil, err
	}
	rs := []*Rule{r}
	if both {
		back := *r
		back.Name, back.LHS, back.RHS = r.Name+"-back", r.RHS, r.LHS
		rs = append(rs, &back)
	}
	for _, r := range rs {
		r.orders = sync.OnceValue(r.LHS.orders) // most are not asked for
	}
	return rs, nil
}

// checkAll returns the error of the first rule that has one.
func checkAll(rs []*Rule) error {
	for _, r := range rs {
		if err := r.check(); err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
	}
	return nil
}

// check reports a right side or guard over a variable that the left side does not bind,
// and a side that is ill typed in one of the rule's types.
func (r *Rule) check() error {
	bound := map[string]bool{}
	for _, v := range r.LHS.Vars() {
		bound[v] = true
	}
	for _, v := range r.RHS.Vars() {
		if !bound[v] {
			return fmt.Errorf("%s occurs on the right only", v)
		}
	}
	for _, g := range r.Guards {
		if !bound[g.Var] {
			return fmt.Errorf("the guard's %s does not occur", g.Var)
		}
	}
	if r.LHS.Op == ir.Var {
		return fmt.Errorf("the left side is a bare variable")
	}
	for _, c := range r.Classes {
		for _, t := range c.Types() {
			left, err := r.LHS.Type(t)
			if err != nil {
				return err
			}
			right, err := r.RHS.Type(t)
			if err != nil {
				return err
			}
			if left != right {
				return fmt.Errorf("the sides are %s and %s", left, right)
			}
		}
	}
	return nil
}

// ParseClass reads a class with what is needed there, such as float/nnan+nsz.
func ParseClass(s string) (Class, error) {
	name, needs, _ := strings.Cut(s, "/")
	c := Class{Name: name}
	if classTypes[name] == nil {
		return c, fmt.Errorf("unknown class %q", name)
	}
	for _, n := range strings.Split(needs, "+") {
		switch n {
		case "":
		case "wrap":
			c.Domain = WrapOnly
		case "nowrap":
			c.Domain = UnboundedOnly
		default:
			a, err := ir.ParseAssume(n)
			if err != nil {
				return c, err
			}
			c.Needs |= a
		}
	}
	return c, nil
}

func parseGuard(s string) (Guard, error) {
	kind, rest, ok := strings.Cut(s, "(")
	v, tail, ok2 := strings.Cut(rest, ")")
	if !ok || !ok2 || tail != "" || kind != "state" && kind != "leaf" {
		return Guard{}, fmt.Errorf("%q is not state(v) or leaf(v)", s)
	}
	return Guard{State: kind == "state", Var: v}, nil
}
