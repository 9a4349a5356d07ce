package kernel

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// GoType is the types of Go.
var GoType = [ir.NumTypes]string{
	ir.Bool: "bool", ir.I8: "int8", ir.I16: "int16", ir.I32: "int32", ir.I64: "int64",
	ir.U8: "uint8", ir.U16: "uint16", ir.U32: "uint32", ir.U64: "uint64", ir.F32: "float32", ir.F64: "float64",
}

// Use is called with each package or function that written code names, and returns the name as the code writes it. A nil Use
// records nothing.
type Use func(name string) string

// Name tells u that code uses a name, and returns the name as the code writes it. A nil Use returns the name itself.
func (u Use) Name(name string) string {
	if u == nil {
		return name
	}
	return u(name)
}

// GoLiteral is a value of type t; with its type where asked for.
func (u Use) GoLiteral(t ir.Type, v uint64, typed bool) string {
	switch {
	case t == ir.Bool:
		return strconv.FormatBool(v != 0)
	case t.IsFloat():
		return u.floatLiteral(t, ir.Float(t, v), typed)
	}
	s := u.intLiteral(t, v)
	if typed {
		return GoType[t] + "(" + s + ")"
	}
	return s
}

func (u Use) intLiteral(t ir.Type, v uint64) string {
	name := strings.ToUpper(GoType[t][:1]) + GoType[t][1:]
	switch {
	case t.Bits() >= 32 && v == t.Max():
		return u.Name("math") + ".Max" + name
	case t.IsSigned() && t.Bits() >= 32 && v == t.Min():
		return u.Name("math") + ".Min" + name
	case t.IsUnsigned():
		return strconv.FormatUint(v, 10)
	}
	return strconv.FormatInt(int64(v), 10)
}

func (u Use) floatLiteral(t ir.Type, f float64, typed bool) string {
	s := strconv.FormatFloat(f, 'g', -1, t.Bits())
	switch {
	case f != f:
		s = u.Name("math") + ".NaN()"
	case s == "+Inf" || s == "-Inf":
		s = u.Name("math") + map[string]string{"+Inf": ".Inf(1)", "-Inf": ".Inf(-1)"}[s]
	case s == "-0": // the literal would be +0
		s = u.Name("math") + ".Copysign(0, -1)"
	default:
		if typed {
			return GoType[t] + "(" + s + ")"
		}
		return s
	}
	return GoType[t] + "(" + s + ")"
}

// GoPower is a count, as a power of two where it is a great one.
func GoPower(n int) string {
	if log := bits.TrailingZeros(uint(n)); n >= 1<<10 && n == 1<<log {
		return fmt.Sprintf("1<<%d", log)
	}
	return strconv.Itoa(n)
}
