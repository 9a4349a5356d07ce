package ir

import "fmt"

// Op is the operator at the root of an expression. Leaves count as operators: Const and Var
// have no operands.
type Op uint8

// The operators. Comparisons, IsNaN, Not, And and Or give Bool; all other operators give
// the type of their operands, except Cast, Call and the leaves, which carry their own.
const (
	Const Op = iota // a literal
	Var             // a variable, see VarKind
	Call            // an opaque call name(args)[index]

	Neg    // -a
	Not    // !a, on Bool
	BitNot // ~a
	Abs    // abs(a), in a's type: abs(tmin) = tmin
	IsNaN  // is_nan(a)
	Sqrt
	Exp
	Log
	Log1p // log(1 + a), rounded once
	Sin
	Cos
	Tanh
	Floor
	Round      // to the nearest integer, of two to the even one
	PopCount   // the number of bits that are 1
	Clz        // the number of bits above the highest that is 1; of 0 the width
	Ctz        // the number of bits below the lowest that is 1; of 0 the width
	BitReverse // the bits in reverse order
	Cast       // T(a)

	Add
	Sub
	Mul
	Div // Euclidean on integers, x/0 = 0
	Mod // Euclidean on integers: remainder ≥ 0, x%0 = 0
	Min
	Max
	And // a && b
	Or  // a || b
	BitAnd
	BitOr
	BitXor
	Shl // count read as unsigned; a count ≥ the width gives 0
	Shr // the same; signed: gives the sign
	SatAdd
	SatSub
	Pow // on floats
	Gcd // of the absolute values, as unsigned numbers; gcd(a, 0) = |a|
	Lt
	Le
	Gt
	Ge
	Eq
	Ne

	Select // select(c, a, b)

	NumOps = int(iota)
)

// opInfo says how an operator is written, and what it takes.
type opInfo struct {
	name  string // the infix or prefix symbol, or the function's name
	arity uint8
	prec  uint8 // binding strength of an infix operator; 0: written as a call or prefix
	class opClass
}

type opClass uint8

const (
	leafOp  opClass = iota
	numOp           // numeric operands of one type, same result
	intOp           // integer operands of one type, same result
	boolOp          // Bool operands, Bool result
	floatOp         // float operands, same result
	compOp          // numeric operands of one type, Bool result
	equalOp         // operands of one type, Bool result
	otherOp
)

// ops has a place for every Op, so that no index is out of range.
var ops = [256]opInfo{
	Const: {"const", 0, 0, leafOp}, Var: {"var", 0, 0, leafOp}, Call: {"call", 0, 0, leafOp},
	Neg: {"-", 1, 0, numOp}, Not: {"!", 1, 0, boolOp}, BitNot: {"~", 1, 0, intOp}, Abs: {"abs", 1, 0, numOp},
	IsNaN: {"is_nan", 1, 0, otherOp}, Sqrt: {"sqrt", 1, 0, floatOp}, Exp: {"exp", 1, 0, floatOp}, Log: {"log", 1, 0, floatOp},
	Log1p: {"log1p", 1, 0, floatOp}, Sin: {"sin", 1, 0, floatOp}, Cos: {"cos", 1, 0, floatOp}, Tanh: {"tanh", 1, 0, floatOp},
	Floor: {"floor", 1, 0, floatOp}, Round: {"round", 1, 0, floatOp},
	PopCount: {"popcount", 1, 0, intOp}, Clz: {"clz", 1, 0, intOp}, Ctz: {"ctz", 1, 0, intOp}, BitReverse: {"bitreverse", 1, 0, intOp},
	Cast: {"cast", 1, 0, otherOp},
	Add:  {"+", 2, 9, numOp}, Sub: {"-", 2, 9, numOp}, Mul: {"*", 2, 10, numOp}, Div: {"/", 2, 10, numOp}, Mod: {"%", 2, 10, intOp},
	Min: {"min", 2, 0, numOp}, Max: {"max", 2, 0, numOp},
	And: {"&&", 2, 2, boolOp}, Or: {"||", 2, 1, boolOp},
	BitAnd: {"&", 2, 5, intOp}, BitOr: {"|", 2, 3, intOp}, BitXor: {"^", 2, 4, intOp},
	Shl: {"<<", 2, 8, intOp}, Shr: {">>", 2, 8, intOp},
	SatAdd: {"saturating_add", 2, 0, intOp}, SatSub: {"saturating_sub", 2, 0, intOp}, Pow: {"pow", 2, 0, floatOp},
	Gcd: {"gcd", 2, 0, intOp},
	Lt:  {"<", 2, 7, compOp}, Le: {"<=", 2, 7, compOp}, Gt: {">", 2, 7, compOp}, Ge: {">=", 2, 7, compOp},
	Eq: {"==", 2, 6, equalOp}, Ne: {"!=", 2, 6, equalOp},
	Select: {"select", 3, 0, otherOp},
}

// String returns the operator's symbol or function name; Op(99) where there is no such
// operator.
func (o Op) String() string {
	if int(o) < NumOps {
		return ops[o].name
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// Arity returns the number of operands: 0 for leaves, and for Call, whose arity varies.
func (o Op) Arity() int { return int(ops[o].arity) }

// Prec returns the binding strength of an infix operator: a greater one binds tighter. It is 0
// for other operators.
func (o Op) Prec() int { return int(ops[o].prec) }

// MayOverflow reports whether the exact result of o on integers may lie outside their type.
// The assumptions NSW and NUW are about these operators.
func (o Op) MayOverflow() bool {
	switch o {
	case Add, Sub, Mul, Neg, Abs, Div, Shl:
		return true
	}
	return false
}

// FloatsOnly reports whether o takes and gives floats alone, as sqrt and sin do.
func (o Op) FloatsOnly() bool { return ops[o].class == floatOp }

// ByMachine reports whether the last bits of o's values differ by machine: all that proofs know is that equal operands give equal results.
func (o Op) ByMachine() bool { return o >= Exp && o <= Tanh || o == Pow }

// IsComparison reports whether o is one of < <= > >= == !=.
func (o Op) IsComparison() bool { return o >= Lt && o <= Ne }

// Commutes reports whether o(a, b) = o(b, a) in every type that o takes, bit for bit
// (up to which NaN it is).
func (o Op) Commutes() bool {
	switch o {
	case Add, Mul, Min, Max, And, Or, BitAnd, BitOr, BitXor, SatAdd, Gcd, Eq, Ne:
		return true
	}
	return false
}

// VarKind is the role of a variable in an update or an operator: State, Leaf, Param or Coord.
type VarKind uint8

// The roles of variables.
const (
	State VarKind = iota // x_i: the previous partial result of component i
	Leaf                 // y_i: an input that may change from step to step
	Param                // k_i: an input that does not change during the reduction
	Coord                // r: a reduction coordinate
)

// String returns the name of a role, such as "Leaf"; of another value "VarKind(9)".
func (k VarKind) String() string {
	names := [...]string{State: "State", Leaf: "Leaf", Param: "Param", Coord: "Coord"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("VarKind(%d)", uint8(k))
}
