package syntax

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// flagWords may stand behind an opcode.
var flagWords = map[string]bool{
	"nsw": true, "nuw": true, "exact": true, "fast": true, "reassoc": true, "nnan": true, "ninf": true, "nsz": true, "arcp": true, "contract": true,
	"afn": true, "inbounds": true, "nusw": true, "nneg": true, "disjoint": true, "samesign": true, "volatile": true, "atomic": true, "inrange": true,
	"tail": true, "musttail": true, "notail": true, "inalloca": true, "swifterror": true,
}

var binary = map[string]bool{"add": true, "fadd": true, "sub": true, "fsub": true, "mul": true, "fmul": true, "udiv": true, "sdiv": true, "fdiv": true,
	"urem": true, "srem": true, "frem": true, "shl": true, "lshr": true, "ashr": true, "and": true, "or": true, "xor": true}

var casts = map[string]bool{"trunc": true, "zext": true, "sext": true, "fptrunc": true, "fpext": true, "fptoui": true, "fptosi": true, "uitofp": true,
	"sitofp": true, "ptrtoint": true, "inttoptr": true, "bitcast": true, "addrspacecast": true, "ptrtoaddr": true}

// instruction parses one instruction and its line.
func (p *parser) instruction() *Inst {
	in := &Inst{Pos: p.peek().pos, Flags: map[string]bool{}, Meta: map[string]string{}, Attrs: map[string]bool{}}
	if p.peek().kind == local {
		in.Res = p.next().text
		p.expect("=")
	}
	op := p.next()
	if op.kind != word {
		p.at--
		p.fail("expected an instruction, not %s", p.quoted())
	}
	if flagWords[op.text] && p.is("call") { // tail call
		in.Flags[op.text] = true
		op = p.next()
	}
	in.Op = op.text
	start := p.at
	for flagWords[p.peek().text] && p.peek().kind == word {
		in.Flags[p.next().text] = true
	}
	p.operands(in)
	p.rest(in)
	in.Text = in.Op
	if in.Uses != nil || in.Op == "call" {
		for _, t := range p.tokens[start:min(p.at, start+12)] {
			if t.kind != newline {
				in.Text += " " + t.text
			}
		}
	}
	return in
}

// operands parses what an opcode takes.
func (p *parser) operands(in *Inst) {
	switch {
	case binary[in.Op]:
		in.Type = p.typ()
		in.Args = p.list(in.Type, 2)
	case in.Op == "fneg" || in.Op == "freeze":
		in.Type = p.typ()
		in.Args = p.list(in.Type, 1)
	case in.Op == "icmp" || in.Op == "fcmp":
		in.Pred = p.next().text
		in.Args = p.list(p.typ(), 2)
		in.Type = &Type{Kind: Integer, Bits: 1}
		if t := in.Args[0].Type; t.Kind == Vector {
			in.Type = &Type{Kind: Vector, Len: t.Len, Elem: in.Type}
		}
	case casts[in.Op]:
		in.Args = []Value{p.typed()}
		p.expect("to")
		in.Type = p.typ()
	case in.Op == "select":
		in.Args = []Value{p.typed()}
		for range 2 {
			p.expect(",")
			in.Args = append(in.Args, p.typed())
		}
		in.Type = in.Args[1].Type
	case in.Op == "phi":
		p.phi(in)
	case in.Op == "load":
		in.Type = p.typ()
		p.expect(",")
		in.Args = []Value{p.typed()}
	case in.Op == "store":
		in.Args = []Value{p.typed()}
		p.expect(",")
		in.Args = append(in.Args, p.typed())
		in.Type = in.Args[0].Type
	case in.Op == "alloca":
		in.Type = p.typ()
	case in.Op == "getelementptr":
		in.Type = p.typ()
		for p.is(",") {
			p.next()
			if p.peek().kind == meta {
				p.at--
				break
			}
			in.Args = append(in.Args, p.typed())
		}
	case in.Op == "extractvalue":
		in.Args = []Value{p.typed()}
		p.indices(in)
	case in.Op == "insertvalue":
		in.Args = []Value{p.typed()}
		p.expect(",")
		in.Args = append(in.Args, p.typed())
		in.Type = in.Args[0].Type
		p.indices(in)
	case in.Op == "call" || in.Op == "invoke":
		p.call(in)
	case in.Op == "br":
		p.branch(in)
	case in.Op == "switch":
		p.switchTable(in)
	case in.Op == "ret":
		if p.is("void") {
			p.next()
		} else {
			in.Args = []Value{p.typed()}
		}
	default:
		in.Uses = []string{}
	}
}

func (p *parser) phi(in *Inst) {
	in.Type = p.typ()
	for {
		p.expect("[")
		in.Args = append(in.Args, p.value(in.Type))
		p.expect(",")
		in.Labels = append(in.Labels, p.localName())
		p.expect("]")
		if !p.is(",") || p.ahead(1).text != "[" {
			return
		}
		p.next()
	}
}

func (p *parser) localName() string {
	if p.peek().kind != local {
		p.fail("expected a local name, not %s", p.quoted())
	}
	return p.next().text
}

// indices parses the constant indices of extractvalue and insertvalue, as flags of the instruction's path.
func (p *parser) indices(in *Inst) {
	for p.is(",") && p.ahead(1).kind == word {
		p.next()
		in.Labels = append(in.Labels, p.next().text)
	}
}

func (p *parser) branch(in *Inst) {
	if p.is("label") {
		p.next()
		in.Labels = []string{p.localName()}
		return
	}
	in.Args = []Value{p.typed()}
	for range 2 {
		p.expect(",")
		p.expect("label")
		in.Labels = append(in.Labels, p.localName())
	}
}

func (p *parser) switchTable(in *Inst) {
	in.Args = []Value{p.typed()}
	p.expect(",")
	p.expect("label")
	in.Labels = []string{p.localName()}
	for p.expect("["); !p.is("]"); {
		if p.peek().kind == newline {
			p.next()
			continue
		}
		in.Args = append(in.Args, p.typed())
		p.expect(",")
		p.expect("label")
		in.Labels = append(in.Labels, p.localName())
	}
	p.next()
}

func (p *parser) call(in *Inst) {
	in.Type = p.typeAfterWords(in.Attrs)
	for flag := range in.Attrs {
		if flagWords[flag] {
			in.Flags[flag] = true
		}
	}
	switch t := p.peek(); t.kind {
	case global:
		in.Callee = "@" + unquoted(p.next().text[1:])
	case local:
		p.next()
	default: // asm, a constant expression
		for !p.is("(") && p.peek().kind != newline && p.peek().kind != end {
			p.next()
		}
		if p.ahead(1).kind != punct && p.is("(") && t.text != "asm" {
			p.parens()
		}
	}
	if !p.is("(") {
		p.fail("expected the arguments of a call, not %s", p.quoted())
	}
	for p.next(); !p.is(")"); {
		in.Args = append(in.Args, p.argument())
		if !p.is(")") {
			p.expect(",")
		}
	}
	p.next()
	if in.Op == "invoke" {
		for p.peek().kind != newline || p.ahead(1).text == "to" {
			if t := p.next(); t.kind == end {
				return
			} else if t.text == "label" {
				in.Labels = append(in.Labels, p.localName())
			}
		}
	}
}

// argument parses an argument of a call, with attributes between its type and its value.
func (p *parser) argument() Value {
	if p.is("metadata") {
		v := Value{Kind: Other, Type: simpleTypes["metadata"], Text: "metadata", Pos: p.peek().pos}
		for !p.is(",") && !p.is(")") && p.peek().kind != newline && p.peek().kind != end {
			if t := p.peek(); t.kind == punct && t.text == "(" || t.kind == punct && t.text == "{" {
				p.parens()
			} else {
				p.next()
			}
		}
		return v
	}
	t := p.typ()
	for p.peek().kind == word && !isConstant(p.peek().text) && p.ahead(1).text != "," && p.ahead(1).text != ")" {
		attr := p.next()
		if p.is("(") {
			if constantExprs[attr.text] {
				p.at--
				break
			}
			p.parens()
		} else if attr.text == "align" || attr.text == "alignstack" {
			p.next()
		} else if constantExprs[attr.text] {
			p.at--
			break
		}
	}
	return p.value(t)
}

// rest parses metadata behind the operands, and what an unknown instruction uses, up to the end of the line.
func (p *parser) rest(in *Inst) {
	for {
		t := p.peek()
		switch {
		case t.kind == end:
			return
		case t.kind == newline:
			if w := p.ahead(1); w.kind == word && (w.text == "to" || w.text == "cleanup" || w.text == "catch" || w.text == "filter" || w.text == "unwind") && in.Uses != nil {
				p.next()
				continue
			}
			return
		case t.kind == meta && p.ahead(1).kind == meta:
			p.next()
			in.Meta[t.text] = p.next().text
		case t.kind == local && in.Uses != nil:
			in.Uses = append(in.Uses, t.text)
			p.next()
		case in.Op == "call" && (t.kind == hash || t.kind == word || t.kind == text):
			p.attribute(in.Attrs)
		default:
			p.next()
		}
	}
}

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
