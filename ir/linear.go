package ir

// Linear is a sum of atoms with coefficients, and a number: what an index such as n - 1 - r is made of. An
// atom is a term that is no sum, difference or multiple itself. Arithmetic wraps as that of the type does, so
// that equal sums are equal values.
type Linear struct {
	typ   Type
	Atoms []Expr  // in the order in which they occur, each once
	Coefs []int64 // of the atoms; none is 0
	Const int64
}

// LinearOf returns an integer expression as a sum. An expression that is none has itself as its atom.
func LinearOf(e Expr) Linear {
	l, visits := Linear{typ: e.Type()}, 0
	l.add(e, 1, &visits)
	return l.tidied()
}

// maxLinear bounds the sums that are taken apart: terms share subterms, and a tree of them may be exponential.
const maxLinear = 256

func (l *Linear) add(e Expr, by int64, visits *int) {
	*visits++
	switch op := e.Op(); {
	case *visits > maxLinear:
		l.addAtom(e, by)
	case op == Const:
		l.Const += by * e.Int()
	case op == Add, op == Sub:
		l.add(e.Arg(0), by, visits)
		if op == Sub {
			by = -by
		}
		l.add(e.Arg(1), by, visits)
	case op == Neg:
		l.add(e.Arg(0), -by, visits)
	case op == Mul && e.Arg(0).Op() == Const:
		l.add(e.Arg(1), by*e.Arg(0).Int(), visits)
	case op == Mul && e.Arg(1).Op() == Const:
		l.add(e.Arg(0), by*e.Arg(1).Int(), visits)
	default:
		l.addAtom(e, by)
	}
}

func (l *Linear) addAtom(e Expr, by int64) {
	for i, a := range l.Atoms {
		if a == e {
			l.Coefs[i] += by
			return
		}
	}
	l.Atoms, l.Coefs = append(l.Atoms, e), append(l.Coefs, by)
}

// tidied wraps the numbers to the type, and drops atoms that cancel.
func (l Linear) tidied() Linear {
	wrap := func(v int64) int64 { return int64(l.typ.Wrap(uint64(v))) }
	out := Linear{typ: l.typ, Const: wrap(l.Const)}
	for i, a := range l.Atoms {
		if c := wrap(l.Coefs[i]); c != 0 {
			out.Atoms, out.Coefs = append(out.Atoms, a), append(out.Coefs, c)
		}
	}
	return out
}

// Minus returns l - m, of sums of one type.
func (l Linear) Minus(m Linear) Linear {
	out := Linear{typ: l.typ, Const: l.Const - m.Const}
	for i, a := range l.Atoms {
		out.addAtom(a, l.Coefs[i])
	}
	for i, a := range m.Atoms {
		out.addAtom(a, -m.Coefs[i])
	}
	return out.tidied()
}

// Coef returns the coefficient of an atom: 0 where it does not occur as one.
func (l Linear) Coef(atom Expr) int64 {
	for i, a := range l.Atoms {
		if a == atom {
			return l.Coefs[i]
		}
	}
	return 0
}

// Expr returns the sum as an expression in the pool p: n - r, say, or r + 1.
func (l Linear) Expr(p *Pool) Expr {
	literal := func(v int64) Expr { return p.Const(l.typ, l.typ.Wrap(uint64(v))) }
	var sum Expr
	left := l.Const // what is not in the sum yet
	for _, positive := range []bool{true, false} {
		for i, c := range l.Coefs {
			if c > 0 != positive {
				continue
			}
			term := l.Atoms[i]
			if c != 1 && c != -1 {
				term = MulOf(term, literal(max(c, -c)))
			}
			switch {
			case positive && sum.IsValid():
				sum = AddOf(sum, term)
			case positive:
				sum = term
			case sum.IsValid():
				sum = SubOf(sum, term)
			default:
				sum, left = SubOf(literal(left), term), 0
			}
		}
	}
	switch {
	case !sum.IsValid():
		return literal(left)
	case left == 0:
		return sum
	case left < 0:
		return SubOf(sum, literal(-left))
	}
	return AddOf(sum, literal(left))
}
