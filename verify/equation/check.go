package equation

import (
	"errors"
	"fmt"
	"maps"
	"math/big"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Check replays a certificate: nil means that the problem's equation holds under the
// assumptions. It trusts nothing of the search and shares no code with it, only its plan:
// both sides are evaluated in the same order, so that evaluation stops at the condition
// that the certificate splits on. A verdict of a solver is an error; see Solver.Check.
func Check(p proof.Problem, assume ir.Assume, t *proof.Tree) (err error) {
	c := &checker{problem: p, assume: assume, quantities: quantities{ids: map[string]int{}}, fuel: maxFuel}
	c.restart(nil)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = errors.New(string(r))
		default:
			err = fmt.Errorf("certificate: %v", r)
		}
	}()
	c.prove(t, 0)
	return nil
}

// Limits of what a certificate may cost.
const (
	maxFuel        = 1 << 24 // steps of any kind
	maxTreeDepth   = 256
	maxExprDepth   = 5000
	maxQuantities  = 256 // related to their operands in one refutation
	maxConsequence = 6000
)

// failure ends a check; only Check recovers it.
type failure string

func fail(format string, args ...any) { panic(failure(fmt.Sprintf("certificate: "+format, args...))) }

// checker holds what is known at one node of the certificate.
type checker struct {
	problem proof.Problem
	assume  ir.Assume
	fuel    int
	depth   int // of the expression under evaluation
	quantities
	bound    map[ir.Expr]poly // variables that equations determined
	decided  map[string]bool
	claims   []claim
	carries  map[string]wrapping
	rewrites []rewriting

	// values under the present decisions; they stay right as decisions are added
	numbers map[ir.Expr]poly
	truths  map[ir.Expr]bool
	trail   []ir.Expr

	reason string // why the last attempt at a case failed
}

// claim is a decided comparison left < right, or its opposite.
type claim struct {
	typ         ir.Type
	left, right poly // none for conditions of other kinds
	holds       bool
}

// wrapping is a modular sum whose value is the sum over ℤ minus times·2^width.
type wrapping struct {
	typ   ir.Type
	sum   poly
	times int64
}

// burn pays for n steps.
func (c *checker) burn(n int) {
	if c.fuel -= n; c.fuel < 0 {
		fail("it takes too long to check")
	}
}

// restart forgets all decisions and adopts a set of bound variables.
func (c *checker) restart(bound map[ir.Expr]poly) {
	c.bound, c.decided, c.claims, c.carries, c.rewrites = bound, map[string]bool{}, nil, map[string]wrapping{}, nil
	c.numbers, c.truths, c.trail = map[ir.Expr]poly{}, map[ir.Expr]bool{}, nil
}

// prove checks one node: it returns only if the equation holds in this case.
func (c *checker) prove(t *proof.Tree, depth int) {
	c.burn(1)
	switch {
	case t == nil:
		fail("a case is missing")
	case depth > maxTreeDepth:
		fail("it is nested more than %d deep", maxTreeDepth)
	}
	switch t.Kind {
	case proof.Equal:
		if c.problem.Left != c.problem.Right {
			c.expect(t.Kind, sameSides)
		}
	case proof.Vacuous:
		c.expect(t.Kind, givenFails)
	case proof.Split:
		c.split(t, depth)
	case proof.Absurd:
		if !c.contradiction(t.Using) && !c.excluded(c.claims, true) {
			fail("a case called absurd is not seen to be")
		}
	case proof.Squeeze:
		c.expect(t.Kind, otherSides)
		if !c.problem.Left.Type().IsNumeric() || !c.forced(t.Using, c.problem.Left.Type(), c.number(c.problem.Left), c.number(c.problem.Right)) {
			fail("the sides are not squeezed together")
		}
	case proof.Rewrite:
		c.rewrite(t, depth)
	case proof.Substitute:
		c.substitution(t, depth)
	case proof.Carry:
		c.carryCases(t, depth)
	case proof.Signs:
		c.signs(t, depth)
	case proof.Circuit:
		c.circuit(t)
	default:
		fail("a node of kind %q proves nothing here", t.Kind)
	}
}

// finding is what evaluation of the problem comes to.
type finding int

const (
	stops finding = iota // at a condition that is not decided
	sameSides
	otherSides
	givenFails // a given condition is false
)

// opening is the condition at which evaluation stops: a panic that evaluate recovers.
type opening struct {
	key   string
	claim claim
	flip  bool // evaluation asked for the negation of the claim
}

func (c *checker) expect(k proof.Kind, want finding) {
	if got, _ := c.evaluate(); got != want {
		fail("a case is not settled as %q says", k)
	}
}

func (c *checker) evaluate() (f finding, open *opening) {
	c.depth = 0
	defer func() {
		if r := recover(); r != nil {
			o, ok := r.(*opening)
			if !ok {
				panic(r)
			}
			f, open = stops, o
		}
	}()
	for _, g := range c.problem.Given {
		if !c.truth(g) {
			return givenFails, nil
		}
	}
	l, r := c.problem.Left, c.problem.Right
	if l.Type() != r.Type() {
		fail("the sides have different types")
	}
	if l.Type() == ir.Bool {
		if c.truth(l) == c.truth(r) {
			return sameSides, nil
		}
		return otherSides, nil
	}
	t, a, b := l.Type(), c.number(l), c.number(r)
	if c.agree(t, a, b) || c.bothNaN(t, a, b) {
		return sameSides, nil
	}
	return otherSides, nil
}

// agree reports whether two values are the same for all values of their atoms, or where the
// equations hold by which atoms are rewritten; of fractions, wherever no denominator is zero.
func (c *checker) agree(t ir.Type, a, b poly) bool {
	if a.key() == b.key() {
		return true
	}
	r := c.ring(t)
	if r == noRing {
		return false
	}
	d := c.sub(r, a, b)
	for _, w := range c.rewrites {
		d = c.replace(r, w, d)
	}
	return r == fractions && len(c.withoutInverses(d)) == 0 || len(d) == 0
}

// bothNaN: there is one NaN.
func (c *checker) bothNaN(t ir.Type, a, b poly) bool {
	return c.knownNaN(t, a) && c.isNaN(t, b) || c.knownNaN(t, b) && c.isNaN(t, a)
}

// knownNaN reports whether a float is the literal NaN or was decided to be one.
func (c *checker) knownNaN(t ir.Type, p poly) bool {
	if !t.IsFloat() || c.assume.Has(ir.NNaN) {
		return false
	}
	if v, ok := c.bitsOf(p); ok {
		f := ir.Float(t, v)
		return f != f
	}
	return c.decided[nanKey(t, p)]
}

func (c *checker) split(t *proof.Tree, depth int) {
	f, open := c.evaluate()
	if f != stops {
		fail("a case is split where nothing is open")
	}
	for i, branch := range [2]*proof.Tree{t.Then, t.Else} {
		holds := (i == 0) != open.flip
		mark := len(c.trail)
		c.decided[open.key] = holds
		open.claim.holds = holds
		c.claims = append(c.claims, open.claim)
		c.prove(branch, depth+1)
		c.claims = c.claims[:len(c.claims)-1]
		delete(c.decided, open.key)
		c.cut(mark)
	}
}

// cut forgets the values found since the trail had that length.
func (c *checker) cut(length int) {
	for _, e := range c.trail[length:] {
		delete(c.numbers, e)
		delete(c.truths, e)
	}
	c.trail = c.trail[:length]
}

// equations lists what the claims force of the decision at the node's place: left = right +
// delta. Over ℤ d < 0 and −d − 1 < 0 are one claim seen from two sides, so that −d − 1 may
// be what delta is counted from.
func (c *checker) equations(t *proof.Tree) (ir.Type, []poly) {
	if t.Place < 0 || t.Place >= len(c.claims) || c.claims[t.Place].left == nil {
		fail("there is no decision number %d to use", t.Place)
	}
	if t.Delta < -1 || t.Delta > 1 {
		fail("a difference of %d", t.Delta)
	}
	cl := c.claims[t.Place]
	r := c.ring(cl.typ)
	rights := []poly{cl.right}
	if r == wholes || r.modular() {
		rights[0] = c.plus(r, cl.right, c.constant(r, t.Delta))
	} else if t.Delta != 0 {
		fail("a difference where there are no neighbours")
	}
	if r == wholes {
		rights = append(rights, c.constant(r, -1-t.Delta))
	}
	var out []poly
	for _, right := range rights {
		switch {
		case !c.forced(t.Using, cl.typ, cl.left, right):
		case r == noRing:
			out = append(out, cl.left, right) // the two sides: the same value
		default:
			out = append(out, c.sub(r, cl.left, right)) // it is zero
		}
	}
	return cl.typ, out
}

// substitution replaces a variable that an equation determines. The rest is proven without
// the claims, which speak of the variable.
func (c *checker) substitution(t *proof.Tree, depth int) {
	if c.contradiction(nil) { // which the search did not see: any equation follows
		return
	}
	typ, eqs := c.equations(t)
	r := c.ring(typ)
	if r == noRing && len(eqs) == 2 {
		for i, side := range eqs {
			if v, n, ok := c.variable(side.key1()); ok && v.Name() == t.Term && c.bound[v] == nil && !c.occurs(n, eqs[1-i]) {
				c.under(v, n, eqs[1-i], t.Then, depth)
				return
			}
		}
	}
	for _, zero := range eqs {
		for _, m := range zero.monomials() {
			v, _, ok := c.variable(m)
			if !ok || v.Name() != t.Term || r == noRing || c.bound[v] != nil {
				continue
			}
			if w, ok := c.isolate(r, zero, m); ok {
				c.under(v, w.atom, w.to, t.Then, depth)
				return
			}
		}
	}
	fail("decision %d does not determine %s", t.Place, t.Term)
}

func (c *checker) under(v ir.Expr, n int, to poly, rest *proof.Tree, depth int) {
	outer := *c
	bound := map[ir.Expr]poly{}
	for e, p := range c.bound { // which may mention v, too
		switch r := c.ring(v.Type()); {
		case e.Type() != v.Type():
		case r != noRing:
			p = c.replace(r, rewriting{n, to}, p)
		case len(p.key1()) == 4 && factors(p.key1())[0] == n:
			p = to
		}
		bound[e] = p
	}
	bound[v] = to
	c.restart(bound)
	c.prove(rest, depth+1)
	outer.fuel, outer.quantities = c.fuel, c.quantities
	*c = outer
}

// rewriting is an atom and what it equals where the claims hold.
type rewriting struct {
	atom int
	to   poly
}

// rewrite goes on with an equation between values of the sides' type, by which an atom is
// replaced in the difference of the sides. The node's text of the atom is for people unless
// it is a variable's name; which atom it is matters little, so the others are tried in turn.
func (c *checker) rewrite(t *proof.Tree, depth int) {
	if c.contradiction(nil) {
		return
	}
	typ, eqs := c.equations(t)
	r := c.ring(typ)
	c.reason = "nothing can be"
	if r == noRing || typ != c.problem.Left.Type() {
		fail("an equation that cannot rewrite the sides")
	}
	for _, zero := range eqs {
		for _, m := range zero.monomials() {
			if v, _, ok := c.variable(m); ok && v.Name() != t.Term {
				continue
			}
			w, ok := c.isolate(r, zero, m)
			if ok && c.holds(func() {
				c.rewrites = append(c.rewrites, w)
				c.prove(t.Then, depth+1)
			}) {
				return
			}
		}
	}
	fail("decision %d does not settle the case by rewriting %s; %s", t.Place, t.Term, c.reason)
}

// holds tries a proof that may fail, leaving no trace but the fuel it took.
func (c *checker) holds(proof func()) (ok bool) {
	outer := *c
	c.decided, c.carries = maps.Clone(c.decided), maps.Clone(c.carries)
	c.numbers, c.truths, c.trail = map[ir.Expr]poly{}, map[ir.Expr]bool{}, nil
	defer func() {
		r := recover()
		failed, expected := r.(failure)
		if r != nil && (!expected || c.fuel < 0) {
			panic(r)
		}
		outer.fuel, outer.quantities = c.fuel, c.quantities
		*c = outer
		if ok = r == nil; !ok {
			c.reason = string(failed)
		}
	}()
	proof()
	return true
}

// isolate solves zero = 0 for the atom that a monomial consists of: its coefficient must be
// invertible, and it may occur nowhere else.
func (c *checker) isolate(r ring, zero poly, m string) (rewriting, bool) {
	if len(m) != 4 || r != fractions && new(big.Rat).Abs(zero[m]).Cmp(one) != 0 {
		return rewriting{}, false
	}
	inverse := new(big.Rat).Inv(zero[m])
	rest := c.sub(r, zero, poly{m: zero[m]})
	n := factors(m)[0]
	return rewriting{n, c.scale(r, inverse.Neg(inverse), rest)}, !c.occurs(n, rest)
}

// replace puts w.to for each factor w.atom of p.
func (c *checker) replace(r ring, w rewriting, p poly) poly {
	sum := poly{}
	for m, k := range p {
		part := poly{"": k}
		for _, f := range factors(m) {
			factor := poly{monomial([]int{f}): one}
			if f == w.atom {
				factor = w.to
			}
			part = c.times(r, part, factor)
		}
		sum = c.plus(r, sum, part)
	}
	return sum
}

// carryCases: the sum at the place wrapped one of a few times, all of which are listed.
func (c *checker) carryCases(t *proof.Tree, depth int) {
	typ, sum := c.place(t.Place)
	if !c.ring(typ).modular() || len(sum) == 0 || sum.isConstant() {
		fail("there is no modular sum at place %d", t.Place)
	}
	key := sum.key()
	if _, told := c.carries[key]; told {
		fail("the carries of one sum are told apart twice")
	}
	lo, hi := c.carryRange(typ, sum)
	high := new(big.Int).Add(big.NewInt(t.Low), big.NewInt(int64(len(t.Cases))-1))
	if lo.Cmp(big.NewInt(t.Low)) < 0 || hi.Cmp(high) > 0 {
		fail("a sum wraps %v to %v times, not %d to %v", lo, hi, t.Low, high)
	}
	for i, branch := range t.Cases {
		c.carries[key] = wrapping{typ, sum, t.Low + int64(i)}
		c.prove(branch, depth+1)
		delete(c.carries, key)
	}
}

// place is a side of a decided comparison or, after those, of the equation.
func (c *checker) place(n int) (ir.Type, poly) {
	if n < 0 || n >= 2*len(c.claims)+2 {
		fail("there is no place %d", n)
	}
	if n < 2*len(c.claims) {
		claim := c.claims[n/2]
		return claim.typ, [2]poly{claim.left, claim.right}[n%2]
	}
	f, _ := c.evaluate()
	if f != otherSides || !c.problem.Left.Type().IsInt() {
		fail("place %d is a side of the equation, which has no value here", n)
	}
	side := [2]ir.Expr{c.problem.Left, c.problem.Right}[n%2]
	return side.Type(), c.number(side)
}

// carryRange: tmin ≤ S − q·2^b ≤ tmax for the sum S over ℤ, whose monomials are values of
// the type, so (S − tmax)/2^b ≤ q ≤ (S − tmin)/2^b.
func (c *checker) carryRange(t ir.Type, sum poly) (lo, hi *big.Int) {
	least, most := c.sumLimits(t, sum)
	tmin, tmax := limits(t)
	least.Sub(least, tmax)
	most.Sub(most, tmin)
	width := uint(t.Bits())
	lo = least.Neg(least).Rsh(least, width) // ⌈a⌉ = −⌊−a⌋; Rsh rounds down
	return lo.Neg(lo), most.Rsh(most, width)
}

// sumLimits bounds a sum over ℤ of words of type t, which products of words are.
func (c *checker) sumLimits(t ir.Type, sum poly) (least, most *big.Int) {
	least, most = new(big.Int), new(big.Int)
	for m, coef := range sum {
		k := coef.Num()
		if m == "" {
			least.Add(least, k)
			most.Add(most, k)
			continue
		}
		low, high, ok := c.productLimits(t, m)
		if !ok {
			low, high = limits(t)
		}
		low, high = new(big.Int).Mul(k, low), new(big.Int).Mul(k, high)
		if k.Sign() < 0 {
			low, high = high, low
		}
		least.Add(least, low)
		most.Add(most, high)
	}
	return least, most
}

// staysWithin reports whether a sum of products of words of type t, computed over ℤ, is always a
// value of a type that is no wider: then no product wraps either.
func (c *checker) staysWithin(narrow, t ir.Type, sum poly) bool {
	if !c.ring(t).modular() {
		return false
	}
	for m := range sum {
		if _, _, ok := c.productLimits(t, m); !ok {
			return false
		}
	}
	lo, hi := c.sumLimits(t, sum)
	least, most := limits(narrow)
	return least.Cmp(lo) <= 0 && hi.Cmp(most) <= 0
}

// productLimits bounds a product over ℤ of words of type t, where that is a value of the type.
func (c *checker) productLimits(t ir.Type, m string) (lo, hi *big.Int, ok bool) {
	fs := factors(m)
	if len(fs) == 1 {
		lo, hi = c.atomLimits(t, c.atoms[fs[0]])
		return lo, hi, true
	}
	tmin, tmax := limits(t)
	lo, hi = new(big.Int), big.NewInt(1)
	signed := false
	for _, f := range fs {
		low, high := c.atomLimits(t, c.atoms[f])
		if signed = signed || low.Sign() < 0; high.CmpAbs(low) < 0 {
			high = new(big.Int).Neg(low)
		}
		hi.Mul(hi, high)
	}
	if signed {
		lo.Neg(hi)
	}
	return lo, hi, tmin.Cmp(lo) <= 0 && hi.Cmp(tmax) <= 0
}

// atomLimits bounds a word by the type that it was widened from, or the divisor of a remainder.
func (c *checker) atomLimits(t ir.Type, a atom) (lo, hi *big.Int) {
	switch {
	case a.kind != opaque || a.typ != t:
	case a.op == ir.Cast && c.ring(a.from).modular() && containsType(t, a.from):
		return limits(a.from)
	case a.op == ir.Mod:
		by := a.args[1]
		if n, ok := by.whole(); ok && n > 0 {
			return new(big.Int), big.NewInt(n - 1)
		}
		if m := by.key1(); m != "" {
			if low, high, ok := c.productLimits(t, m); ok && low.Sign() >= 0 {
				return new(big.Int), high
			}
		}
	}
	return limits(t)
}

func limits(t ir.Type) (lo, hi *big.Int) { return order(t, t.Min()), order(t, t.Max()) }
