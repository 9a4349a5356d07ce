package fewest

import (
	"encoding/binary"
	"iter"
	"math/big"
	"slices"
	"strconv"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/internal/effort"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
	"github.com/rfactor-go/rfactor/verify/proof"
)

// Bounds of the search.
const (
	maxFamilies = 48 // of one length, that are solved for each choice of constants
	maxLength   = 3  // steps of a family
	maxMore     = 96 // products beside the family …
	maxMoreBits = 6  // … and the bits of that number
	maxMenu     = 64 // choices of a step's inputs
)

// maxChoices bounds the choices of each step of products of a length, beside powers.
var maxChoices = [maxLength]int{maxMenu, 32, 12}

// Search looks for products of steps of an update. Its expressions are of one pool, to which terms are added.
type Search struct {
	Update []ir.Expr
	Values *big.Int // that the number of functions has to exceed
	Meter  *effort.Meter
	Prove  func(proof.Problem) *proof.Tree // nil where it is not proven

	pool      *ir.Pool
	types     []ir.Type
	state     []ir.Expr // x0, x1, …
	leaves    []ir.Expr // that each step has values of its own of
	constants []ir.Expr
	are       []ir.Expr            // values of constants
	update    []ir.Expr            // with these values
	states    [][]ir.Expr          // literals
	at        []ir.Expr            // variables for values at the states
	known     map[string][]ir.Expr // values of products of steps at the states, by key
}

// Find looks for products of steps that show that a lift with fewer parameters cannot exist. It returns nil where it finds none;
// proofs that its reads fail are left to the caller.
func (s *Search) Find() *verify.Products {
	s.prepare()
	for _, progression := range [][2]int64{{3, 2}, {2, 2}, {7, -2}} {
		s.choose(progression[0], progression[1])
		if out := s.find(); out != nil || len(s.constants) == 0 {
			return out
		}
	}
	return nil
}

func (s *Search) prepare() {
	s.pool = s.Update[0].Pool()
	s.pool.Charge(func(n int) { s.Meter.Spend(effort.Terms, n) })
	for i, e := range s.Update {
		s.types = append(s.types, e.Type())
		s.state = append(s.state, s.pool.X(i, e.Type()))
	}
	for _, v := range ir.Vars(s.Update...) {
		switch v.Kind() {
		case ir.State:
		case ir.Param:
			s.constants = append(s.constants, v)
		default:
			s.leaves = append(s.leaves, v)
		}
	}
	s.states = s.someStates()
	for i := range s.states {
		for j, t := range s.types {
			n := i*len(s.types) + j
			s.at = append(s.at, s.pool.Var(ir.Leaf, "q"+strconv.Itoa(n), firstValue+n, t))
		}
	}
}

// choose gives constants the values of a progression.
func (s *Search) choose(first, difference int64) {
	s.are = nil
	for i, k := range s.constants {
		s.are = append(s.are, number(s.pool, k.Type(), first+difference*int64(i)))
	}
	s.update = s.simplified(s.Update, s.constants, s.are)
	s.known = map[string][]ir.Expr{}
}

// number returns a literal; of truth values whether n is odd.
func number(p *ir.Pool, t ir.Type, n int64) ir.Expr {
	switch {
	case t == ir.Bool:
		return p.Bool(n&1 != 0)
	case t.IsFloat():
		return p.Float(t, float64(n))
	}
	return p.Int(t, n)
}

// someStates returns states of literals: all zero, all ones, the greatest and the least numbers, different numbers,
// and states of which one component alone is 1 or -1.
func (s *Search) someStates() (out [][]ir.Expr) {
	state := func(of func(i int, t ir.Type) ir.Expr) {
		x := make([]ir.Expr, len(s.types))
		for i, t := range s.types {
			x[i] = of(i, t)
		}
		if !slices.ContainsFunc(out, func(y []ir.Expr) bool { return slices.Equal(x, y) }) {
			out = append(out, x)
		}
	}
	all := func(n int64) {
		state(func(_ int, t ir.Type) ir.Expr { return number(s.pool, t, n) })
	}
	all(0)
	all(1)
	for one := range s.types {
		state(func(i int, t ir.Type) ir.Expr {
			if i == one {
				return number(s.pool, t, 1)
			}
			return number(s.pool, t, 0)
		})
		state(func(i int, t ir.Type) ir.Expr {
			if i == one {
				return number(s.pool, t, -1)
			}
			return number(s.pool, t, 0)
		})
	}
	state(func(_ int, t ir.Type) ir.Expr { return s.pool.Const(t, t.Max()) })
	state(func(_ int, t ir.Type) ir.Expr { return s.pool.Const(t, t.Min()) })
	all(-1)
	state(func(i int, t ir.Type) ir.Expr { return number(s.pool, t, int64(2+3*i)) })
	return out
}

// with returns expressions with others in place of variables.
func (s *Search) with(es, vars, by []ir.Expr) []ir.Expr {
	to := make(map[ir.Expr]ir.Expr, len(vars))
	for i, v := range vars {
		to[v] = by[i]
	}
	return s.pool.Map(es, func(e ir.Expr) ir.Expr { return to[e] })
}

// simplified is with, and simplifies what it returns.
func (s *Search) simplified(es, vars, by []ir.Expr) []ir.Expr {
	out := s.with(es, vars, by)
	for i, e := range out {
		out[i] = canon.Greedy(e, 0)
	}
	s.Meter.Spend(effort.Terms, len(es))
	return out
}

// step is one step with its inputs, or a power with how often it is done.
type step struct {
	inputs []ir.Expr
	power  *power
	times  ir.Expr
}

// vars returns the variables among a step's inputs.
func (by step) vars() (out []ir.Expr) {
	for _, e := range append(slices.Clip(by.inputs), by.times) {
		if isVariable(e) {
			out = append(out, e)
		}
	}
	return out
}

func isVariable(e ir.Expr) bool { return e.IsValid() && e.Op() == ir.Var }

// does returns what a step does to a state, and of which variables beside the state, with what they are.
func (s *Search) does(by step) (to, of, are []ir.Expr) {
	if by.power != nil {
		return by.power.result, []ir.Expr{by.power.n}, []ir.Expr{by.times}
	}
	return s.update, s.leaves, by.inputs
}

// after returns the values of a product of steps at the states. Products that begin alike share the work on that part.
func (s *Search) after(steps []step) []ir.Expr {
	if len(steps) == 0 {
		return slices.Concat(s.states...)
	}
	k := key(steps)
	if out, ok := s.known[k]; ok {
		return out
	}
	to, of, are := s.does(steps[len(steps)-1])
	var out []ir.Expr
	for x := range slices.Chunk(s.after(steps[:len(steps)-1]), len(s.types)) {
		out = append(out, s.simplified(to, slices.Concat(s.state, of), slices.Concat(x, are))...)
	}
	s.known[k] = out
	return out
}

// key returns a text that no other product of steps has.
func key(steps []step) string {
	var out []byte
	for _, by := range steps {
		es, kind := by.inputs, uint64(0)
		if by.power != nil {
			es, kind = append(slices.Clip(by.power.inputs), by.power.n, by.times), 1
		}
		out = binary.AppendUvarint(out, 2*uint64(len(es))+kind)
		for _, e := range es {
			out = binary.AppendUvarint(out, uint64(e.ID()))
		}
	}
	return string(out)
}

// find looks for families, those of the fewest variables first, and for further products where a family is not enough.
func (s *Search) find() *verify.Products {
	one := []step{s.menu(false)[0]}
	if out := s.complete(&family{steps: one, values: s.after(one)}); out != nil {
		return out
	}
	for steps := range s.families() {
		if s.Meter.Done() {
			break
		}
		if f := s.solve(steps); f != nil {
			if out := s.complete(f); out != nil {
				return out
			}
		}
	}
	return nil
}

// menu returns choices of a step's inputs: literals and, where free, the variables that stand for themselves. Later
// choices differ from the first in few inputs at first.
func (s *Search) menu(free bool) (out []step) {
	options := make([][]ir.Expr, len(s.leaves))
	for i, v := range s.leaves {
		if free {
			options[i] = append(options[i], v)
		}
		options[i] = append(options[i], s.literals(v.Type())...)
	}
	for distance := 0; distance <= len(s.leaves) && len(out) < maxMenu; distance++ {
		var pick func(at []ir.Expr, i, left int)
		pick = func(at []ir.Expr, i, left int) {
			if len(out) >= maxMenu {
				return
			}
			if i == len(s.leaves) {
				if left == 0 {
					out = append(out, step{inputs: slices.Clone(at)})
				}
				return
			}
			pick(append(at, options[i][0]), i+1, left)
			if left > 0 {
				for _, e := range options[i][1:] {
					pick(append(at, e), i+1, left-1)
				}
			}
		}
		pick(nil, 0, distance)
	}
	return out
}

// literals returns values that inputs of a type may have: those that are neutral somewhere, and those that the update
// compares with.
func (s *Search) literals(t ir.Type) (out []ir.Expr) {
	add := func(e ir.Expr) {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	add(number(s.pool, t, 0))
	add(number(s.pool, t, 1))
	if t == ir.Bool {
		return out
	}
	add(number(s.pool, t, -1))
	add(s.pool.Const(t, t.Max()))
	add(s.pool.Const(t, t.Min()))
	ir.Walk(s.update, func(e ir.Expr) {
		if e.Op() == ir.Const && e.Type() == t && len(out) < 12 {
			add(e)
		}
	})
	add(number(s.pool, t, 2))
	return out
}

// families yields products of steps whose variables have enough values: short ones first, and of one length those with
// the fewest.
func (s *Search) families() iter.Seq[[]step] {
	inputs, powers := s.menu(true), s.powers()
	most := 0
	for _, by := range slices.Concat(inputs, powers) {
		most = max(most, bits([]step{by}))
	}
	least := max(1, s.Values.BitLen()-1-maxMoreBits)
	return func(yield func([]step) bool) {
		for length := range maxLength {
			menu := slices.Concat(inputs[:1], powers, inputs[1:min(len(inputs), maxChoices[length])])
			if length == 0 {
				menu = inputs
			}
			chains := [][]step{nil}
			for left := length; left >= 0; left-- {
				chains = longer(chains, menu, least-left*most)
			}
			slices.SortStableFunc(chains, func(a, b []step) int { return bits(a) - bits(b) })
			for _, c := range chains[:min(len(chains), maxFamilies)] {
				if !yield(s.renamed(c)) {
					return
				}
			}
		}
	}
}

// longer returns products with one step more, whose variables have so many bits.
func longer(chains [][]step, menu []step, least int) (out [][]step) {
	for _, c := range chains {
		for _, by := range menu {
			if c := append(slices.Clip(c), by); bits(c) >= least {
				out = append(out, c)
			}
		}
	}
	return out
}

// bits returns how many bits the variables of a family have.
func bits(steps []step) (n int) {
	for _, by := range steps {
		for _, e := range by.inputs {
			if isVariable(e) {
				n += e.Type().Bits()
			}
		}
		if isVariable(by.times) {
			n += by.times.Type().Bits()
		}
	}
	return n
}

// The indices of the first variable of a family, and of the first variable for a value, are beyond those of leaves.
const (
	firstVar   = 1 << 18
	firstValue = 1 << 20
)

// renamed gives the inputs of a product that stand for themselves names as variables of a family.
func (s *Search) renamed(steps []step) []step {
	n, out := 0, make([]step, len(steps))
	rename := func(e ir.Expr) ir.Expr {
		if !isVariable(e) {
			return e
		}
		n++
		return s.variable(n-1, e.Type())
	}
	for i, by := range steps {
		out[i] = step{power: by.power, times: rename(by.times)}
		for _, e := range by.inputs {
			out[i].inputs = append(out[i].inputs, rename(e))
		}
	}
	return out
}

// variable returns variable i of a family.
func (s *Search) variable(i int, t ir.Type) ir.Expr {
	return s.pool.Var(ir.Leaf, "p"+strconv.Itoa(i), firstVar+i, t)
}
