package witness

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/equation"
	"github.com/rfactor-go/rfactor/verify/linear"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// CompleteWithin returns a proof tree of the search with what the checker asks for as well: why decisions contradict each other.
// The given tree is not changed. It is an error where the checker does not accept the result.
// The checker and the search for contradictions may each take *fuel elementary steps. The steps that both took are subtracted from *fuel, which does not fall below 0.
func CompleteWithin(fuel *int, p proof.Problem, assume ir.Assume, t *proof.Tree) (*proof.Tree, error) {
	t = copyOf(t)
	f := &finder{space: poly.NewSpace(0, *fuel)}
	checked := *fuel
	err := equation.CompleteWithin(&checked, p, assume, t, &equation.Finder{Refute: f.refute, Settle: settle})
	*fuel = max(0, f.space.Fuel) + checked - *fuel
	return t, err
}

// finder looks for contradictions.
type finder struct {
	space *poly.Space // apart from the checker's, which has to check what is found with its own steps
	found []found
}

// found is a contradiction that was found before: cases of one proof often fail for the same reason.
type found struct {
	using, extra []claimKey
	why          proof.Refutation
}

// claimKey tells claims of one proof apart.
type claimKey struct {
	typ             ir.Type
	left, right     string
	compares, holds bool
}

func keyOf(c linear.Claim) claimKey {
	return claimKey{c.Type, c.Left.Key(), c.Right.Key(), c.Compares, c.Holds}
}

func keysOf(claims []linear.Claim) (keys []claimKey) {
	for _, c := range claims {
		keys = append(keys, keyOf(c))
	}
	return keys
}

// again returns a refutation that was found before, where its claims are among these.
func (f *finder) again(decisions, extra []linear.Claim) (proof.Refutation, bool) {
	if len(f.found) == 0 {
		return proof.Refutation{}, false
	}
	extras, places := keysOf(extra), make(map[claimKey]int, len(decisions))
	for i, c := range decisions {
		places[keyOf(c)] = i
	}
next:
	for _, known := range f.found {
		if !slices.Equal(known.extra, extras) {
			continue
		}
		why := known.why
		why.Using = make([]int, len(known.using))
		for i, k := range known.using {
			place, ok := places[k]
			if !ok {
				continue next
			}
			why.Using[i] = place
		}
		return why, true
	}
	return proof.Refutation{}, false
}

// note remembers a refutation for cases to come.
func (f *finder) note(decisions, extra []linear.Claim, why proof.Refutation) {
	n := found{extra: keysOf(extra), why: why}
	for _, place := range why.Using {
		n.using = append(n.using, keyOf(decisions[place]))
	}
	f.found = append(f.found, n)
}

func copyOf(t *proof.Tree) *proof.Tree {
	if t == nil {
		return nil
	}
	c := *t
	c.Then, c.Else, c.Cases = copyOf(t.Then), copyOf(t.Else), nil
	for _, b := range t.Cases {
		c.Cases = append(c.Cases, copyOf(b))
	}
	return &c
}

// maxParts bounds the terms of an equation of which each is tried.
const maxParts = 32

// settle finds out which form of an equation, and which of its terms, settles a node. The
// decisions may contradict each other, which the search did not see.
func settle(t *proof.Tree, try func() error) error {
	whole := *t
	*t = proof.Tree{Kind: proof.Absurd}
	if try() == nil {
		return nil
	}
	for _, other := range [2]bool{false, true} {
		for part := range maxParts {
			*t = whole
			t.Other, t.Part, t.Then = other, part, copyOf(whole.Then)
			if try() == nil {
				return nil
			}
			if len(t.Why) < 2 || whole.Kind == proof.Substitute { // the equation is not implied, or has no parts
				break
			}
		}
	}
	return fmt.Errorf("decision %d is of no use", whole.Place)
}

// refute puts a refutation of the decisions and extra claims in place n of a node, where it
// finds one. A node's first refutation may be a hint at those decisions that matter.
func (f *finder) refute(t *proof.Tree, n int, space *poly.Space, decisions, extra []linear.Claim, carries []linear.Carry) {
	var hint []int
	if len(t.Why) > 0 {
		hint = t.Why[0].Using
	}
	known := t.Why[:min(n, len(t.Why))]
	t.Why = known
	if why, ok := f.refutation(space, decisions, extra, carries, hint); ok {
		t.Why = append(slices.Clone(known), why)
	}
}

// refutation finds why claims contradict each other. The limits of types and products are added
// in later attempts: they seldom matter and cost much. So are the decisions that are not
// hinted at.
func (f *finder) refutation(space *poly.Space, decisions, extra []linear.Claim, carries []linear.Carry, hint []int) (proof.Refutation, bool) {
	if len(carries) == 0 {
		if why, ok := f.again(decisions, extra); ok {
			return why, true
		}
	}
	why, ok := f.refutationNow(space, decisions, extra, carries, hint)
	if ok && len(carries) == 0 {
		f.note(decisions, extra, why)
	}
	return why, ok
}

// refutationNow is refutation without what was found before.
func (f *finder) refutationNow(space *poly.Space, decisions, extra []linear.Claim, carries []linear.Carry, hint []int) (proof.Refutation, bool) {
	if hint != nil {
		if why, ok := f.refutationOf(space, decisions, extra, carries, hint, nothing, false); ok {
			return why, true
		}
	}
	all := make([]int, len(decisions))
	for i := range all {
		all[i] = i
	}
	return f.refutationOf(space, decisions, extra, carries, all, nothing, len(extra) == 0)
}

// levels of what is multiplied.
type multiplying int

const (
	nothing multiplying = iota
	singles             // signs of single atoms
	everything
)

// refutationOf refutes some of the decisions together with extra claims. What rounding gives
// depends on the order in which quantities are eliminated; with orders each comes first once
// even where there are products.
func (f *finder) refutationOf(space *poly.Space, decisions, extra []linear.Claim, carries []linear.Carry, using []int, from multiplying, orders bool) (proof.Refutation, bool) {
	var claims []linear.Claim
	using = slices.DeleteFunc(slices.Clone(using), func(place int) bool { return !decisions[place].Compares })
	for _, place := range using {
		claims = append(claims, decisions[place])
	}
	claims = append(claims, extra...)
	var multiplied [][2]int
	for level := from; level <= everything; level++ {
		if level != nothing {
			pairs := products(linear.State(space, claims, carries, &proof.Refutation{Products: [][2]int{}}), level)
			if pairs == nil || multiplied != nil && slices.Equal(pairs, multiplied) { // there are none, or they were tried
				break
			}
			multiplied = pairs
		}
		limited := true
		for _, ranges := range [2]bool{false, true} {
			if !limited {
				continue
			}
			why := proof.Refutation{Using: using, Ranges: ranges, Products: multiplied}
			s := linear.State(space, claims, carries, &why)
			limited = isLimited(s)
			e := &eliminator{system: s, space: f.space}
			if !e.refute() && !((orders || level == nothing) && e.refuteFromAny()) {
				continue
			}
			if core := e.core(using); len(core) < len(using) {
				if few, ok := f.refutationOf(space, decisions, extra, carries, core, level, orders); ok {
					return few, true
				}
			}
			if linear.Contradicts(space, claims, carries, &why) { // they add up
				return why, true
			}
			return e.witness(why)
		}
	}
	return proof.Refutation{}, false
}

// isLimited reports whether some quantity's type has limits that are stated only with Ranges.
func isLimited(s *linear.System) bool {
	return slices.ContainsFunc(s.Seen, func(q linear.Quantity) bool {
		r := s.Ring(q.Type)
		return r != poly.Wholes && r != poly.Fractions
	})
}

// maxSignsMultiplied bounds the signs of which pairs are multiplied.
const maxSignsMultiplied = 32

// products chooses the pairs of signs that are worth multiplying: those whose product mentions
// no product of atoms which is not mentioned already, or is one of the roots of two squares.
// It returns nil where there is no product of atoms.
func products(s *linear.System, level multiplying) [][2]int {
	known := map[string]bool{}
	var roots []string
	for _, q := range s.Seen {
		m, ok := q.P.Monomial()
		if !ok || len(m) <= 4 || !s.Multiplies(q.Type, q.P) {
			continue
		}
		known[m] = true
		if root, ok := linear.RootOf(poly.Factors(m)); ok {
			m, _ := root.Monomial()
			roots = append(roots, m)
		}
	}
	if len(known) == 0 {
		return nil
	}
	pairs := quotients(s)
	for i, a := range roots {
		for _, b := range roots[:i] {
			known[poly.MonomialOf(poly.Factors(a+b))] = true
		}
	}
	signs := s.Signs
	for i, g := range signs[:min(len(signs), maxSignsMultiplied)] {
		for j, h := range signs[:i+1] {
			if (level == everything || isSingle(g) && isSingle(h)) && s.Ring(g.Type) == s.Ring(h.Type) && mentionsOnly(s.Product(g, h), known) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return pairs
}

// quotients chooses the signs that are divided, and adds the quotients to the signs.
func quotients(s *linear.System) [][2]int {
	pairs := [][2]int{}
	for i := 0; i < len(s.Signs); i++ {
		for j := 0; j < len(s.Signs) && len(s.Signs) < maxSignsMultiplied; j++ {
			h, ok := s.Quotient(s.Signs[i], s.Signs[j])
			if ok && !slices.ContainsFunc(s.Signs, func(g linear.Sign) bool {
				return g.Type == h.Type && g.Strict == h.Strict && g.P.Key() == h.P.Key()
			}) {
				s.Signs = append(s.Signs, h)
				pairs = append(pairs, [2]int{i, -1 - j})
			}
		}
	}
	return pairs
}

// isSingle reports whether a sign is of a polynomial with one atom.
func isSingle(g linear.Sign) bool {
	n := 0
	for _, part := range g.P.Terms() {
		n += len(part.Mono) / 4
	}
	return n == 1
}

func mentionsOnly(g linear.Sign, known map[string]bool) bool {
	return !slices.ContainsFunc(g.P.Terms(), func(t poly.Term) bool { return len(t.Mono) > 4 && !known[t.Mono] })
}

// maxConsequence bounds the inequalities that one elimination makes.
const maxConsequence = 6000

// roundingCost is how many combinations a rounding counts as, when the cheapest quantity to eliminate is chosen again.
const roundingCost = 16

// maxFirst is the largest number of quantities of which each is tried as the first.
const maxFirst = 12

// eliminator derives 0 < 0 from the inequalities of a system by eliminating one quantity
// after another (Fourier–Motzkin), and remembers how.
type eliminator struct {
	system  *linear.System
	space   *poly.Space
	all     []derived
	rounded bool // integers may have been lost by rounding
	end     int  // the inequality that says 0 < 0
}

// derived is an inequality: left·from[0] + right·from[1], or one of the system.
type derived struct {
	linear.Inequality
	from        [2]int // −1, −1 of the system's
	left, right *big.Int
}

// refuteFromAny returns refute with each quantity as the first in turn: what rounding gives
// depends on the order.
func (e *eliminator) refuteFromAny() bool {
	if len(e.system.Seen) > maxFirst {
		return false
	}
	for _, q := range e.system.Seen {
		if e.refuteFrom(poly.MonomialOf([]int{q.Number}), 0) {
			return true
		}
	}
	return false
}

// refute returns refuteFrom where the first is the cheapest; where that rounds, it tries to avoid it.
func (e *eliminator) refute() bool {
	e.rounded = false
	return e.refuteFrom("", 0) || e.rounded && e.refuteFrom("", roundingCost)
}

// refuteFrom eliminates quantities until an inequality says 0 < 0 or nothing is left. The first
// is given, or for "" the cheapest like the others, where to round costs as much as so many
// combinations.
func (e *eliminator) refuteFrom(first string, rounding int) bool {
	e.all = e.all[:0]
	var live []int
	kept := map[string]int{}
	for _, in := range e.system.All {
		if e.keep(&live, kept, derived{Inequality: in, from: [2]int{-1, -1}}) {
			return true
		}
	}
	for len(live) > 0 && len(e.all) < maxConsequence {
		v := first
		if first = ""; v == "" {
			v = e.cheapest(live, rounding)
		}
		var ups, downs, next []int
		clear(kept)
		for _, i := range live {
			switch k := coefficient(&e.all[i].Inequality, v); {
			case k == nil:
				kept[key(&e.all[i].Inequality)] = len(next)
				next = append(next, i)
			case k.Sign() > 0:
				ups = append(ups, i)
			default:
				downs = append(downs, i)
			}
		}
		for _, i := range ups {
			for _, j := range downs {
				if e.keep(&next, kept, e.combined(i, j, v)) {
					return true
				}
			}
		}
		live = next
	}
	return false
}

// combined adds positive multiples such that v vanishes.
func (e *eliminator) combined(up, down int, v string) derived {
	a, b := new(big.Int).Neg(coefficient(&e.all[down].Inequality, v).Num()), coefficient(&e.all[up].Inequality, v).Num()
	if g := new(big.Int).GCD(nil, nil, a, b); g.IsInt64() && g.Int64() > 1 {
		a, b = new(big.Int).Div(a, g), new(big.Int).Div(b, g)
	}
	zero := linear.Inequality{Whole: true}
	in := zero.Plus(e.space, new(big.Rat).SetInt(a), &e.all[up].Inequality)
	in = in.Plus(e.space, new(big.Rat).SetInt(b), &e.all[down].Inequality)
	return derived{in.Tightened(e.space), [2]int{up, down}, a, b}
}

// coefficient returns that of a quantity in an inequality, which is whole; nil where it is zero.
func coefficient(in *linear.Inequality, quantity string) *big.Rat { return in.P.Coef(quantity) }

// keep adds an inequality, to a list unless one there has the same left side and says as much.
// It reports whether the inequality says 0 < 0.
func (e *eliminator) keep(list *[]int, kept map[string]int, d derived) bool {
	n := len(e.all)
	e.all = append(e.all, d)
	if d.IsAbsurd() {
		e.end = n
		return true
	}
	if d.P.IsConstant() {
		return false
	}
	k := key(&d.Inequality)
	i, ok := kept[k]
	if !ok {
		kept[k] = len(*list)
		*list = append(*list, n)
		return false
	}
	if c := e.all[(*list)[i]].P.Constant().Cmp(d.P.Constant()); c < 0 || c == 0 && d.Strict {
		(*list)[i] = n
	}
	return false
}

// cheapest returns the quantity whose elimination makes the fewest combinations. Where inequalities of
// integers have it more than once in both directions it rounds.
func (e *eliminator) cheapest(live []int, rounding int) string {
	type uses struct{ n, multiples [2]int } // above and below
	count := map[string]uses{}
	one := big.NewInt(1)
	for _, i := range live {
		for _, m := range e.all[i].P.Terms() {
			if m.Mono == "" {
				continue
			}
			u, at := count[m.Mono], (1-m.Coef.Sign())/2
			u.n[at]++
			if e.all[i].Whole && m.Coef.Num().CmpAbs(one) > 0 {
				u.multiples[at]++
			}
			count[m.Mono] = u
		}
	}
	best, fewest := "", -1
	for v, u := range count {
		pairs := u.n[0] * u.n[1]
		if u.multiples[0] > 0 && u.multiples[1] > 0 {
			pairs += rounding
			e.rounded = true
		}
		if fewest < 0 || pairs < fewest || pairs == fewest && v < best {
			best, fewest = v, pairs
		}
	}
	return best
}

// witness writes down how 0 < 0 was derived, without what does not matter to it.
// ok is false where a factor is too large for that.
func (e *eliminator) witness(why proof.Refutation) (_ proof.Refutation, ok bool) {
	var lines [][]int64
	ok = true
	number := map[int]int64{} // in the certificate
	var write func(i int) int64
	write = func(i int) int64 {
		if n, ok := number[i]; ok {
			return n
		}
		d := e.all[i]
		if d.from[0] < 0 {
			return int64(i)
		}
		left, right := write(d.from[0]), write(d.from[1])
		n := int64(len(e.system.All) + len(lines))
		ok = ok && d.left.IsInt64() && d.right.IsInt64()
		lines = append(lines, []int64{left, d.left.Int64(), right, d.right.Int64()})
		number[i] = n
		return n
	}
	last := write(e.end)
	if last < int64(len(e.system.All)) {
		lines = append(lines, []int64{last, 1})
	}
	why.Lines = lines
	return why, ok
}

// core lists those of the decisions on which 0 < 0 rests. It is all of them where some state no
// inequality, so that numbers do not match.
func (e *eliminator) core(using []int) (core []int) {
	used := map[int]bool{}
	var mark func(i int)
	mark = func(i int) {
		if used[i] {
			return
		}
		used[i] = true
		if from := e.all[i].from; from[0] >= 0 {
			mark(from[0])
			mark(from[1])
		}
	}
	mark(e.end)
	if e.system.Claims < len(using) {
		return using
	}
	for i, place := range using {
		if used[i] {
			core = append(core, place)
		}
	}
	return core
}

// key tells left sides apart.
func key(in *linear.Inequality) string {
	b := []byte{0}
	if in.Whole {
		b[0] = 1
	}
	for _, m := range in.P.Terms() {
		if m.Mono != "" {
			b = append(append(b, m.Mono...), byte(m.Coef.Sign()))
			b = append(m.Coef.Num().Append(b, 16), '*')
		}
	}
	return string(b)
}
