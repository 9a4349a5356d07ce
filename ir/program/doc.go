// Package program reads the notation: abstract updates, operators, and programs with their
// schedules. Nothing that checks a certificate depends on it.
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
// In both a name may stand for a part of an expression; docs/language.md is the reference.
//
// The notation includes the canonical one: the text that [ir.Expr.String] returns parses back to
// the same expression.
package program
