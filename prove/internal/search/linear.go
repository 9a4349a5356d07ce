package search

import (
	"cmp"
	"math/bits"
	"slices"
)

// A lvar is a variable of linear constraints. It stands for the value of a monomial, or for the value of a whole
// polynomial of modular arithmetic, whose monomials are no variables then.
type lvar uint32

func monoVar(m uint32) lvar { return lvar(m) << 1 }
func polyVar(p uint32) lvar { return lvar(p)<<1 | 1 }

type lterm struct {
	v lvar
	c int64
}

// constraint says Σ c·v + k ≤ 0, or < 0 where strict. Where exact is set all quantities are
// integers.
type constraint struct {
	terms  []lterm // ascending by v, no zero coefficient
	k      wide
	strict bool
	exact  bool
	from   origin
}

// origin says where a constraint comes from: the two constraints of the refuter that it was
// derived from, or the fact that it states.
type origin struct{ left, right int32 }

const noOrigin int32 = -1 // known of the quantities, or derived from products of facts

// ofFact returns the origin of a constraint that states fact number n.
func ofFact(n int) origin { return origin{int32(-2 - n), noOrigin} }

// fact returns the number of the fact that a constraint states; negative where it states none.
func (o origin) fact() int { return int(-2 - o.left) }

const (
	maxConstraints = 400 // in one refutation
	maxPairs       = 64  // combinations made to eliminate one quantity
	rounding       = 16  // combinations made rather than lose what rounding would
)

// refuter finds out by Fourier–Motzkin elimination whether constraints contradict each
// other. It is reused; all is its arena: input constraints, then derived ones.
type refuter struct {
	all   []constraint
	arena []lterm
	live  []int
	next  []int
	signs []signCount // by quantity
	found []lvar      // that have one
	work  int         // steps taken: terms of constraints that were combined, or looked at anew
	ups   []int       // scratch of eliminate
	downs []int

	stating origin // of the constraints that are added
	end     int    // the constraint that says 0 < 0

	rounded  bool // a quantity was there whose elimination rounds
	keepsAll bool // and derives less within its limits
}

// signCount counts the constraints in which a quantity has a positive coefficient, and those in which it has a negative one. It
// also records whether some constraint of integers has a coefficient other than 1, and one other than −1. With both, eliminating the
// quantity is exact over the rationals alone.
type signCount struct {
	ups, downs               int32
	multipleUp, multipleDown bool
}

// mark returns what is stated so far, for cut.
func (f *refuter) mark() [2]int { return [2]int{len(f.all), len(f.arena)} }

// cut forgets what was stated or derived since the mark.
func (f *refuter) cut(to [2]int) { f.all, f.arena = f.all[:to[0]], f.arena[:to[1]] }

// add states a constraint. The terms are copied.
func (f *refuter) add(c constraint) {
	start := len(f.arena)
	f.arena = append(f.arena, c.terms...)
	c.terms = f.arena[start:len(f.arena):len(f.arena)]
	c.from = f.stating
	f.all = append(f.all, c)
}

// core appends the numbers of the facts that the last contradiction rests on, each once.
func (f *refuter) core(facts []int) []int {
	seen := make([]bool, len(f.all))
	for todo := []int{f.end}; len(todo) > 0; {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		switch o := f.all[i].from; {
		case o.left >= 0:
			todo = append(todo, int(o.left), int(o.right))
		case o.fact() >= 0 && !slices.Contains(facts, o.fact()):
			facts = append(facts, o.fact())
		}
	}
	return facts
}

// contradiction reports whether 0 < 0 follows. It may miss that it does: where eliminating a
// quantity lost something by rounding, another order is tried.
func (f *refuter) contradiction() bool {
	stated := f.mark()
	f.rounded = false
	if f.follows(0) {
		return true
	}
	if !f.rounded || f.keepsAll {
		return false
	}
	f.cut(stated)
	return f.follows(rounding)
}

// follows reports whether 0 < 0 follows by elimination in one order. It prefers a step that makes up to rounding more combinations to one
// that rounds.
func (f *refuter) follows(rounding int) bool {
	f.live = f.live[:0]
	f.work += 2 * len(f.all)
	for i := range f.all {
		if f.absurd(i) {
			f.end = i
			return true
		}
		f.live, _ = f.place(f.live, i)
	}
	for len(f.live) > 0 && len(f.all) <= maxConstraints {
		v, ok := f.cheapest(rounding)
		if !ok {
			return false
		}
		if f.eliminate(v) {
			return true
		}
	}
	return false
}

func (f *refuter) absurd(i int) bool {
	c := &f.all[i]
	if len(c.terms) != 0 {
		return false
	}
	s := c.k.sign()
	return s > 0 || s == 0 && c.strict
}

// cheapest returns the quantity whose elimination makes the fewest combinations; those that round
// have to make so many fewer.
func (f *refuter) cheapest(rounding int) (lvar, bool) {
	for _, i := range f.live {
		exact := f.all[i].exact
		for _, t := range f.all[i].terms {
			for int(t.v) >= len(f.signs) {
				f.signs = append(f.signs, make([]signCount, int(t.v)+64-len(f.signs))...)
			}
			n := &f.signs[t.v]
			if *n == (signCount{}) {
				f.found = append(f.found, t.v)
			}
			if t.c > 0 {
				n.ups++
				n.multipleUp = n.multipleUp || exact && t.c > 1
			} else {
				n.downs++
				n.multipleDown = n.multipleDown || exact && t.c < -1
			}
		}
	}
	best, least, pairs := lvar(0), -1, 0
	for _, v := range f.found {
		n := &f.signs[v]
		p := int(n.ups) * int(n.downs)
		cost := p
		if n.multipleUp && n.multipleDown {
			cost += rounding
			f.rounded = true
		}
		if least < 0 || cost < least || cost == least && v < best {
			best, least, pairs = v, cost, p
		}
		*n = signCount{}
	}
	f.found = f.found[:0]
	return best, least >= 0 && pairs <= maxPairs
}

// eliminate replaces the constraints on v by their combinations without v.
func (f *refuter) eliminate(v lvar) bool {
	ups, downs := f.ups[:0], f.downs[:0]
	f.next = f.next[:0]
	for _, i := range f.live {
		switch c := f.all[i].coef(v); {
		case c > 0:
			ups = append(ups, i)
		case c < 0:
			downs = append(downs, i)
		default:
			f.next = append(f.next, i)
		}
	}
	for _, i := range ups {
		for _, j := range downs {
			n, ok := f.combine(i, j, v)
			if !ok {
				continue
			}
			if f.absurd(n) {
				f.end = n
				return true
			}
			if len(f.all[n].terms) > 0 {
				f.keep(n)
			}
		}
	}
	f.live, f.next = f.next, f.live
	f.ups, f.downs = ups, downs
	return false
}

// keep lists the last constraint n among those that remain, unless one of them implies it.
func (f *refuter) keep(n int) {
	kept := false
	if f.next, kept = f.place(f.next, n); !kept {
		f.arena = f.arena[:len(f.arena)-len(f.all[n].terms)]
		f.all = f.all[:n]
	}
}

// place adds constraint n to a list, unless one there bounds the same sum as closely; it takes
// the place of one that bounds it less. It reports whether n is in the list.
func (f *refuter) place(list []int, n int) ([]int, bool) {
	if f.keepsAll {
		return append(list, n), true
	}
	c := &f.all[n]
	for at, i := range list {
		d := &f.all[i]
		if c.strict != d.strict || !slices.Equal(c.terms, d.terms) {
			continue
		}
		if more, ok := c.k.add(d.k.neg()); ok {
			if more.sign() > 0 {
				list[at] = n
			}
			return list, more.sign() > 0
		}
	}
	return append(list, n), true
}

func (c *constraint) coef(v lvar) int64 {
	for _, t := range c.terms {
		if t.v == v {
			return t.c
		}
	}
	return 0
}

// combine adds multiples of two constraints such that v vanishes. It reports false where a
// number grows too large; giving up a consequence is sound.
func (f *refuter) combine(i, j int, v lvar) (int, bool) {
	a, b := f.all[i].coef(v), -f.all[j].coef(v)
	if a <= 0 || b <= 0 {
		return 0, false // a coefficient of the smallest integer
	}
	g := gcd(a, b)
	return f.derive(i, j, b/g, a/g)
}

// derive appends ma·all[i] + mb·all[j], divided by the common factor of its coefficients.
func (f *refuter) derive(i, j int, ma, mb int64) (int, bool) {
	x, y := &f.all[i], &f.all[j]
	c := constraint{strict: x.strict || y.strict, exact: x.exact && y.exact, from: origin{int32(i), int32(j)}}
	kx, ok1 := x.k.mul(ma)
	ky, ok2 := y.k.mul(mb)
	k, ok3 := kx.add(ky)
	f.work += 4 + len(x.terms) + len(y.terms)
	start := len(f.arena)
	if !(ok1 && ok2 && ok3) || !f.merge(x.terms, ma, y.terms, mb) {
		f.arena = f.arena[:start]
		return 0, false
	}
	c.terms, c.k = f.arena[start:len(f.arena):len(f.arena)], k
	c.tighten()
	f.all = append(f.all, c)
	return len(f.all) - 1, true
}

// tighten divides by the common factor of the coefficients, where all quantities are
// integers.
func (c *constraint) tighten() {
	var g int64
	for _, t := range c.terms {
		g = gcd(g, t.c)
	}
	if g > 1 && c.exact {
		for n := range c.terms {
			c.terms[n].c /= g
		}
		c.k = c.k.ceilDiv(g)
	}
}

// merge appends ma·x + mb·y to the arena.
func (f *refuter) merge(x []lterm, ma int64, y []lterm, mb int64) bool {
	for len(x) > 0 || len(y) > 0 {
		var t lterm
		ok := true
		switch {
		case len(y) == 0 || len(x) > 0 && x[0].v < y[0].v:
			t.v = x[0].v
			t.c, ok = mulOK(x[0].c, ma)
			x = x[1:]
		case len(x) == 0 || y[0].v < x[0].v:
			t.v = y[0].v
			t.c, ok = mulOK(y[0].c, mb)
			y = y[1:]
		default:
			t.v = x[0].v
			p, ok1 := mulOK(x[0].c, ma)
			q, ok2 := mulOK(y[0].c, mb)
			t.c = p + q
			ok = ok1 && ok2 && (p^t.c)&(q^t.c) >= 0
			x, y = x[1:], y[1:]
		}
		if !ok {
			return false
		}
		if t.c != 0 {
			f.arena = append(f.arena, t)
		}
	}
	return true
}

// sortTerms brings terms into the order that constraints keep, and drops zeros.
func sortTerms(ts []lterm) []lterm {
	slices.SortFunc(ts, func(a, b lterm) int { return cmp.Compare(a.v, b.v) })
	return slices.DeleteFunc(ts, func(t lterm) bool { return t.c == 0 })
}

func mulOK(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	p := a * b
	return p, hi == 0 && lo < 1<<62
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
