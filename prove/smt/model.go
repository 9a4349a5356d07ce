//go:build !js

package smt

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// sexpr is a word, or a list in parentheses.
type sexpr struct {
	word string
	list []sexpr
}

// parseSexpr reads one expression.
func parseSexpr(text string) (sexpr, bool) {
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	stack := [][]sexpr{nil}
	for _, w := range words {
		top := len(stack) - 1
		switch {
		case w == "(":
			stack = append(stack, nil)
		case w == ")" && top == 0:
			return sexpr{}, false
		case w == ")":
			stack[top-1] = append(stack[top-1], sexpr{list: stack[top]})
			stack = stack[:top]
		default:
			stack[top] = append(stack[top], sexpr{word: w})
		}
	}
	if len(stack) != 1 || len(stack[0]) != 1 {
		return sexpr{}, false
	}
	return stack[0][0], true
}

// value returns a model's value as a carried value of type t, where it is one.
func (s sexpr) value(t ir.Type) (uint64, bool) {
	switch {
	case t == ir.Bool:
		if s.word == "true" {
			return 1, true
		}
		return 0, s.word == "false"
	case t.IsFloat():
		return s.float(t)
	}
	if v, width, ok := s.word2(); ok {
		return t.Wrap(v), width == t.Bits()
	}
	q, ok := s.number()
	lo, hi := limits(t)
	if !ok || !q.IsInt() || q.Num().Cmp(lo) < 0 || q.Num().Cmp(hi) > 0 {
		return 0, false
	}
	return t.Wrap(wrapBig(q.Num())), true
}

// wrapBig returns z modulo 2^64.
func wrapBig(z *big.Int) uint64 {
	return new(big.Int).Mod(z, power(64)).Uint64()
}

// word2 returns a bit-vector: #x…, #b… or (_ bv7 8).
func (s sexpr) word2() (v uint64, width int, ok bool) {
	if len(s.list) == 3 && s.list[0].word == "_" && strings.HasPrefix(s.list[1].word, "bv") {
		v, err := strconv.ParseUint(s.list[1].word[2:], 10, 64)
		width, err2 := strconv.Atoi(s.list[2].word)
		return v, width, err == nil && err2 == nil
	}
	if len(s.word) < 3 || s.word[0] != '#' {
		return 0, 0, false
	}
	base, bits := 2, 1
	if s.word[1] == 'x' {
		base, bits = 16, 4
	}
	v, err := strconv.ParseUint(s.word[2:], base, 64)
	return v, bits * (len(s.word) - 2), err == nil
}

// number returns an Int or Real: 5, 5.0, (- 5), (/ 1 2).
func (s sexpr) number() (*big.Rat, bool) {
	if s.list == nil {
		return new(big.Rat).SetString(s.word)
	}
	var args []*big.Rat
	for _, a := range s.list[1:] {
		q, ok := a.number()
		if !ok {
			return nil, false
		}
		args = append(args, q)
	}
	switch {
	case len(args) == 1 && s.list[0].word == "-":
		return args[0].Neg(args[0]), true
	case len(args) == 2 && s.list[0].word == "/" && args[1].Sign() != 0:
		return args[0].Quo(args[0], args[1]), true
	}
	return nil, false
}

// float returns a FloatingPoint: (fp #b0 #x.. #b..), (_ +oo 8 24), …; or a Real that is a float.
func (s sexpr) float(t ir.Type) (uint64, bool) {
	if len(s.list) == 4 && s.list[0].word == "fp" {
		var bits uint64
		total := 0
		for _, part := range s.list[1:] {
			v, width, ok := part.word2()
			if !ok {
				return 0, false
			}
			bits, total = bits<<width|v, total+width
		}
		return ir.FloatBits(t, ir.Float(t, bits)), total == t.Bits()
	}
	if len(s.list) == 4 && s.list[0].word == "_" {
		f, err := strconv.ParseFloat(map[string]string{"NaN": "nan", "+oo": "+inf", "-oo": "-inf", "+zero": "0", "-zero": "-0"}[s.list[1].word], 64)
		return ir.FloatBits(t, f), err == nil
	}
	q, ok := s.number()
	if !ok {
		return 0, false
	}
	f, _ := q.Float64()
	v := ir.FloatBits(t, f)
	back := new(big.Rat).SetFloat64(ir.Float(t, v))
	return v, back != nil && back.Cmp(q) == 0
}
