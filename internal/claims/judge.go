package claims

import (
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/verify"
)

// Outcome is what the judge says of a claim.
type Outcome uint8

// The outcomes. True means that no point refutes the claim, Undecided that too few points
// count to say so. Nonsense is a line that claims nothing that has a meaning: to accept it is
// as wrong as to accept what is false.
const (
	True Outcome = iota
	Undecided
	False
	Nonsense
)

// String is the outcome as a word.
func (o Outcome) String() string { return [...]string{"true", "undecided", "false", "nonsense"}[o] }

// Verdict is the outcome with its reason.
type Verdict struct {
	Outcome Outcome
	Clause  string // that is false, or undecided
	Point   string // at which it is
	Points  int    // that counted, of the clause with the fewest
}

// String is the verdict in one line.
func (v Verdict) String() string {
	switch v.Outcome {
	case True:
		return fmt.Sprintf("true at %d points", v.Points)
	case Undecided:
		return fmt.Sprintf("undecided: %s", v.Clause)
	case Nonsense:
		return "nonsense: " + v.Clause
	}
	return fmt.Sprintf("false: %s at %s", v.Clause, v.Point)
}

// Options say how hard the judge looks.
type Options struct {
	Seed     uint64 // of the points, beside the claim itself
	Points   int    // that are drawn for each clause
	Work     int    // that is spent on each clause, in evaluations of an operator; 0: no bound
	Infinite bool   // draw infinities under reassoc, too
	NoPoles  bool   // points at which a real number is divided by zero do not count
}

// Quick is enough to refute most false claims, Deep is for those that a checker accepted.
var (
	Quick = Options{Points: 700, Work: 500_000}
	Deep  = Options{Points: 6_000, Work: 3_000_000}
)

// Check judges a line at so many points of each clause, and returns what is wrong with it: a clause
// that is false and the point, or that the line claims nothing with a meaning. It returns nil where
// no point refutes a clause, even if few points count.
func Check(line []byte, points int, seed uint64) error {
	v := Judge(line, Options{Points: points, Work: points * Quick.Work / Quick.Points, Seed: seed})
	if v.Outcome >= False {
		return errors.New(v.String())
	}
	return nil
}

// Judge evaluates what a line claims. Where a key stands twice, or in another case, the claim must
// be true however it is read.
func Judge(line []byte, o Options) Verdict {
	tree, err := ordered.Parse(line)
	if err != nil {
		return Verdict{Outcome: Nonsense, Clause: "no JSON: " + err.Error()}
	}
	v := o.judge(tree)
	for _, reading := range []func(*ordered.Value) *ordered.Value{firstWins, caseless} {
		if other := reading(tree); other != nil && v.Outcome < False {
			if w := o.judge(other); w.Outcome >= v.Outcome {
				v = w
			}
		}
	}
	return v
}

// caseless is the tree as package json takes it, for which the names of fields match in any case; nil
// where all of them are in lower case. The names of leaves, and those of variables at a point, are no fields.
func caseless(tree *ordered.Value) *ordered.Value {
	other := false
	var visit func(v *ordered.Value, fields bool)
	visit = func(v *ordered.Value, fields bool) {
		for i, item := range v.Items {
			below := true
			if v.Kind == ordered.Object {
				key := strings.ToLower(strings.ToUpper(v.Keys[i]))
				if fields && key != v.Keys[i] {
					v.Keys[i], other = key, true
				}
				below = !slices.Contains([]string{"leaves", "counterexample", "at"}, key) || !fields
			}
			visit(item, below)
		}
	}
	c := tree.Clone()
	if visit(c, true); !other {
		return nil
	}
	return c
}

// firstWins is the tree as a reader takes it for whom the first of equal keys counts; nil
// where no key stands twice.
func firstWins(tree *ordered.Value) *ordered.Value {
	twice := false
	c := tree.Clone()
	c.Walk("", func(_ string, v *ordered.Value) {
		if v.Kind != ordered.Object {
			return
		}
		seen := map[string]bool{}
		keys, items := v.Keys[:0], v.Items[:0]
		for i, k := range v.Keys {
			if seen[k] {
				twice = true
				continue
			}
			seen[k] = true
			keys, items = append(keys, k), append(items, v.Items[i])
		}
		v.Keys, v.Items = keys, items
	})
	if !twice {
		return nil
	}
	return c
}

func (o Options) judge(tree *ordered.Value) Verdict {
	c, err := Read(tree)
	switch {
	case c.Schema != strconv.Itoa(verify.Schema):
		return Verdict{Outcome: Nonsense, Clause: fmt.Sprintf("schema %q", c.Schema)}
	case err != nil:
		return Verdict{Outcome: Nonsense, Clause: err.Error()}
	case c.Status == "refused":
		return c.judgeRefusal()
	}
	h := fnv.New64a()
	h.Write([]byte(ir.Strings(c.Update) + ir.Strings(c.Operator) + c.Assumes.String()))
	least := Verdict{Points: o.Points}
	for n, s := range c.Stages {
		v := o.judge(s.Answer)
		if v.Outcome != True {
			v.Clause = fmt.Sprintf("stage %d: %s", n, v.Clause)
		}
		if v.Outcome >= False {
			return v
		}
		if v.Outcome == Undecided || v.Points < least.Points {
			least = v
		}
	}
	for n, l := range c.clauses() {
		v := o.evaluate(c, l, h.Sum64()+uint64(n)+o.Seed*0x9e3779b97f4a7c15)
		if v.Outcome == False {
			return v
		}
		if v.Points < least.Points {
			least = v
		}
	}
	if why := c.judgeNoOperator(); why != "" {
		return Verdict{Outcome: False, Clause: "no_operator", Point: why}
	}
	if why := c.judgeLeast(); why != "" {
		return Verdict{Outcome: False, Clause: "least", Point: why}
	}
	return least
}

// fewest is how many points must count for a clause to be taken for true.
const fewest = 6

// exhaustive is how many bits variables have together where all points are tried.
const exhaustive = 12

// evaluate looks for a point that refutes a clause. Where numbers round and afn is assumed it looks among real
// numbers and among those of the machine: it finds no such claim true, since what afn grants of them is not evaluated.
func (o Options) evaluate(c *Claim, l clause, seed uint64) Verdict {
	w := world{assume: c.Assumes}
	if l.wraps {
		w.assume &^= ir.NSW | ir.NUW
	}
	if !w.assume.Has(ir.AFN) || !transcendental(l.exprs()) {
		return o.evaluateIn(w, c, l, seed)
	}
	reals := world{assume: w.assume | ir.Reassoc, spans: true}
	v := o.evaluateIn(reals, c, l, seed)
	if w.assume.Has(ir.Reassoc) || v.Outcome == False {
		return v // what is false of real numbers is false of rounded ones by more than afn grants
	}
	if v = o.evaluateIn(w, c, l, seed); v.Outcome == True {
		v = Verdict{Outcome: Undecided, Clause: l.name + ": what afn grants of numbers that round is not evaluated"}
	}
	return v
}

// evaluateIn looks for a point of a world that refutes a clause.
func (o Options) evaluateIn(w world, c *Claim, l clause, seed uint64) Verdict {
	e := newEvaluation(w, c, l, seed)
	e.draws.infinite = o.Infinite
	e.left.noPoles, e.right.noPoles = o.NoPoles, o.NoPoles
	points := o.Points
	if cost := e.cost(); o.Work > 0 && points*cost > o.Work {
		points = max(o.Work/cost, 40)
	}
	bits := e.draws.bits()
	all := !e.unbounded() && (bits <= exhaustive || bits <= 18 && 1<<bits <= points*4)
	if all {
		points = 1 << bits
	}
	counted := 0
	for i := range points {
		if all {
			e.draws.count(uint64(i), e.env)
		} else {
			e.draws.draw(i, e.env)
			if i%3 == 2 {
				e.injected(i)
			}
			e.repair(i)
		}
		ok, why := e.point()
		if why != "" {
			return Verdict{Outcome: False, Clause: l.name, Point: why}
		}
		if ok {
			counted++
		}
	}
	if all || len(e.draws.vars) == 0 {
		return Verdict{Points: max(counted, o.Points)}
	}
	if counted < fewest {
		return Verdict{Outcome: Undecided, Clause: fmt.Sprintf("%s: %d of %d points count", l.name, counted, points), Points: counted}
	}
	return Verdict{Points: counted}
}

// evaluation is a clause compiled.
type evaluation struct {
	l           clause
	left, right *compiled // left with the conditions
	natural     *compiled // inject, where it must not be below zero
	draws       *drawer
	env         []value
	given       int // where the conditions begin in left
	conditions  []condition

	inject    *compiled // nil where no operand is what inject gives
	inputs    *drawer   // of the variables of inject
	constants []int     // their places in env; -1 for those that vary
	operands  [][]int   // the places in env of each operand's components; -1 where one does not occur
}

// condition is one of those under which a clause holds, with the places of its variables.
type condition struct {
	*compiled
	slots []int
}

func newEvaluation(w world, c *Claim, l clause, seed uint64) *evaluation {
	es := l.exprs()
	e := &evaluation{l: l, given: len(l.left)}
	vars := ir.Vars(es...)
	slots := map[ir.Expr]int{}
	for i, v := range vars {
		slots[v] = i
	}
	e.left = compile(w, slots, append(slices.Clone(l.left), l.given...))
	r := w
	r.assume &^= ir.NInf // an infinity beside the serial loop is none of its promise
	e.right = compile(r, slots, l.right)
	if w.assume.Has(ir.NUW) && slices.ContainsFunc(l.natural, func(v ir.Expr) bool { return v.Type().IsUnsigned() }) {
		e.natural = compile(r, slots, l.natural)
		e.natural.signed = true
	}
	e.draws = newDrawer(w, seed, vars, es)
	e.draws.ofLoop = l.ofLoop
	for _, g := range l.given {
		one := condition{compiled: compile(w, slots, []ir.Expr{g})}
		for _, v := range ir.Vars(g) {
			one.slots = append(one.slots, slots[v])
		}
		e.conditions = append(e.conditions, one)
	}
	e.env = make([]value, len(vars))
	e.reach(c, r, seed)
	return e
}

// reach prepares points at which operands are what inject gives.
func (e *evaluation) reach(c *Claim, w world, seed uint64) {
	if c.Status != "associative" {
		return
	}
	for _, letter := range "xyz" {
		var slots []int
		for _, v := range c.operandVars(byte(letter), c.Operands) {
			slots = append(slots, slices.Index(e.draws.vars, v))
		}
		// The update's own x0 is a state of the loop, and its y0 an input.
		if !e.l.ofLoop && slices.ContainsFunc(slots, func(s int) bool { return s >= 0 }) {
			e.operands = append(e.operands, slots)
		}
	}
	if len(e.operands) == 0 {
		return
	}
	var constants []int // a constant is the same in the clause and in inject
	inputs := ir.Vars(c.Inject...)
	slots := map[ir.Expr]int{}
	for i, v := range inputs {
		slots[v] = i
		at := -1
		if v.Kind() == ir.Param {
			at = slices.Index(e.draws.vars, v)
		}
		constants = append(constants, at)
	}
	e.inject = compile(w, slots, c.Inject)
	e.inputs = newDrawer(w, seed+1, inputs, c.Inject)
	e.inputs.ofLoop = true
	e.constants = constants
}

// injected puts what inject gives into each operand, one time in two. Inputs are drawn for each of them. What is no number is
// left out where none is drawn: of an infinity, which comes of a division by zero, x*0 is 0 as well in a field.
func (e *evaluation) injected(point int) {
	if e.inject == nil {
		return
	}
	env := make([]value, len(e.inputs.vars))
	for _, slots := range e.operands {
		if e.inputs.rng.IntN(2) == 0 {
			continue
		}
		e.inputs.draw(point, env)
		for i, at := range e.constants {
			if at >= 0 {
				env[i] = e.env[at]
			}
		}
		e.inject.run(env)
		for i, s := range slots {
			if v := e.inject.root(i); s >= 0 && !v.void && (e.draws.infinite || v.inf == 0 && !v.nan) {
				e.env[s] = v
			}
		}
	}
}

func transcendental(es []ir.Expr) (found bool) {
	ir.Walk(es, func(e ir.Expr) {
		found = found || e.Op().FloatsOnly()
	})
	return found
}

// unbounded reports whether a variable has infinitely many values, or is a float.
func (e *evaluation) unbounded() bool {
	return slices.ContainsFunc(e.draws.vars, func(v ir.Expr) bool { return v.Type().IsFloat() || e.left.form(v.Type()) != word })
}

// repair draws anew the variables of conditions that do not hold, a few times.
func (e *evaluation) repair(style int) {
	for range 30 {
		holds := true
		for _, c := range e.conditions {
			c.run(e.env)
			if v := c.root(0); !v.void && v.bits != 0 {
				continue
			}
			holds = false
			for _, s := range c.slots {
				e.env[s] = e.draws.value(e.draws.vars[s], style%styles)
			}
		}
		if holds {
			return
		}
		style = e.draws.rng.IntN(styles)
	}
}

// cost is what one point costs.
func (e *evaluation) cost() (n int) {
	n = 4
	for _, p := range []*compiled{e.left, e.right} {
		for i := range p.nodes {
			switch p.form(p.nodes[i].typ) {
			case word:
				n++
			case whole:
				n += 4
			case real:
				n += 10
				if p.spans {
					n += 300
				}
			}
		}
	}
	return n
}

// point evaluates the clause at a point: whether the point counts, and how it refutes.
func (e *evaluation) point() (counts bool, why string) {
	e.left.run(e.env)
	for i := range e.l.given {
		if g := e.left.root(e.given + i); g.void || g.bits == 0 {
			return false, ""
		}
	}
	for i := range e.l.left {
		if e.left.root(i).void {
			return false, ""
		}
	}
	if e.natural != nil {
		e.natural.run(e.env)
		for i, t := range e.natural.types {
			if v := e.natural.root(i); t.IsUnsigned() && !v.void && v.z.Sign() < 0 {
				return true, e.pointText() + ": inject is " + v.text(t) + ", and no natural number"
			}
		}
	}
	e.right.run(e.env)
	for i := range e.l.left {
		if e.right.root(i).void {
			return false, ""
		}
	}
	for i, t := range e.right.types {
		a, b := e.left.root(i), e.right.root(i)
		if e.right.differ(t, a, b) {
			return true, fmt.Sprintf("%s: %s ≠ %s in component %d", e.pointText(), a.text(t), b.text(t), i)
		}
	}
	return true, ""
}

func (e *evaluation) pointText() string {
	var parts []string
	for i, v := range e.draws.vars {
		parts = append(parts, v.Name()+"="+e.env[i].text(v.Type()))
	}
	if len(parts) == 0 {
		return "no variable"
	}
	return strings.Join(parts, " ")
}
