// Package associative draws operators that are associative, by trial and not by proof.
package associative

import (
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/rfactor-go/rfactor/internal/drawn"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/tape"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Tuples are the types of the operators that are drawn: of 8 bits at most for each component.
var Tuples = [][]ir.Type{{ir.U8}, {ir.I8}, {ir.Bool}, {ir.Bool, ir.Bool}, {ir.Bool, ir.U8}, {ir.U8, ir.U8}, {ir.I8, ir.I8}, {ir.U8, ir.I8}}

// IsWhole reports whether operators of a tuple are tried at all triples. They are of 8 bits at most in all; others have too many
// triples, and are tried at 2¹⁶ random ones.
func IsWhole(types []ir.Type) bool {
	bits := 0
	for _, t := range types {
		bits += t.Bits()
	}
	return bits <= 8
}

// Operators draws operators over x and y that trial finds associative, each once. There is no end to them.
func Operators(seed uint64, types []ir.Type) iter.Seq[proof.Operator] {
	return func(yield func(proof.Operator) bool) {
		rng := rand.New(rand.NewPCG(seed, uint64(len(types))))
		seen := map[string]bool{}
		for {
			op := draw(rng, types)
			text := ir.Strings(op.Exprs)
			if seen[text] || !isInteresting(op) || !isAssociative(rng, op, IsWhole(types)) {
				continue
			}
			seen[text] = true
			if !yield(op) {
				return
			}
		}
	}
}

// draw draws an operator over x and y.
func draw(rng *rand.Rand, types []ir.Type) proof.Operator {
	pool := ir.NewPool()
	d := &drawn.Drawer{Pool: pool, Types: append(slices.Clone(types), ir.Bool), Choose: rng.IntN}
	op := proof.Operator{Types: types}
	for _, t := range types {
		e := d.Term(t, 1+rng.IntN(3))
		by := map[ir.Expr]ir.Expr{} // a component of the same type, of x or of y
		op.Exprs = append(op.Exprs, pool.Map([]ir.Expr{e}, func(v ir.Expr) ir.Expr {
			if v.Op() != ir.Var || by[v].IsValid() {
				return by[v]
			}
			var same []int
			for i, u := range types {
				if u == v.Type() {
					same = append(same, i)
				}
			}
			switch {
			case len(same) == 0:
				by[v] = pool.Bool(true)
			case v.Index()%2 == 0:
				by[v] = pool.X(same[rng.IntN(len(same))], v.Type())
			default:
				by[v] = pool.Y(same[rng.IntN(len(same))], v.Type())
			}
			return by[v]
		})[0])
	}
	return op
}

// isInteresting reports whether each component depends on both operands, and takes more than one operation.
func isInteresting(op proof.Operator) bool {
	for _, e := range op.Exprs {
		if e.Size() < 3 {
			return false
		}
	}
	var states, leaves bool
	for _, v := range ir.Vars(op.Exprs...) {
		states, leaves = states || v.Kind() == ir.State, leaves || v.Kind() == ir.Leaf
	}
	return states && leaves
}

// isAssociative tries triples: all of them if whole, else 2¹⁶.
func isAssociative(rng *rand.Rand, op proof.Operator, whole bool) bool {
	var points testpoint.Evaluator
	for _, p := range op.Associativity() {
		if points.Refute(p, 0) != nil {
			return false
		}
	}
	if !whole {
		return !isRefuted(rng, op)
	}
	x, y, _ := op.Operands()
	code := tape.New(op.Apply(x, y)...)
	bits := 0
	for _, t := range op.Types {
		bits += t.Bits()
	}
	n := 1 << bits
	table := make([]int, n*n)
	for first := 0; first < n*n; first += tape.Lanes {
		in := make([]*[tape.Lanes]uint64, len(code.Inputs))
		for i, v := range code.Inputs {
			in[i] = new([tape.Lanes]uint64)
			for lane := range tape.Lanes {
				operand := (first + lane) / n % n
				if v.Kind() == ir.Leaf {
					operand = (first + lane) % n
				}
				in[i][lane] = component(op.Types, operand, v.Index())
			}
		}
		for i, row := range code.Run(in) {
			for lane := range min(tape.Lanes, n*n-first) {
				table[first+lane] = table[first+lane]<<op.Types[i].Bits() | int(row[lane]&(1<<op.Types[i].Bits()-1))
			}
		}
	}
	for a := range n {
		for b := range n {
			for c := range n {
				if table[table[a*n+b]*n+c] != table[a*n+table[b*n+c]] {
					return false
				}
			}
		}
	}
	return true
}

// component is component i of a state whose components stand side by side, the first in the highest bits.
func component(types []ir.Type, state, i int) uint64 {
	for j := len(types) - 1; j > i; j-- {
		state >>= types[j].Bits()
	}
	return types[i].Wrap(uint64(state))
}

// isRefuted tries random triples.
func isRefuted(rng *rand.Rand, op proof.Operator) bool {
	for _, p := range op.Associativity() {
		code := tape.New(p.Left, p.Right)
		for range 1024 {
			in := make([]*[tape.Lanes]uint64, len(code.Inputs))
			for i, v := range code.Inputs {
				in[i] = new([tape.Lanes]uint64)
				for lane := range in[i] {
					in[i][lane] = v.Type().Wrap(rng.Uint64())
				}
			}
			out := code.Run(in)
			if *out[0] != *out[1] {
				return true
			}
		}
	}
	return false
}
