// Package ir says what a reduction is and what it means: scalar types, hash-consed typed
// expressions, updates and programs, the parser and the printer of their notation, and
// the reference evaluator that every other package is judged by.
//
// An [Expr] lives in a [Pool]; within one pool equal expressions are one expression, so
// == decides. It is always well typed: constructors panic on a mistake of the caller, the
// parser reports a mistake of the author as an [Error] with a position.
//
// Text comes in two surfaces that share one expression grammar:
//
//   - an abstract update, read by [ParseUpdate]: "x0 + y0; max(x1, y0)" with types given
//     apart. A literal has no type of its own: it takes the type of the operand beside it,
//     or the type that is wanted of the whole; two typed operands of different types are an
//     error.
//   - a program, read by [ParseProgram]: the subset of Halide's C++ that reductions use,
//     with Halide's promotion of mixed types. A single line such as
//     "f() = select(P(r), f() + 1, f())" is a program too.
//
// [Expr.String] prints the abstract notation, and what it prints parses back to the same
// expression.
package ir
