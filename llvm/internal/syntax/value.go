package syntax

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

func (p *parser) typed() Value { return p.value(p.typ()) }

func (p *parser) list(t *Type, n int) (vs []Value) {
	for i := range n {
		if i > 0 {
			p.expect(",")
		}
		vs = append(vs, p.value(t))
	}
	return vs
}

func isConstant(text string) bool {
	switch text {
	case "true", "false", "null", "zeroinitializer", "none", "undef", "poison":
		return true
	}
	c := text[0]
	return c >= '0' && c <= '9' || c == '-' || c == '+' || len(text) > 2 && strings.HasPrefix(text[1:], "0x")
}

var constantExprs = map[string]bool{"getelementptr": true, "bitcast": true, "inttoptr": true, "ptrtoint": true, "addrspacecast": true, "trunc": true,
	"add": true, "sub": true, "mul": true, "xor": true, "icmp": true, "select": true, "blockaddress": true, "dso_local_equivalent": true, "no_cfi": true, "splat": true, "ptrauth": true, "shl": true, "zext": true, "sext": true, "and": true, "or": true, "lshr": true, "ptrtoaddr": true}

// value parses an operand of a type.
func (p *parser) value(t *Type) Value {
	tok := p.peek()
	v := Value{Type: t, Text: tok.text, Pos: tok.pos, Kind: Other}
	switch {
	case tok.kind == local:
		v.Kind = Local
		p.next()
	case tok.kind == global:
		v.Kind, v.Text = Global, "@"+unquoted(tok.text[1:])
		p.next()
	case tok.kind == punct && brackets[tok.text] != "":
		p.parens()
	case tok.kind == word && isConstant(tok.text):
		p.next()
		p.constant(&v, tok)
	case tok.kind == word && (tok.text == "asm" || constantExprs[tok.text]):
		for p.next(); !p.is("("); p.next() {
			if p.peek().kind == newline || p.peek().kind == end {
				p.fail("expected a value, not %s", p.quoted())
			}
		}
		p.parens()
	case tok.kind == word && tok.text == "c" && p.ahead(1).kind == text:
		p.at += 2
	case tok.kind == meta || tok.kind == text:
		p.next()
	default:
		p.fail("expected a value, not %s", p.quoted())
	}
	return v
}

// constant reads a literal.
func (p *parser) constant(v *Value, tok token) {
	s := tok.text
	switch s {
	case "true", "false":
		v.Kind = Int
		if s == "true" {
			v.Bits = 1
		}
		return
	case "null", "zeroinitializer", "none":
		v.Kind = Null
		return
	case "undef", "poison":
		v.Kind = Undefined
		return
	}
	if t := v.Type; t != nil && (t.Kind == FloatType || t.Kind == DoubleType) {
		v.Kind = Float
		if !v.float(s) {
			p.at--
			p.fail("%q is no number of type %s", s, t)
		}
		return
	}
	n, ok := new(big.Int).SetString(s, 10)
	switch {
	case ok && v.Type != nil && v.Type.Kind == Integer:
		v.Kind = Int
		v.Wide = n.BitLen() > 64
		v.Bits = n.Uint64()
		if n.Sign() < 0 {
			v.Bits = -new(big.Int).Neg(n).Uint64()
		}
	case !ok && v.Type != nil && v.Type.Kind == Integer && !strings.Contains(s, "0x"):
		p.at--
		p.fail("%q is no number of type %s", s, v.Type)
	}
}

// float reads a literal in decimals or, of doubles and of floats alike, as the bits of a double; f0x… has the bits of its type.
func (v *Value) float(s string) bool {
	if hex, ok := strings.CutPrefix(s, "f0x"); ok {
		bits, err := strconv.ParseUint(hex, 16, 64)
		if v.Bits = bits; v.Type.Kind == FloatType {
			v.Bits = math.Float64bits(float64(math.Float32frombits(uint32(bits))))
		}
		return err == nil
	}
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		bits, err := strconv.ParseUint(hex, 16, 64)
		v.Bits = bits
		return err == nil
	}
	f, err := strconv.ParseFloat(s, 64)
	v.Bits = math.Float64bits(f)
	return err == nil
}
