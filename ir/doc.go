// Package ir says what terms are and what they mean: scalar types, hash-consed typed
// expressions, their notation, and the reference evaluator that every other package is
// judged by. It is part of what users of a certificate must trust, so it is kept small.
//
// An [Expr] lives in a [Pool]; within one pool equal expressions are one expression, so
// == decides. It is always well typed: constructors panic on a mistake of the caller, and
// [Read] reports a mistake of the author as an [Error] with a position.
//
// [Expr.String] prints the canonical notation, and [Read] reads exactly that. A literal has
// no type of its own: it takes the type of the operand beside it, or the type that is
// wanted of the whole. Package program reads more: the notation in which people write
// updates, operators and programs.
package ir
