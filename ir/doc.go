// Package ir says what terms are and what they mean: scalar types, hash-consed typed expressions, their notation, and the reference evaluator that every
// other package is judged by. It is part of what users of a certificate must trust, so it is kept small.
//
// An [Expr] lives in a [Pool]; within one pool equal expressions are one expression, so == decides. It is always well typed: constructors panic on a
// mistake of the caller, and [Read] reports a mistake of the author as an [Error] with a position.
//
// [Expr.String] prints the canonical notation, and [Read] reads exactly that. A literal has no type of its own: it takes the type of the operand beside
// it, or the type that is wanted of the whole. Package program reads more: the notation in which people write updates, operators and programs.
//
// # Pools: lifetimes and concurrency
//
// An expression lives as long as its pool, and a pool as long as one of its expressions is in use. Nothing is taken out of a pool: make one for each
// update or program, and drop it with them.
//
// Several goroutines may read expressions of one pool as long as none adds to it. Whatever makes an expression adds: constructors, [Read],
// [Pool.Import], [Pool.Map], the parsers of package program. Of other packages,
//
//   - rfactor.Match only reads the pool of its update, so that several goroutines may match updates of one pool, or one
//     update, at once; the expressions of an answer are in a pool of the answer's own;
//   - rfactor.Answer.Certificate, and JSON with a certificate, add to the pool of the answer;
//   - plan.Factor, lower.Source and lower.Compile add to the pool of the program;
//   - a compiled lower.Program has no pool: several goroutines may run it at once.
//
// # Limits of input
//
// [MaxSource] bytes of a text, [MaxDepth] operators around one another, [MaxState] components of a tuple, [MaxArgs] arguments of a call;
// program.MaxStmts statements of a program, program.MaxPow as exponent of an integer power; rfactor.MaxSize operators of an update that is matched. What
// is beyond is an error that names the limit. The work of a match is bounded by rfactor.Options.Effort alone.
package ir
