package ir

import "fmt"

// CheckTypes says whether op may be applied to operands of the given types: the type of
// the result, or an error in the words of the surface language.
func CheckTypes(op Op, args ...Type) (Type, error) {
	info := &ops[op]
	if info.class == leafOp || op == Cast {
		panic("ir: internal: CheckTypes of " + op.String())
	}
	if len(args) != int(info.arity) {
		return Invalid, fmt.Errorf("%s takes %d operands, not %d", op, info.arity, len(args))
	}
	t := args[0]
	if op == Select {
		if t != Bool {
			return Invalid, fmt.Errorf("the condition of select is %s, not bool", t)
		}
		if args[1] != args[2] {
			return Invalid, fmt.Errorf("select between %s and %s", args[1], args[2])
		}
		return args[1], nil
	}
	if len(args) == 2 && args[1] != t {
		return Invalid, fmt.Errorf("%s of %s and %s: cast one of them", op, t, args[1])
	}
	result := t
	ok := true
	switch info.class {
	case numOp:
		ok = t.IsNumeric()
	case intOp:
		ok = t.IsInt()
	case boolOp:
		ok = t == Bool
	case floatOp:
		ok = t.IsFloat()
	case compOp:
		ok, result = t.IsNumeric(), Bool
	case equalOp:
		ok, result = t != Invalid, Bool
	case otherOp: // IsNaN
		ok, result = t.IsNumeric(), Bool
	}
	if !ok {
		return Invalid, fmt.Errorf("%s does not take %s", op, t)
	}
	return result, nil
}

// Make applies op to operands of one pool. It panics where CheckTypes gives an error:
// an expression is always well typed.
func Make(op Op, args ...Expr) Expr {
	e, err := tryMake(op, args)
	if err != nil {
		panic("ir: " + err.Error())
	}
	return e
}

// tryMake is Make with the error of CheckTypes.
func tryMake(op Op, args []Expr) (Expr, error) {
	var types [3]Type
	for i, a := range args {
		types[i] = a.Type()
	}
	t, err := CheckTypes(op, types[:len(args)]...)
	if err != nil {
		return Expr{}, err
	}
	return makeTyped(op, t, args), nil
}

func makeTyped(op Op, t Type, args []Expr) Expr {
	p := args[0].pool
	n := node{op: op, typ: t, a: args[0].id}
	if len(args) > 1 {
		p.own(args[1])
		n.b = args[1].id
	}
	if len(args) > 2 {
		p.own(args[2])
		n.c = args[2].id
	}
	return p.intern(n, nil)
}

// CastTo converts a to type t; a itself where it has that type already.
// Float → int goes toward zero and saturates, NaN gives 0; int → int truncates or extends;
// a number becomes true where it is not zero.
func CastTo(t Type, a Expr) Expr {
	if a.Type() == t {
		return a
	}
	return a.pool.intern(node{op: Cast, typ: t, a: a.id}, nil)
}

// Rebuild is e with other operands, which have the types of the old ones.
func Rebuild(e Expr, args []Expr) Expr {
	switch e.Op() {
	case Const, Var:
		return e
	case Call:
		p := e.pool
		if len(args) > 0 {
			p = args[0].pool
		}
		return p.Call(e.Type(), e.Name(), e.Index(), args...)
	case Cast:
		return args[0].pool.intern(node{op: Cast, typ: e.Type(), a: args[0].id}, nil)
	}
	return makeTyped(e.Op(), e.Type(), args)
}

// The constructors by name. Each panics where the operands' types do not fit.

func AddOf(a, b Expr) Expr       { return Make(Add, a, b) }
func SubOf(a, b Expr) Expr       { return Make(Sub, a, b) }
func MulOf(a, b Expr) Expr       { return Make(Mul, a, b) }
func DivOf(a, b Expr) Expr       { return Make(Div, a, b) }
func ModOf(a, b Expr) Expr       { return Make(Mod, a, b) }
func MinOf(a, b Expr) Expr       { return Make(Min, a, b) }
func MaxOf(a, b Expr) Expr       { return Make(Max, a, b) }
func NegOf(a Expr) Expr          { return Make(Neg, a) }
func NotOf(a Expr) Expr          { return Make(Not, a) }
func AndOf(a, b Expr) Expr       { return Make(And, a, b) }
func OrOf(a, b Expr) Expr        { return Make(Or, a, b) }
func LtOf(a, b Expr) Expr        { return Make(Lt, a, b) }
func LeOf(a, b Expr) Expr        { return Make(Le, a, b) }
func EqOf(a, b Expr) Expr        { return Make(Eq, a, b) }
func SelectOf(c, a, b Expr) Expr { return Make(Select, c, a, b) }
