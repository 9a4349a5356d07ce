package rules

import "github.com/rfactor-go/rfactor/ir"

// parser reads sides of rules, each at the first type that fits. The zero parser is ready for use.
type parser struct {
	pools [3]*ir.Pool // of terms at each type, which share what they have in common
}

// ParseTerm reads one side of a rule, which package ir reads at the first type that fits.
func ParseTerm(s string) (*Term, error) { return new(parser).term(s) }

func (p *parser) term(s string) (*Term, error) {
	var first error
	for i, t := range [3]ir.Type{ir.I64, ir.F64, ir.Bool} {
		if p.pools[i] == nil {
			p.pools[i] = ir.NewPool()
		}
		pool := p.pools[i]
		variable := func(name string) (ir.Expr, bool) {
			if len(name) > 1 {
				return ir.Expr{}, false
			}
			return pool.Var(ir.Leaf, name, 0, typeOf(name, t)), true
		}
		for _, want := range [2]ir.Type{t, ir.Bool} {
			e, err := ir.Read(pool, variable, want, s)
			if err == nil {
				return termOf(e), nil
			} else if first == nil {
				first = err
			}
		}
	}
	return nil, first
}

func termOf(e ir.Expr) *Term {
	t := &Term{Op: e.Op()}
	if t.Op.Arity() == 0 {
		t.Name = e.String()
	}
	for i := range e.NumArgs() {
		t.Args = append(t.Args, termOf(e.Arg(i)))
	}
	return t
}
