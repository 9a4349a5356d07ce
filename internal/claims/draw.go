package claims

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/rfactor-go/rfactor/ir"
)

// drawer draws points: small numbers, limits, powers of two, literals of the claim and their
// neighbours, anything; often the same value for two variables.
type drawer struct {
	world
	rng      *rand.Rand
	vars     []ir.Expr
	literals map[ir.Type][]uint64 // that occur in the claim
	ofLoop   bool                 // states and inputs are those of the loop, and so values of their types
	infinite bool                 // draw infinities where floats are real numbers, too
}

func newDrawer(w world, seed uint64, vars []ir.Expr, es []ir.Expr) *drawer {
	d := &drawer{world: w, rng: rand.New(rand.NewPCG(seed, 15)), vars: vars, literals: map[ir.Type][]uint64{}}
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type() != ir.Bool {
			d.literals[e.Type()] = append(d.literals[e.Type()], e.Value())
		}
	})
	return d
}

// bits is how many bits all variables have together.
func (d *drawer) bits() (n int) {
	for _, v := range d.vars {
		n += v.Type().Bits()
	}
	return n
}

// count fills env with the i-th of all points.
func (d *drawer) count(i uint64, env []value) {
	for n, v := range d.vars {
		t := v.Type()
		env[n] = d.number(t, t.Wrap(i))
		i >>= t.Bits()
	}
}

const styles = 7

// draw fills env with the i-th random point.
func (d *drawer) draw(i int, env []value) {
	style := i % styles
	for n, v := range d.vars {
		t, s := v.Type(), style
		if d.rng.IntN(3) == 0 {
			s = d.rng.IntN(styles)
		}
		if n > 0 && d.rng.IntN(4) == 0 {
			if j := d.rng.IntN(n); d.vars[j].Type() == t {
				env[n] = env[j]
				continue
			}
		}
		env[n] = d.value(v, s)
	}
}

// value draws one for a variable. What the loop has is a value of its type even where integers
// are unbounded; a partial result need not be.
func (d *drawer) value(v ir.Expr, style int) value {
	t := v.Type()
	switch {
	case d.form(t) == whole && (d.ofLoop || v.Kind() == ir.Param):
		return value{z: integer(t, d.integer(t, style))}
	case d.form(t) == whole:
		return value{z: d.whole(t, style)}
	case d.form(t) == real:
		return d.real(t, style)
	case t == ir.Bool:
		return value{bits: d.rng.Uint64() & 1}
	case t.IsFloat():
		return value{bits: d.ieee(t, style)}
	}
	return value{bits: d.integer(t, style)}
}

func (d *drawer) literal(t ir.Type) (uint64, bool) {
	if len(d.literals[t]) == 0 {
		return 0, false
	}
	return d.literals[t][d.rng.IntN(len(d.literals[t]))], true
}

func (d *drawer) integer(t ir.Type, style int) uint64 {
	small := d.rng.IntN(7) - 3
	switch style {
	case 1:
		small = d.rng.IntN(41) - 20
	case 2:
		limits := []uint64{t.Min(), t.Max(), t.Max() / 2, t.Max()/2 + 1, t.Min() / 2}
		return t.Wrap(limits[d.rng.IntN(len(limits))] + uint64(small))
	case 3:
		return t.Wrap(1<<d.rng.IntN(t.Bits()) + uint64(d.rng.IntN(3)-1))
	case 4:
		return t.Wrap(d.rng.Uint64())
	case 5:
		if v, ok := d.literal(t); ok {
			return t.Wrap(v + uint64(d.rng.IntN(3)-1))
		}
	case 6:
		return t.Wrap(d.rng.Uint64() >> d.rng.IntN(64))
	}
	if t.IsUnsigned() {
		small = max(small, -small)
	}
	return t.Wrap(uint64(int64(small)))
}

func (d *drawer) whole(t ir.Type, style int) *big.Int {
	z := integer(t, d.integer(t, style))
	switch d.rng.IntN(8) {
	case 0: // beyond the type
		z.Mul(z, big.NewInt(int64(1+d.rng.IntN(5))))
	case 1:
		z.Rsh(z, uint(d.rng.IntN(t.Bits())))
	}
	return z
}

func (d *drawer) real(t ir.Type, style int) value {
	if d.infinite && d.rng.IntN(6) == 0 && !d.assume.Has(ir.NInf) {
		return value{inf: int8(1 - 2*d.rng.IntN(2))}
	}
	n, m := int64(d.rng.IntN(9)-4), int64(1)
	switch style {
	case 0: // so that sums are often zero
		n = int64(d.rng.IntN(5) - 2)
	case 1:
		n, m = int64(d.rng.IntN(61)-30), 1<<d.rng.IntN(4)
	case 2:
		m = int64(1 + d.rng.IntN(6))
	case 3:
		n, m = int64(d.rng.IntN(2001)-1000), 1<<d.rng.IntN(12)
	case 5:
		if v, ok := d.literal(t); ok && !math.IsInf(ir.Float(t, v), 0) && ir.Float(t, v) == ir.Float(t, v) {
			r := new(big.Rat).SetFloat64(ir.Float(t, v))
			return d.exact(r.Add(r, big.NewRat(int64(d.rng.IntN(3)-1), 1)))
		}
	case 6:
		if !d.spans {
			n, m = int64(d.rng.Uint64()>>(16+d.rng.IntN(47))), 1
		}
	}
	if d.spans {
		m = 1 << d.rng.IntN(3) // so that an end of the interval is exact
	}
	return d.exact(big.NewRat(n, m))
}

func (d *drawer) ieee(t ir.Type, style int) uint64 {
	f := float64(d.rng.IntN(9)-4) / 2
	switch style {
	case 1:
		f = float64(d.rng.IntN(61) - 30)
	case 2:
		odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.MaxFloat64, -math.MaxFloat64, math.MaxFloat32, 1e-45, 5e-324}
		f = odd[d.rng.IntN(len(odd))]
	case 3:
		f = d.rng.NormFloat64() * 1e3
	case 4:
		f = math.Float64frombits(d.rng.Uint64())
	case 5:
		if v, ok := d.literal(t); ok {
			f = ir.Float(t, v) + float64(d.rng.IntN(3)-1)
		}
	case 6:
		f = math.Ldexp(d.rng.NormFloat64(), d.rng.IntN(80)-40)
	}
	v := ir.FloatBits(t, f)
	f = ir.Float(t, v)
	if f != f && d.assume.Has(ir.NNaN) || math.IsInf(f, 0) && d.assume.Has(ir.NInf) {
		return ir.FloatBits(t, 1)
	}
	return v
}
