package program

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// number is a literal's text taken apart.
type number struct {
	digits string // without its suffix
	neg    bool
	float  bool
	hex    bool
	single bool // suffix f
}

// readNumber takes a literal apart; false where its suffix is none.
func readNumber(text string, neg bool) (number, bool) {
	n := number{neg: neg}
	if lower := strings.ToLower(text); strings.HasPrefix(lower, "0x") {
		n.hex = true
		digits := strings.TrimRight(lower, "ul")
		_, bad := strconv.ParseUint(digits[2:], 16, 64)
		n.digits = digits
		return n, bad == nil || errors.Is(bad, strconv.ErrRange)
	}
	end := strings.LastIndexAny(text, "0123456789.") + 1
	n.digits = text[:end]
	n.float = strings.ContainsAny(n.digits, ".eE")
	switch strings.ToLower(text[end:]) {
	case "":
	case "f":
		n.float, n.single = true, true
	case "u", "l", "ul", "ll", "ull", "lu", "llu":
		return n, !n.float
	default:
		return n, false
	}
	_, bad := strconv.ParseFloat(n.digits, 64)
	return n, bad == nil || errors.Is(bad, strconv.ErrRange)
}

// inInt is the literal in the integer or bool type t. It must be a value of t, or in hexadecimal a bit
// pattern of t's width; where it is cast to t it wraps.
func (n number) inInt(t ir.Type, cast bool) (v uint64, problem string) {
	if n.float {
		return 0, "is not a value of " + t.String()
	}
	m, err := n.magnitude()
	if errors.Is(err, strconv.ErrSyntax) {
		return 0, "is not a number"
	}
	if err != nil {
		return 0, "does not fit 64 bits"
	}
	if t == ir.Bool {
		if m > 1 {
			return 0, "is not a bool: compare it with 0"
		}
		return m, ""
	}
	v = m
	if n.neg {
		v = -m
	}
	limit := t.Max()
	switch {
	case n.neg && t.IsUnsigned():
		limit = 0
	case n.neg:
		limit++
	case n.hex && t.IsSigned():
		limit = t.Unsigned().Max()
	}
	if m > limit && !cast {
		return 0, "is no " + t.String() + " unless cast: that holds " + rangeText(t)
	}
	return t.Wrap(v), ""
}

// isOctal reports whether C++ reads an integer literal in another base than it is read here.
func (n number) isOctal() bool {
	return !n.float && !n.hex && len(n.digits) > 1 && n.digits[0] == '0'
}

// rangeText is the range of an integer type.
func rangeText(t ir.Type) string {
	if t.IsUnsigned() {
		return "0 to " + strconv.FormatUint(t.Max(), 10)
	}
	return strconv.FormatInt(int64(t.Min()), 10) + " to " + strconv.FormatInt(int64(t.Max()), 10)
}

// magnitude is the value of an integer literal without its sign.
func (n number) magnitude() (uint64, error) {
	if n.hex {
		return strconv.ParseUint(n.digits[2:], 16, 64)
	}
	return strconv.ParseUint(n.digits, 10, 64)
}

// inFloat is the literal in the float type t, rounded once.
func (n number) inFloat(t ir.Type) (v uint64, problem string) {
	var f float64
	var err error
	if n.hex {
		m, e := n.magnitude()
		f, err = ir.Float(t, ir.Apply1(ir.Cast, ir.U64, t, m)), e
	} else {
		f, err = strconv.ParseFloat(n.digits, t.Bits())
	}
	if err != nil {
		return 0, "does not fit " + t.String()
	}
	if n.neg {
		f = math.Copysign(f, -1)
	}
	return ir.FloatBits(t, f), ""
}
