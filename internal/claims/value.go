package claims

import (
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/rfactor-go/rfactor/ir"
)

// world is the semantics that expressions are evaluated in.
type world struct {
	assume ir.Assume
	spans  bool // real numbers are intervals: exp, log and sqrt occur under afn
}

// form is how values of a type are represented in a world.
type form uint8

const (
	word  form = iota // the machine's value
	whole             // an unbounded integer
	real              // a rational number or an interval, an infinity or NaN
)

func (w world) form(t ir.Type) form {
	switch {
	case w.assume.Unbounded(t):
		return whole
	case t.IsFloat() && w.assume.Has(ir.Reassoc):
		return real
	}
	return word
}

// value is a value in one of the forms. A value that is void makes the point worthless: it
// breaks an assumption, or its meaning is not known.
type value struct {
	bits   uint64     // word
	z      *big.Int   // whole
	r      *big.Rat   // real: a number, exactly
	lo, hi *big.Float // real: a number in an interval
	inf    int8       // real: the sign of an infinity
	unsure bool       // real: the infinity comes of a division by zero, whose sign is ignored
	nan    bool       // real
	void   bool
}

var voided = value{void: true}

func truth(b bool) value {
	if b {
		return value{bits: 1}
	}
	return value{}
}

// maxBits bounds numbers; where they grow beyond it the point is void.
const maxBits = 6000

// spanPrec is the precision of the ends of intervals.
const spanPrec = 300

// number reads a machine's value.
func (w world) number(t ir.Type, v uint64) value {
	switch w.form(t) {
	case whole:
		return value{z: integer(t, v)}
	case real:
		return w.realOf(ir.Float(t, v))
	}
	return value{bits: v}
}

func integer(t ir.Type, v uint64) *big.Int {
	if t.IsSigned() {
		return big.NewInt(int64(v))
	}
	return new(big.Int).SetUint64(v)
}

func (w world) realOf(f float64) value {
	switch {
	case f != f:
		return value{nan: true}
	case math.IsInf(f, 0):
		return value{inf: int8(math.Copysign(1, f))}
	}
	return w.exact(new(big.Rat).SetFloat64(f))
}

// exact is a rational number in the world.
func (w world) exact(r *big.Rat) value {
	if !w.spans {
		return value{r: r}
	}
	return value{lo: ending(big.ToNegativeInf).SetRat(r), hi: ending(big.ToPositiveInf).SetRat(r)}
}

func ending(mode big.RoundingMode) *big.Float {
	return new(big.Float).SetPrec(spanPrec).SetMode(mode)
}

// machine is an integer as the machine has it; false where it does not fit its type.
func machine(t ir.Type, z *big.Int) (uint64, bool) {
	if z.Cmp(integer(t, t.Min())) < 0 || z.Cmp(integer(t, t.Max())) > 0 {
		return 0, false
	}
	if z.Sign() < 0 {
		return uint64(z.Int64()), true
	}
	return z.Uint64(), true
}

// double is the float64 nearest to a real number; false where it is not known.
func (v value) double() (float64, bool) {
	switch {
	case v.nan:
		return math.NaN(), true
	case v.inf != 0:
		return math.Inf(int(v.inf)), !v.unsure
	case v.r != nil:
		f, _ := v.r.Float64()
		return f, true
	}
	return 0, false
}

// sign is that of a number; false where an interval leaves it open.
func (v value) sign() (int, bool) {
	if v.r != nil {
		return v.r.Sign(), true
	}
	return v.lo.Sign(), v.lo.Sign() == v.hi.Sign()
}

// compare orders two real values neither of which is NaN; false where that is not known.
func compare(a, b value) (int, bool) {
	switch {
	case a.inf != 0 || b.inf != 0:
		return int(a.inf) - int(b.inf), !a.unsure && !b.unsure
	case a.r != nil:
		return a.r.Cmp(b.r), true
	case a.hi.Cmp(b.lo) < 0:
		return -1, true
	case a.lo.Cmp(b.hi) > 0:
		return 1, true
	}
	return 0, a.lo.Cmp(a.hi) == 0 && b.lo.Cmp(b.hi) == 0
}

// differ reports whether two results of type t are certainly not the same.
func (w world) differ(t ir.Type, a, b value) bool {
	switch w.form(t) {
	case whole:
		return a.z.Cmp(b.z) != 0
	case real:
		switch {
		case a.nan || b.nan:
			return a.nan != b.nan
		case a.inf != 0 || b.inf != 0:
			return (a.inf == 0) != (b.inf == 0) || a.inf != b.inf && !a.unsure && !b.unsure
		case a.r != nil:
			return a.r.Cmp(b.r) != 0
		}
		return a.hi.Cmp(b.lo) < 0 || b.hi.Cmp(a.lo) < 0
	}
	if !t.IsFloat() {
		return a.bits != b.bits
	}
	f, g := ir.Float(t, a.bits), ir.Float(t, b.bits)
	switch {
	case f != f || g != g:
		return (f != f) != (g != g)
	case f == 0 && g == 0:
		return !w.assume.Has(ir.NSZ) && math.Signbit(f) != math.Signbit(g)
	}
	return f != g
}

// text is a value of type t for people.
func (v value) text(t ir.Type) string {
	switch {
	case v.void:
		return "void"
	case v.z != nil:
		return v.z.String()
	case v.r != nil:
		return v.r.RatString()
	case v.lo != nil:
		return v.lo.Text('g', 12)
	case v.nan:
		return "NaN"
	case v.inf != 0:
		return fmt.Sprint(math.Inf(int(v.inf)))
	case t == ir.Bool:
		return strconv.FormatBool(v.bits != 0)
	case t.IsFloat():
		return fmt.Sprint(ir.Float(t, v.bits))
	}
	return integer(t, v.bits).String()
}
