package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// parser reads a term: precedence climbing over ir's operators.
type parser struct {
	text string
	pos  int
	err  error
}

// ParseTerm reads one side of a rule.
func ParseTerm(s string) (*Term, error) {
	p := &parser{text: s}
	t := p.infix(1)
	if p.space(); p.err == nil && p.pos < len(s) {
		p.fail("unexpected %q", s[p.pos:])
	}
	return t, p.err
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%s: column %d: %s", p.text, p.pos+1, fmt.Sprintf(format, args...))
	}
}

func (p *parser) space() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

func (p *parser) take(s string) bool {
	if p.space(); strings.HasPrefix(p.text[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

// infixOps are tried in order: longer symbols first.
var infixOps = []ir.Op{ir.And, ir.Or, ir.Shl, ir.Shr, ir.Le, ir.Ge, ir.Eq, ir.Ne, ir.Lt, ir.Gt,
	ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.BitAnd, ir.BitOr, ir.BitXor}

func (p *parser) infix(min int) *Term {
	left := p.prefix()
	for p.err == nil {
		op, ok := p.peekInfix()
		if !ok || op.Prec() < min {
			break
		}
		p.take(op.String())
		left = &Term{Op: op, Args: []*Term{left, p.infix(op.Prec() + 1)}}
	}
	return left
}

func (p *parser) peekInfix() (ir.Op, bool) {
	p.space()
	for _, op := range infixOps {
		if strings.HasPrefix(p.text[p.pos:], op.String()) {
			return op, true
		}
	}
	return 0, false
}

func (p *parser) prefix() *Term {
	p.space()
	rest := p.text[p.pos:]
	switch {
	case rest == "":
		p.fail("a term is missing")
		return &Term{}
	case rest[0] == '-' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		return p.word()
	case p.take("-"):
		return &Term{Op: ir.Neg, Args: []*Term{p.prefix()}}
	case p.take("!"):
		return &Term{Op: ir.Not, Args: []*Term{p.prefix()}}
	case p.take("~"):
		return &Term{Op: ir.BitNot, Args: []*Term{p.prefix()}}
	case p.take("("):
		t := p.infix(1)
		if !p.take(")") {
			p.fail(") is missing")
		}
		return t
	}
	return p.word()
}

// word reads a literal, a variable or a call.
func (p *parser) word() *Term {
	start := p.pos
	for p.pos < len(p.text) && (isWordByte(p.text[p.pos]) || p.pos == start && p.text[p.pos] == '-') {
		p.pos++
	}
	w := p.text[start:p.pos]
	switch {
	case w == "":
		p.fail("unexpected %q", p.text[start:])
		return &Term{}
	case w[0] == '-' || w[0] >= '0' && w[0] <= '9':
		if _, err := strconv.ParseFloat(w, 64); err != nil {
			p.fail("%s is no number", w)
		}
		return &Term{Op: ir.Const, Name: w}
	case w == "true" || w == "false" || w == "tmin" || w == "tmax":
		return &Term{Op: ir.Const, Name: w}
	case len(w) == 1:
		return &Term{Op: ir.Var, Name: w}
	}
	return p.call(w)
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

func (p *parser) call(name string) *Term {
	t := &Term{}
	for op := ir.Op(0); int(op) < ir.NumOps; op++ {
		if op.String() == name && op.Arity() > 0 && op.Prec() == 0 {
			t.Op = op
		}
	}
	if t.Op == 0 || !p.take("(") {
		p.fail("unknown function %s", name)
		return t
	}
	for {
		t.Args = append(t.Args, p.infix(1))
		if !p.take(",") {
			break
		}
	}
	if !p.take(")") || len(t.Args) != t.Op.Arity() {
		p.fail("%s takes %d operands", name, t.Op.Arity())
	}
	return t
}
