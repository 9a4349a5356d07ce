package loops

import (
	"go/constant"
	"go/token"
	"go/types"
	"math/big"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Ends reports whether every run of a function's own statements ends. All its loops are bounded, and none is made of gotos.
//
//	for i := range n { … }            // ends
//	for v != 1 { v = next(v) }        // is not known to end
//
// It says nothing of the functions that are called.
func Ends(fn *ssa.Function) bool {
	for _, l := range Of(fn) {
		if !l.Bounded() {
			return false
		}
	}
	whole := &Loop{Func: fn, Header: fn.Blocks[0], in: make([]bool, len(fn.Blocks))}
	for i := range whole.in {
		whole.in[i] = true
	}
	return whole.acyclic()
}

// Bounded reports whether it is known before a loop how many steps it has at most: it ranges over a slice, an array, a string or an
// integer, or each step moves a counter towards a limit by a literal, and the counter cannot wrap. Ranges over maps, channels
// and functions are not bounded.
func (l *Loop) Bounded() bool {
	for _, e := range l.Exits {
		everyStep := func(latch *ssa.BasicBlock) bool { return e.From.Dominates(latch) }
		branch, ok := e.From.Instrs[len(e.From.Instrs)-1].(*ssa.If)
		if !ok || slices.ContainsFunc(l.Latches, func(b *ssa.BasicBlock) bool { return !everyStep(b) }) {
			continue
		}
		if l.isEndOfString(branch.Cond, e.Branch) || l.isLimit(branch.Cond, e.Branch) {
			return true
		}
	}
	return false
}

// isEndOfString reports whether a loop is left where a string has no more runes.
func (l *Loop) isEndOfString(cond ssa.Value, branch int) bool {
	ok, isExtract := cond.(*ssa.Extract)
	if !isExtract || branch != 1 || ok.Index != 0 {
		return false
	}
	next, isNext := ok.Tuple.(*ssa.Next)
	return isNext && next.IsString && l.Holds(next) && !l.Holds(next.Iter)
}

// isLimit reports whether a loop is left where a counter has reached its limit.
func (l *Loop) isLimit(cond ssa.Value, branch int) bool {
	test, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	op, counter, limit := test.Op, test.X, test.Y
	if branch == 0 {
		op = negated[op]
	}
	if l.isInvariant(counter) {
		op, counter, limit = mirrored[op], limit, counter
	}
	if !l.isInvariant(limit) {
		return false
	}
	c, ok := l.counterOf(counter)
	return ok && c.reaches(op, limit)
}

var (
	negated  = map[token.Token]token.Token{token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.EQL: token.NEQ, token.NEQ: token.EQL}
	mirrored = map[token.Token]token.Token{token.LSS: token.GTR, token.LEQ: token.GEQ, token.GTR: token.LSS, token.GEQ: token.LEQ, token.EQL: token.EQL, token.NEQ: token.NEQ}
)

// isInvariant reports whether a value is the same in every step: it comes from outside, or is the length of such a value.
func (l *Loop) isInvariant(v ssa.Value) bool {
	if x := lengthOf(v); x != nil && !l.Holds(x) {
		_, isChannel := x.Type().Underlying().(*types.Chan)
		_, isMap := x.Type().Underlying().(*types.Map)
		return !isChannel && !isMap
	}
	return !l.Holds(v)
}

// lengthOf returns the value of which v is the length; nil where it is no length.
func lengthOf(v ssa.Value) ssa.Value {
	if c, ok := v.(*ssa.Call); ok {
		if f, ok := c.Call.Value.(*ssa.Builtin); ok && f.Name() == "len" {
			return c.Call.Args[0]
		}
	}
	return nil
}

// counter is a phi of a header to which every step adds the same literal, seen before it is added or after.
type counter struct {
	phi   *ssa.Phi
	step  *big.Int
	ahead bool     // the next value is compared
	start *big.Int // nil where it is no single literal
}

// counterOf takes a value for a counter of the loop, or for what a counter is in the next step.
func (l *Loop) counterOf(v ssa.Value) (c counter, ok bool) {
	phi, isPhi := v.(*ssa.Phi)
	if !isPhi {
		sum, ok := v.(*ssa.BinOp)
		if !ok {
			return c, false
		}
		if phi, isPhi = sum.X.(*ssa.Phi); !isPhi {
			return c, false
		}
		c.ahead = true
	}
	if phi.Block() != l.Header {
		return c, false
	}
	c.phi = phi
	starts := 0
	for slot, p := range l.Header.Preds {
		edge := phi.Edges[slot]
		if !l.Has(p) {
			starts++
			c.start = literal(edge)
			continue
		}
		step := stepOf(edge, phi)
		if step == nil || c.step != nil && c.step.Cmp(step) != 0 {
			return c, false
		}
		c.step = step
	}
	if starts != 1 {
		c.start = nil
	}
	if c.step == nil || c.step.Sign() == 0 {
		return c, false
	}
	if c.ahead {
		step := stepOf(v, phi)
		return c, step != nil && step.Cmp(c.step) == 0 && c.start != nil
	}
	return c, true
}

// stepOf is the literal that v adds to phi; nil where it is something else.
func stepOf(v ssa.Value, phi *ssa.Phi) *big.Int {
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.X != ssa.Value(phi) {
		return nil
	}
	n := literal(sum.Y)
	switch {
	case n == nil || sum.Op != token.ADD && sum.Op != token.SUB:
		return nil
	case sum.Op == token.SUB:
		return new(big.Int).Neg(n)
	}
	return n
}

func literal(v ssa.Value) *big.Int {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return nil
	}
	n, ok := new(big.Int).SetString(c.Value.ExactString(), 10)
	if !ok {
		return nil
	}
	return n
}

// reaches reports whether a counter that goes on while it compares so with a limit gets there before it wraps.
func (c counter) reaches(op token.Token, limit ssa.Value) bool {
	least, most, ok := rangeOf(c.phi.Type())
	if !ok {
		return false
	}
	low, high := least, most
	switch n, x := literal(limit), lengthOf(limit); {
	case n != nil:
		low, high = n, n
	case x != nil:
		low = new(big.Int)
		if hasSize(x.Type()) { // no memory has so many elements
			high = new(big.Int).Sub(most, big.NewInt(1<<16))
		}
	}
	up := c.step.Sign() > 0
	last := high // the last value with which a step may begin
	switch {
	case op == token.LSS && up:
		last = new(big.Int).Sub(high, big.NewInt(1))
	case op == token.LEQ && up:
	case op == token.GTR && !up:
		last = new(big.Int).Add(low, big.NewInt(1))
	case op == token.GEQ && !up:
		last = low
	case op == token.NEQ && c.step.Cmp(big.NewInt(1)) == 0 && !c.ahead:
		return c.start != nil && c.start.Cmp(low) <= 0
	default:
		return false
	}
	fits := func(n *big.Int) bool { return n.Cmp(least) >= 0 && n.Cmp(most) <= 0 }
	if c.ahead && !fits(new(big.Int).Add(c.start, c.step)) {
		return false
	}
	return fits(new(big.Int).Add(last, c.step))
}

// rangeOf returns the least and the greatest number of a type; of an int those that it has on every target.
func rangeOf(t types.Type) (least, most *big.Int, ok bool) {
	b, isBasic := t.Underlying().(*types.Basic)
	if !isBasic || b.Info()&types.IsInteger == 0 {
		return nil, nil, false
	}
	bits := map[types.BasicKind]uint{types.Int8: 8, types.Uint8: 8, types.Int16: 16, types.Uint16: 16, types.Int64: 64, types.Uint64: 64}[b.Kind()]
	if bits == 0 {
		bits = 32
	}
	one := big.NewInt(1)
	if b.Info()&types.IsUnsigned != 0 {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, bits), one), true
	}
	half := new(big.Int).Lsh(one, bits-1)
	return new(big.Int).Neg(half), new(big.Int).Sub(half, one), true
}

// hasSize reports whether the elements of a slice, an array or a string surely take memory.
func hasSize(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		switch t.Elem().Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Interface, *types.Signature, *types.Chan:
			_, isParam := types.Unalias(t.Elem()).(*types.TypeParam)
			return !isParam
		}
	}
	return false
}
