// Package scramble writes updates in other ways that mean the same, at random: it measures
// how much a matcher depends on spelling. It shares no rule with the matcher. Every step is
// an identity of its own list, and is kept only where evaluation finds nothing against it.
package scramble

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/rules"
	"github.com/rfactor-go/rfactor/verify/proof"
)

//go:embed identities.txt
var identityText string

// Identity is one direction of an equation, at the types of its classes.
type Identity struct {
	Text     string
	Classes  []rules.Class
	From, To *rules.Term
}

// Identities are the embedded list, both directions of an equation one after the other.
func Identities() []*Identity { return identities() }

var identities = sync.OnceValue(func() []*Identity {
	var out []*Identity
	for n, line := range strings.Split(identityText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		is, err := parse(line)
		if err != nil {
			panic(fmt.Sprintf("scramble: internal: identities.txt:%d: %v", n+1, err))
		}
		out = append(out, is...)
	}
	return out
})

func parse(line string) ([]*Identity, error) {
	head, body, ok := strings.Cut(line, " : ")
	if !ok {
		return nil, fmt.Errorf("no ' : ' in %q", line)
	}
	i := &Identity{Text: body}
	for _, word := range strings.Fields(strings.Trim(head, "[]")) {
		c, err := rules.ParseClass(word)
		if err != nil {
			return nil, err
		}
		i.Classes = append(i.Classes, c)
	}
	left, right, both := strings.Cut(body, " <=> ")
	if !both {
		left, right, ok = strings.Cut(body, " => ")
	}
	if !ok {
		return nil, fmt.Errorf("no => in %q", line)
	}
	var err error
	if i.From, err = rules.ParseTerm(left); err != nil {
		return nil, err
	}
	if i.To, err = rules.ParseTerm(right); err != nil {
		return nil, err
	}
	if !both {
		return []*Identity{i}, nil
	}
	return []*Identity{i, {i.Text, i.Classes, i.To, i.From}}, nil
}

// maxSize is the size, in nodes, beyond which an update is not grown.
const maxSize = 120

// A Scrambler rewrites the expressions of one pool.
type Scrambler struct {
	Rejected []string // steps that evaluation refuted: the list of identities is wrong

	rng     *rand.Rand
	pool    *ir.Pool
	allowed ir.Assume // under which the steps must be valid
	fill    []ir.Expr // inputs that a step may bring in
	points  testpoint.Evaluator
}

// New makes a scrambler of an update, whose steps are valid under the assumptions.
func New(rng *rand.Rand, u *ir.Update, allowed ir.Assume) *Scrambler {
	s := &Scrambler{rng: rng, pool: u.Pool, allowed: allowed}
	for _, v := range ir.Vars(u.Values...) {
		if v.Kind() != ir.State {
			s.fill = append(s.fill, v)
		}
	}
	return s
}

// Scramble is the values after n steps, or fewer where no more were found.
func (s *Scrambler) Scramble(values []ir.Expr, n int) []ir.Expr {
	for range n {
		values = s.step(values)
	}
	return values
}

// maxTries bounds the attempts to find a step.
const maxTries = 300

// step applies one identity to one subterm. A term that occurs several times changes in all
// places at once, half of the time in one place alone.
func (s *Scrambler) step(values []ir.Expr) []ir.Expr {
	var subs []ir.Expr
	ir.Walk(values, func(e ir.Expr) { subs = append(subs, e) })
	for range maxTries {
		from := subs[s.rng.IntN(len(subs))]
		allowed := s.allowed
		if from.IsLeaf() { // assumptions on floats are about the state
			allowed &= ir.NSW | ir.NUW
		}
		to, text := s.rewrite(from, allowed)
		if !to.IsValid() || to == from {
			continue
		}
		if s.points.Refute(proof.Problem{Left: from, Right: to}, allowed) != nil {
			s.Rejected = append(s.Rejected, fmt.Sprintf("%s at %s under %s: %s becomes %s", text, from.Type(), allowed, from, to))
			continue
		}
		if out := s.put(values, from, to); size(out) <= maxSize {
			return out
		}
	}
	return values
}

// rewrite is e by an identity drawn at random, if that applies under the assumptions.
func (s *Scrambler) rewrite(e ir.Expr, allowed ir.Assume) (to ir.Expr, text string) {
	all := Identities()
	i := all[s.rng.IntN(len(all))]
	var b rules.Binding
	if !i.From.Match(e, &b) {
		return ir.Expr{}, ""
	}
	typ := b.Type
	if typ == ir.Invalid {
		typ = ir.Bool
	}
	if _, ok := rules.NeedsAt(i.Classes, typ, allowed); !ok {
		return ir.Expr{}, ""
	}
	return i.To.Build(s.pool, typ, func(name string, t ir.Type) ir.Expr {
		if !b.Of(name).IsValid() {
			b.Bind(name, s.filler(t))
		}
		return b.Of(name)
	}), i.Text
}

// filler is an input or a small number of a type; a comparison where there is no other
// condition.
func (s *Scrambler) filler(t ir.Type) ir.Expr {
	var of []ir.Expr
	for _, v := range s.fill {
		if v.Type() == t {
			of = append(of, v)
		}
	}
	switch {
	case len(of) > 0 && (t == ir.Bool || s.rng.IntN(3) > 0):
		return of[s.rng.IntN(len(of))]
	case t != ir.Bool:
		return s.pool.Int(t, int64(1+s.rng.IntN(5)))
	case len(s.fill) == 0:
		return s.pool.Bool(s.rng.IntN(2) == 0)
	}
	v := s.fill[s.rng.IntN(len(s.fill))] // no bool: there would be one of the type
	return ir.LtOf(v, s.filler(v.Type()))
}

// put replaces a term everywhere, or in one place.
func (s *Scrambler) put(values []ir.Expr, from, to ir.Expr) []ir.Expr {
	if s.rng.IntN(2) == 0 {
		return s.pool.Map(values, func(e ir.Expr) ir.Expr {
			if e == from {
				return to
			}
			return ir.Expr{}
		})
	}
	places := 0
	for _, v := range values {
		places += occurrences(v, from)
	}
	nth := s.rng.IntN(places)
	out := make([]ir.Expr, len(values))
	for i, v := range values {
		out[i] = replaceNth(v, from, to, &nth)
	}
	return out
}

func occurrences(e, of ir.Expr) int {
	if e == of {
		return 1
	}
	n := 0
	for i := range e.NumArgs() {
		n += occurrences(e.Arg(i), of)
	}
	return n
}

// replaceNth replaces the occurrence that n counts down to.
func replaceNth(e, from, to ir.Expr, n *int) ir.Expr {
	if e == from {
		*n--
		if *n == -1 {
			return to
		}
		return e
	}
	if *n < 0 || e.NumArgs() == 0 {
		return e
	}
	args := make([]ir.Expr, e.NumArgs())
	for i := range args {
		args[i] = replaceNth(e.Arg(i), from, to, n)
	}
	return ir.Rebuild(e, args)
}

func size(es []ir.Expr) (n int) {
	for _, e := range es {
		n += e.Size()
	}
	return n
}
