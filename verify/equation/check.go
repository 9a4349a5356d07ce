package equation

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify/bits"
	"github.com/rfactor-go/rfactor/verify/linear"
	"github.com/rfactor-go/rfactor/verify/poly"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Check replays a certificate: nil means that the problem's equation holds under the assumptions. It trusts nothing of the search and
// shares no code with it, only its plan: both sides are evaluated in the same order, so that evaluation stops at the condition that the
// certificate splits on. A verdict of a solver is an error.
func Check(p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	fuel := maxFuel
	return CheckWithin(&fuel, p, assume, t)
}

// CheckWithin is Check for a proof that may take so many elementary steps, and no more than a
// single proof may. It takes off those that were made.
func CheckWithin(fuel *int, p proof.Problem, assume ir.Assume, t *proof.Tree) error {
	return CompleteWithin(fuel, p, assume, t, nil)
}

// Finder completes a proof tree during a check. The check calls it at each node that lacks a part of its certificate, and goes on
// with the part that it returns.
type Finder struct {
	// Refute puts a refutation of the decisions and extra claims into place n of a node's Why.
	Refute func(node *proof.Tree, n int, space *poly.Space, decisions, extra []linear.Claim, carries []linear.Carry)
	// Settle changes a node Rewrite or Substitute until try, which checks it, returns nil.
	Settle func(node *proof.Tree, try func() error) error
}

// CompleteWithin is CheckWithin for a tree that a finder completes on the way.
func CompleteWithin(fuel *int, p proof.Problem, assume ir.Assume, t *proof.Tree, finder *Finder) error {
	c := &checker{problem: p, Space: poly.NewSpace(assume, min(maxFuel, *fuel)), finder: finder}
	defer func(given int) { *fuel -= given - max(c.Fuel, 0) }(c.Fuel)
	c.restart(nil)
	return c.try(func() { c.prove(t, 0) })
}

// try returns the error with which a part of a check fails; nil where it does not.
func (c *checker) try(part func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case poly.Failure:
			err = errors.New(string(r))
		default:
			err = fmt.Errorf("certificate: %v", r)
		}
	}()
	part()
	return nil
}

// Limits of what a certificate may cost.
const (
	maxFuel      = 1 << 24 // steps of any kind
	maxTreeDepth = 256
	maxExprDepth = 5000
)

// checker holds what is known at one node of the certificate.
type checker struct {
	problem proof.Problem
	*poly.Space
	depth    int                   // of the expression under evaluation
	bound    map[ir.Expr]poly.Poly // variables that equations determined
	decided  map[string]bool
	claims   []linear.Claim
	carries  []linear.Carry
	rewrites []rewriting

	// values under the present decisions; they stay right as decisions are added
	values map[ir.Expr]poly.Poly
	trail  []ir.Expr

	predicates bool    // comparisons of floats are predicates of both values
	choices    bool    // selects are unknown numbers
	finder     *Finder // nil in a check
}

// restart forgets all decisions and adopts a set of bound variables.
func (c *checker) restart(bound map[ir.Expr]poly.Poly) {
	c.bound, c.decided, c.claims, c.carries, c.rewrites = bound, map[string]bool{}, nil, nil, nil
	c.values, c.trail = map[ir.Expr]poly.Poly{}, nil
}

// prove checks one node: it returns only if the equation holds in this case.
func (c *checker) prove(t *proof.Tree, depth int) {
	c.Burn(1)
	switch {
	case t == nil:
		poly.Fail("a case is missing")
	case depth > maxTreeDepth:
		poly.Fail("it is nested more than %d deep", maxTreeDepth)
	case c.finder != nil && (t.Kind == proof.Rewrite || t.Kind == proof.Substitute):
		if err := c.finder.Settle(t, func() error { return c.fork(t, depth) }); err != nil {
			poly.Fail("%v", err)
		}
	default:
		c.settle(t, depth)
	}
}

// fork settles a node and forgets what it learned.
func (c *checker) fork(t *proof.Tree, depth int) error {
	f := *c
	f.decided, f.values, f.trail = maps.Clone(c.decided), map[ir.Expr]poly.Poly{}, nil
	return f.try(func() { f.settle(t, depth) })
}

func (c *checker) settle(t *proof.Tree, depth int) {
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
		if !c.refutes(t, 0) {
			poly.Fail("a case called absurd is not seen to be")
		}
	case proof.Squeeze:
		if got, _ := c.evaluate(); c.finder != nil && got == sameSides { // the search told apart what is one polynomial here
			t.Kind = proof.Equal
			return
		}
		c.expect(t.Kind, otherSides)
		l, r := c.problem.Left, c.problem.Right
		if !l.Type().IsNumeric() || !c.forced(t, l.Type(), c.number(l), c.number(r)) {
			poly.Fail("the sides are not squeezed together")
		}
	case proof.Rewrite, proof.Substitute:
		c.useEquation(t, depth)
	case proof.Carry:
		c.carryCases(t, depth)
	case proof.Signs:
		c.signs(t, depth)
	case proof.Predicates:
		if c.predicates || len(c.decided) > 0 {
			poly.Fail("comparisons become predicates after decisions")
		}
		c.predicates = true
		c.prove(t.Then, depth+1)
	case proof.Choices:
		if c.choices || len(c.decided) > 0 {
			poly.Fail("selects become unknown numbers after decisions")
		}
		c.choices = true
		c.prove(t.Then, depth+1)
	case proof.Bits:
		bits.Equal(c.Space, c.problem, t.First)
	case proof.GF2:
		bits.Sums(c.Space, c.problem)
	default:
		poly.Fail("a node of kind %q proves nothing here", t.Kind)
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
	claim linear.Claim
	flip  bool // evaluation asked for the negation of the claim
}

func (c *checker) expect(k proof.Kind, want finding) {
	if got, _ := c.evaluate(); got != want {
		poly.Fail("a case is not settled as %q says", k)
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
		poly.Fail("the sides have different types")
	}
	t, a, b := l.Type(), c.number(l), c.number(r)
	if c.agree(t, a, b) || c.bothNaN(t, a, b) {
		return sameSides, nil
	}
	return otherSides, nil
}

// agree reports whether two values are the same for all values of their atoms, or where the
// equations hold by which atoms are rewritten; of Fractions, wherever no denominator is zero.
func (c *checker) agree(t ir.Type, a, b poly.Poly) bool {
	if a.Key() == b.Key() {
		return true
	}
	r := c.Ring(t)
	if r == poly.NoRing {
		return false
	}
	d := c.Sub(r, a, b)
	for _, w := range c.rewrites {
		d = c.Replace(r, w.atom, w.to, d)
	}
	return d == nil || r == poly.Fractions && c.Assume.Has(ir.NNaN) && c.ClearInverses(d) == nil
}

// bothNaN: there is one NaN.
func (c *checker) bothNaN(t ir.Type, a, b poly.Poly) bool {
	return c.knownNaN(t, a) && c.isNaN(t, b) || c.knownNaN(t, b) && c.isNaN(t, a)
}

// knownNaN reports whether a float is the literal NaN or was decided to be one.
func (c *checker) knownNaN(t ir.Type, p poly.Poly) bool {
	if !t.IsFloat() || c.Assume.Has(ir.NNaN) {
		return false
	}
	if nan, ok := c.literalNaN(t, p); ok {
		return nan
	}
	return c.decided[nanKey(t, p)]
}

func (c *checker) split(t *proof.Tree, depth int) {
	f, open := c.evaluate()
	if f != stops {
		poly.Fail("a case is split where nothing is open")
	}
	for i, branch := range [2]*proof.Tree{t.Then, t.Else} {
		holds := (i == 0) != open.flip
		mark := len(c.trail)
		c.decided[open.key] = holds
		open.claim.Holds = holds
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
		delete(c.values, e)
	}
	c.trail = c.trail[:length]
}

// refutes reports whether refutation number n of a node derives a contradiction from the decisions that it names, and from extra claims.
func (c *checker) refutes(t *proof.Tree, n int, extra ...linear.Claim) bool {
	if c.finder != nil {
		c.finder.Refute(t, n, c.Space, c.claims, extra, c.carries)
	}
	if n >= len(t.Why) {
		return false
	}
	return linear.Contradicts(c.Space, c.stated(t.Why[n].Using, extra), c.carries, &t.Why[n])
}

// stated lists the decisions with the given numbers, and extra claims.
func (c *checker) stated(using []int, extra []linear.Claim) []linear.Claim {
	var claims []linear.Claim
	for _, place := range using {
		if place < 0 || place >= len(c.claims) {
			poly.Fail("there is no decision number %d to use", place)
		}
		claims = append(claims, c.claims[place])
	}
	return append(claims, extra...)
}

// forced reports whether the node refutes a < b and b < a. Exact floats must be known not to be NaN, since the order says nothing of it.
func (c *checker) forced(t *proof.Tree, typ ir.Type, a, b poly.Poly) bool {
	if c.Ring(typ) == poly.NoRing && !(c.ordered(typ, a) && c.ordered(typ, b)) {
		return false
	}
	return c.refutes(t, 0, linear.Less(typ, a, b)) && c.refutes(t, 1, linear.Less(typ, b, a))
}

// ordered reports whether a float is a literal or was compared, or is −x of such an x: comparisons are decided only of what is not NaN.
func (c *checker) ordered(t ir.Type, p poly.Poly) bool {
	if x, ok := c.SoleOp(p, ir.Neg); ok && t.IsFloat() && c.ordered(t, x.Args[0]) {
		return true
	}
	if nan, ok := c.literalNaN(t, p); ok {
		return !nan
	}
	return slices.ContainsFunc(c.claims, func(cl linear.Claim) bool {
		return cl.Compares && (cl.Left.Key() == p.Key() || cl.Right.Key() == p.Key())
	})
}

// implied returns the equation zero = 0 that the decisions force by the one at the node's place: left = right + delta. Over ℤ d < 0 and −d
// − 1 < 0 are one claim seen from two sides, so that the node may count delta from −d − 1.
func (c *checker) implied(t *proof.Tree) (typ ir.Type, zero poly.Poly) {
	if t.Place < 0 || t.Place >= len(c.claims) || !c.claims[t.Place].Compares || t.Delta < -1 || t.Delta > 1 {
		poly.Fail("there is no decision number %d and difference %d to use", t.Place, t.Delta)
	}
	cl := c.claims[t.Place]
	r, right := c.Ring(cl.Type), cl.Right
	switch {
	case t.Other && r == poly.Wholes:
		right = c.Number(r, -1-t.Delta)
	case t.Other || r == poly.NoRing || t.Delta != 0 && r == poly.Fractions:
		poly.Fail("a difference where there are no neighbours")
	case t.Delta != 0:
		right = c.Plus(r, right, c.Number(r, t.Delta))
	}
	if !c.forced(t, cl.Type, cl.Left, right) {
		poly.Fail("decision %d does not imply an equation", t.Place)
	}
	return cl.Type, c.Sub(r, cl.Left, right)
}

// useEquation goes on with an equation. A node Substitute replaces a variable that it determines, everywhere: the rest is proven without
// the claims, which speak of the variable. A node Rewrite replaces an atom in the difference of the sides.
func (c *checker) useEquation(t *proof.Tree, depth int) {
	if t.Kind == proof.Substitute && t.Place >= 0 && t.Place < len(c.claims) && c.Ring(c.claims[t.Place].Type) == poly.NoRing {
		c.useSame(t, c.claims[t.Place], depth)
		return
	}
	typ, zero := c.implied(t)
	r, part := c.Ring(typ), t.Part
	if t.Kind == proof.Substitute {
		part = slices.IndexFunc(zero.Terms(), func(part poly.Term) bool {
			v, _, ok := c.Variable(part.Mono)
			return ok && v.Name() == t.Term
		})
	}
	if part < 0 || part >= len(zero.Terms()) {
		poly.Fail("the equation has no term number %d", part)
	}
	term := zero.Terms()[part]
	if len(term.Mono) != 4 || r != poly.Fractions && new(big.Rat).Abs(term.Coef).Cmp(poly.One) != 0 {
		poly.Fail("the equation does not determine %s", t.Term)
	}
	rest := c.Sub(r, zero, poly.Of(term.Mono, term.Coef))
	inverse := new(big.Rat).Inv(term.Coef)
	w := rewriting{poly.Factors(term.Mono)[0], c.Scale(r, inverse.Neg(inverse), rest)}
	if c.Occurs(w.atom, rest) {
		poly.Fail("%s is on both sides of an equation", t.Term)
	}
	if t.Kind == proof.Substitute {
		c.under(w, t.Then, depth)
		return
	}
	if typ != c.problem.Left.Type() {
		poly.Fail("an equation that cannot rewrite the sides")
	}
	c.rewrites = append(c.rewrites, w)
	c.prove(t.Then, depth+1)
	c.rewrites = c.rewrites[:len(c.rewrites)-1]
}

// rewriting is an atom and what it equals where the claims hold.
type rewriting struct {
	atom int
	to   poly.Poly
}

// under proves the rest with a variable replaced everywhere, in what others were replaced by too. useSame goes on where the decisions force
// two exact floats to be the same value, one of which is a variable.
func (c *checker) useSame(t *proof.Tree, cl linear.Claim, depth int) {
	if !cl.Compares || !c.forced(t, cl.Type, cl.Left, cl.Right) {
		poly.Fail("decision %d does not imply an equation", t.Place)
	}
	for _, side := range [2][2]poly.Poly{{cl.Left, cl.Right}, {cl.Right, cl.Left}} {
		m, _ := side[0].Monomial()
		if v, n, ok := c.Variable(m); ok && v.Name() == t.Term && !c.Occurs(n, side[1]) {
			c.under(rewriting{n, side[1]}, t.Then, depth)
			return
		}
	}
	poly.Fail("the equation does not determine %s", t.Term)
}

func (c *checker) under(w rewriting, rest *proof.Tree, depth int) {
	v := c.Atoms[w.atom].Variable
	outer, bound := *c, map[ir.Expr]poly.Poly{v: w.to}
	for e, p := range c.bound {
		if e == v {
			poly.Fail("%s is replaced twice", v.Name())
		}
		if r := c.Ring(v.Type()); e.Type() == v.Type() && r != poly.NoRing {
			p = c.Replace(r, w.atom, w.to, p)
		} else if n, ok := p.Atom(); ok && n == w.atom {
			p = w.to
		}
		bound[e] = p
	}
	c.restart(bound)
	c.prove(rest, depth+1)
	*c = outer
}

// signs checks the three cases of a variable's sign.
func (c *checker) signs(t *proof.Tree, depth int) {
	c.evaluate() // up to a condition on the variable
	n := slices.IndexFunc(c.Atoms, func(a poly.Atom) bool { return a.Variable.IsValid() && a.Variable.Name() == t.Term })
	if n < 0 || len(t.Cases) != 3 {
		poly.Fail("%q is not told apart by its sign", t.Term)
	}
	typ, p := c.Atoms[n].Type, poly.OfAtom(n)
	if r := c.Ring(typ); r != poly.Wholes && (r != poly.Fractions || !c.Assume.Has(ir.NNaN)) {
		poly.Fail("%s is not a number that is negative, zero or positive", t.Term)
	}
	for i, cl := range [3]linear.Claim{linear.Less(typ, p, nil), {}, linear.Less(typ, nil, p)} {
		if i == 1 {
			c.under(rewriting{n, nil}, t.Cases[i], depth)
			continue
		}
		c.claims = append(c.claims, cl)
		c.prove(t.Cases[i], depth+1)
		c.claims = c.claims[:len(c.claims)-1]
	}
}

// carryCases: the sum at the place wrapped one of a few times, all of which are listed.
func (c *checker) carryCases(t *proof.Tree, depth int) {
	typ, sum := c.place(t.Place)
	if !c.Ring(typ).IsModular() || sum.IsConstant() {
		poly.Fail("there is no modular sum at place %d", t.Place)
	}
	again := func(told linear.Carry) bool { return told.Type == typ && told.Sum.Key() == sum.Key() }
	if slices.ContainsFunc(c.carries, again) {
		poly.Fail("the carries of one sum are told apart twice")
	}
	lo, hi := c.carryRange(typ, sum)
	high := new(big.Int).Add(big.NewInt(t.Low), big.NewInt(int64(len(t.Cases))-1))
	if lo.Cmp(big.NewInt(t.Low)) < 0 || hi.Cmp(high) > 0 {
		poly.Fail("a sum wraps %v to %v times, not %d to %v", lo, hi, t.Low, high)
	}
	for i, branch := range t.Cases {
		c.carries = append(c.carries, linear.Carry{Type: typ, Sum: sum, Times: t.Low + int64(i)})
		c.prove(branch, depth+1)
		c.carries = c.carries[:len(c.carries)-1]
	}
}

// place is a side of a decided comparison or, after those, of the equation.
func (c *checker) place(n int) (ir.Type, poly.Poly) {
	if n < 0 || n >= 2*len(c.claims)+2 {
		poly.Fail("there is no place %d", n)
	}
	if n < 2*len(c.claims) {
		claim := c.claims[n/2]
		return claim.Type, [2]poly.Poly{claim.Left, claim.Right}[n%2]
	}
	f, _ := c.evaluate()
	if f != otherSides || !c.problem.Left.Type().IsInt() {
		poly.Fail("place %d is a side of the equation, which has no value here", n)
	}
	side := [2]ir.Expr{c.problem.Left, c.problem.Right}[n%2]
	return side.Type(), c.number(side)
}

// carryRange: tmin ≤ S − q·2^b ≤ tmax for the sum S over ℤ, whose monomials are values of the type, so (S − tmax)/2^b ≤ q ≤ (S − tmin)/2^b.
func (c *checker) carryRange(t ir.Type, sum poly.Poly) (lo, hi *big.Int) {
	least, most, _ := c.sumLimits(t, sum)
	tmin, tmax := poly.Limits(t)
	least.Sub(least, tmax)
	most.Sub(most, tmin)
	width := uint(t.Bits())
	lo = least.Neg(least).Rsh(least, width) // ⌈a⌉ = −⌊−a⌋; Rsh rounds down
	return lo.Neg(lo), most.Rsh(most, width)
}

// sumLimits bounds a sum over ℤ of products of words of type t; exact is false where a product may wrap, which the bounds allow for.
func (c *checker) sumLimits(t ir.Type, sum poly.Poly) (least, most *big.Int, exact bool) {
	least, most, exact = new(big.Int), new(big.Int), true
	for _, part := range sum.Terms() {
		low, high, ok := c.productLimits(t, part.Mono)
		if !ok {
			low, high = poly.Limits(t)
		}
		low, high = spread([]*big.Int{part.Coef.Num()}, low, high)
		least.Add(least, low)
		most.Add(most, high)
		exact = exact && ok
	}
	return least, most, exact
}

// staysWithin reports whether a sum of products of words of type t, computed over ℤ, is always a
// value of a type that is no wider: then no product wraps either.
func (c *checker) staysWithin(narrow, t ir.Type, sum poly.Poly) bool {
	lo, hi, exact := c.sumLimits(t, sum)
	least, most := poly.Limits(narrow)
	return exact && c.Ring(t).IsModular() && least.Cmp(lo) <= 0 && hi.Cmp(most) <= 0
}

// productLimits bounds a product over ℤ of words of type t; ok is false where it may wrap.
func (c *checker) productLimits(t ir.Type, m string) (lo, hi *big.Int, ok bool) {
	lo, hi = big.NewInt(1), big.NewInt(1)
	for _, f := range poly.Factors(m) {
		low, high := c.atomLimits(t, c.Atoms[f])
		lo, hi = spread([]*big.Int{lo, hi}, low, high)
	}
	tmin, tmax := poly.Limits(t)
	return lo, hi, tmin.Cmp(lo) <= 0 && hi.Cmp(tmax) <= 0
}

// spread returns the least and the greatest of some numbers times low or high.
func spread(ks []*big.Int, low, high *big.Int) (lo, hi *big.Int) {
	var products []*big.Int
	for _, k := range ks {
		products = append(products, new(big.Int).Mul(k, low), new(big.Int).Mul(k, high))
	}
	return slices.MinFunc(products, (*big.Int).Cmp), slices.MaxFunc(products, (*big.Int).Cmp)
}

// atomLimits bounds a word by the type that it was widened from, or the divisor of a remainder.
func (c *checker) atomLimits(t ir.Type, a poly.Atom) (lo, hi *big.Int) {
	switch {
	case a.Kind != poly.Opaque || a.Type != t:
	case a.Op == ir.Cast && c.Ring(a.From).IsModular() && poly.Contains(t, a.From):
		return poly.Limits(a.From)
	case a.Op == ir.Mod:
		by := a.Args[1]
		if n, ok := poly.Whole(by); ok && n > 0 {
			return new(big.Int), big.NewInt(n - 1)
		}
		if m, ok := by.Monomial(); ok && m != "" {
			if low, high, ok := c.productLimits(t, m); ok && low.Sign() >= 0 {
				return new(big.Int), high
			}
		}
	}
	return poly.Limits(t)
}
