package ir

import "fmt"

// CheckTypes returns the type of op applied to operands of the given types. Where op does not
// take them it returns Invalid and an error in the words of the surface language. It knows
// neither leaves nor Cast, which have constructors of their own.
func CheckTypes(op Op, args ...Type) (Type, error) {
	info := &ops[op]
	if info.class == leafOp || op == Cast {
		return Invalid, fmt.Errorf("%s is not an operator whose operands give its type", op)
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

// Make returns op applied to operands of one pool. An expression is always well typed: Make
// panics where CheckTypes gives an error, and where an operand is the zero Expr or of another
// pool. It takes constant time.
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
	if len(args) > len(types) {
		return Expr{}, fmt.Errorf("%s takes %d operands, not %d", op, op.Arity(), len(args))
	}
	for i, a := range args {
		if a.pool == nil {
			panic(zeroOperand(op, i))
		}
		types[i] = a.pool.nodes[a.id].typ
	}
	t, err := CheckTypes(op, types[:len(args)]...)
	if err != nil {
		return Expr{}, err
	}
	return makeTyped(op, t, args), nil
}

func zeroOperand(op Op, i int) string {
	return fmt.Sprintf("ir: operand %d of %s is the zero Expr", i, op)
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

// CastTo returns a converted to type t, and a itself where a has that type already.
// Float → int goes toward zero and saturates, NaN gives 0; int → int truncates or extends;
// a number becomes true where it is not zero.
func CastTo(t Type, a Expr) Expr {
	if a.Type() == t {
		return a
	}
	return a.pool.intern(node{op: Cast, typ: t, a: a.id}, nil)
}

// Rebuild returns e with other operands, as many as e has and of the same types; of a leaf it
// returns e. It panics where they do not fit, and takes constant time.
func Rebuild(e Expr, args []Expr) Expr {
	e.checkOperands(args)
	switch e.Op() {
	case Const, Var:
		return e
	case Call:
		p := e.pool
		if len(args) > 0 {
			p = args[0].pool
		}
		return p.call(e.Type(), e.Name(), e.Index(), args)
	case Cast:
		return args[0].pool.intern(node{op: Cast, typ: e.Type(), a: args[0].id}, nil)
	}
	return makeTyped(e.Op(), e.Type(), args)
}

// checkOperands panics where Rebuild cannot give e these operands.
func (e Expr) checkOperands(args []Expr) {
	n := e.node()
	if n.op == Const || n.op == Var {
		return
	}
	if len(args) != e.NumArgs() {
		panic(fmt.Sprintf("ir: Rebuild of %s with %d operands, not %d", n.op, len(args), e.NumArgs()))
	}
	for i, a := range args {
		if want := e.arg(i).Type(); a.Type() != want {
			panic(fmt.Sprintf("ir: Rebuild of %s: operand %d is %s, not %s", n.op, i, a.Type(), want))
		}
	}
}

// AddOf returns a + b. Integers wrap. Like the constructors below it panics where Make does.
func AddOf(a, b Expr) Expr { return Make(Add, a, b) }

// SubOf returns a - b. Integers wrap.
func SubOf(a, b Expr) Expr { return Make(Sub, a, b) }

// MulOf returns a*b. Integers wrap.
func MulOf(a, b Expr) Expr { return Make(Mul, a, b) }

// DivOf returns a/b. Of integers it is the Euclidean quotient, and 0 where b is 0.
func DivOf(a, b Expr) Expr { return Make(Div, a, b) }

// ModOf returns a % b, which is never negative, and 0 where b is 0.
func ModOf(a, b Expr) Expr { return Make(Mod, a, b) }

// MinOf returns the least of a and b; NaN where one is NaN.
func MinOf(a, b Expr) Expr { return Make(Min, a, b) }

// MaxOf returns the greatest of a and b; NaN where one is NaN.
func MaxOf(a, b Expr) Expr { return Make(Max, a, b) }

// NegOf returns -a. Integers wrap.
func NegOf(a Expr) Expr { return Make(Neg, a) }

// NotOf returns !a, of a condition.
func NotOf(a Expr) Expr { return Make(Not, a) }

// AndOf returns a && b.
func AndOf(a, b Expr) Expr { return Make(And, a, b) }

// OrOf returns a || b.
func OrOf(a, b Expr) Expr { return Make(Or, a, b) }

// LtOf returns a < b, a condition. It is false where an operand is NaN.
func LtOf(a, b Expr) Expr { return Make(Lt, a, b) }

// LeOf returns a <= b, a condition. It is false where an operand is NaN.
func LeOf(a, b Expr) Expr { return Make(Le, a, b) }

// EqOf returns a == b, a condition. It is false where an operand is NaN.
func EqOf(a, b Expr) Expr { return Make(Eq, a, b) }

// SelectOf returns select(c, a, b): a where the condition c holds, else b.
func SelectOf(c, a, b Expr) Expr { return Make(Select, c, a, b) }
