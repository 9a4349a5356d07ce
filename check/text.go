package check

import (
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Line is a finding for people. A line without a label continues the one above.
type Line struct{ Label, Text string }

// Lines says what is known, in the order of the laws.
func (r *Report) Lines() (out []Line) {
	add := func(label string, texts ...string) {
		for i, text := range texts {
			if i > 0 {
				label = ""
			}
			out = append(out, Line{label, text})
		}
	}
	for _, l := range []*Law{&r.Associative, &r.Commutative, &r.Idempotent, r.Keeps, r.Is} {
		if l != nil {
			add(l.Name, l.lines()...)
		}
	}
	switch {
	case r.Side != proof.NoSide:
		text := strings.TrimPrefix(r.Side.String()+" identity ", "two identity ") + TupleText(texts(r.Identity))
		if r.Assumes != 0 {
			text += " under " + named(r.Assumes)
		}
		add("identity", text)
	case r.Identity != nil:
		add("identity", "not "+TupleText(texts(r.Identity)))
	case r.Associative.Holds():
		add("identity", "none found")
	}
	add("", r.sideLines()...)
	for _, p := range r.Poles {
		add("pole", p.Text+": "+p.Why)
	}
	return out
}

// sideLines says where an identity is one only by what is assumed, and on which side it is none.
func (r *Report) sideLines() (out []string) {
	said := map[string]bool{}
	say := func(text string) {
		if !said[text] { // one point may refute both sides
			said[text] = true
			out = append(out, text)
		}
	}
	for i := range r.Sides {
		if l := &r.Sides[i]; l.Holds() && l.Assumes() != 0 && l.Counter != nil {
			say("exactly it is not: " + l.Refutation())
			break
		}
	}
	for i := range r.Sides {
		l := &r.Sides[i]
		switch {
		case l.Holds():
		case l.Counter != nil:
			say(l.Refutation())
		case l.Pole != "":
			say("not proven to be a " + l.Name + " identity: " + l.Pole)
		default:
			say("not proven to be a " + l.Name + " identity")
		}
	}
	return out
}

func texts(es []ir.Expr) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = e.String()
	}
	return out
}
