package llvm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/write"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Unrolled is a function that does several steps of a loop at once, as textual IR: what the steps do is combined in pairs, and
// applied to the state as one. A loop that calls it carries its state through one step in place of several.
//
//	s = s*31 + a[i]   →   s = s*961 + (a[i]*31 + a[i+1])
//
// It has one basic block, and returns a struct of the state after the steps. Its parameters are the state, the invariants, and
// the inputs of the first step, of the second, and so on. It has no flag, and freezes its parameters, so that its result is not
// poison. It has the value of the steps wherever theirs is not poison.
type Unrolled struct {
	Text       string   `json:"text"`
	Name       string   `json:"name"`  // of the function, with @
	Steps      int      `json:"steps"` // at once
	State      []string `json:"state"` // what of the IR the parameters stand for, with %
	Invariants []string `json:"invariants"`
	Inputs     []string `json:"inputs"` // of each step
}

// unrolledName is the name of the function.
const unrolledName = "@rfactor.steps"

// errNotUnrolled is the reason of a loop that is not unrolled.
var errNotUnrolled = errors.New("steps are done at once of integers, in one pass, of an answer that assumes and needs nothing")

// MaxSteps bounds the steps that are done at once.
const MaxSteps = 64

// Unroll writes a function that does some steps of a loop at once, of an answer that Match gave. A loop over floats, one that has
// stages, and an answer that assumes anything or needs a condition is an error: an overflow that the serial loop never has
// may well happen in a sum of other elements.
func (l *Loop) Unroll(a *rfactor.Answer, steps int) (*Unrolled, error) {
	switch {
	case steps < 2 || steps > MaxSteps:
		return nil, fmt.Errorf("from 2 to %d steps are done at once", MaxSteps)
	case a == nil || a.Operator == nil || a.Assumes != 0 || len(a.Given) > 0 || len(l.State) != len(a.Types):
		return nil, errNotUnrolled
	}
	u := &unroller{loop: l, answer: a, Unrolled: &Unrolled{Name: unrolledName, Steps: steps, State: l.State, Invariants: []string{}, Inputs: []string{}}}
	if err := u.write(); err != nil {
		return nil, err
	}
	return u.Unrolled, nil
}

// unroller writes such a function.
type unroller struct {
	*Unrolled
	loop    *Loop
	answer  *rfactor.Answer
	names   map[ir.Expr]string // of variables of the answer
	params  []string           // of the function, with their types
	printer *write.Printer
}

func (u *unroller) write() error {
	u.names, u.printer = map[ir.Expr]string{}, &write.Printer{}
	u.printer.Name = func(v ir.Expr) string { return u.names[v] }
	a := u.answer
	pool := a.Operator.Exprs[0].Pool()
	var state []ir.Expr
	for i, t := range a.Types {
		state = append(state, pool.X(i, t))
		if err := u.stateParam(state[i], u.loop.State[i]); err != nil {
			return err
		}
	}
	inputs, err := u.invariants()
	if err != nil {
		return err
	}
	steps := make([][]ir.Expr, u.Steps)
	for n := range steps {
		steps[n] = u.step(n, inputs)
	}
	after := u.applied(state, u.merged(steps))
	operands, err := u.printer.Operands(after)
	if err != nil {
		return err
	}
	return u.finish(after, operands)
}

// stateParam adds a parameter for a component, which may be narrower than the phi.
func (u *unroller) stateParam(v ir.Expr, phi string) error {
	typ, ok := write.Type(v.Type())
	wide := u.loop.of.Defs[phi].Type.String()
	if !ok || wide[0] != 'i' {
		return errNotUnrolled
	}
	u.params = append(u.params, fmt.Sprintf("%s %%s%d", wide, v.Index()))
	frozen := u.printer.Line("freeze %s %%s%d", wide, v.Index())
	switch {
	case typ == wide:
	case typ == "i1":
		frozen = u.printer.Line("icmp ne %s %s, 0", wide, frozen)
	default:
		frozen = u.printer.Line("trunc %s %s to %s", wide, frozen, typ)
	}
	u.names[v] = frozen
	return nil
}

// leaf is an input of the loop that the answer uses.
type leaf struct {
	v    ir.Expr // of the answer
	name string  // of the IR
	typ  string
}

// variables lists the variables of the answer but for the operands of its operator and the parameters of its lift.
func (u *unroller) variables() (vars []ir.Expr) {
	a := u.answer
	add := func(es []ir.Expr, isOperand func(ir.Expr) bool) {
		for _, v := range ir.Vars(es...) {
			if !isOperand(v) && !slices.Contains(vars, v) {
				vars = append(vars, v)
			}
		}
	}
	add(a.Operator.Exprs, func(v ir.Expr) bool { return v.Kind() == ir.State || v.Kind() == ir.Leaf })
	add(a.Inject, func(ir.Expr) bool { return false })
	if a.Lift != nil {
		add(a.Lift.Apply, func(v ir.Expr) bool { return v.Kind() == ir.State || slices.Contains(a.Lift.Params, v) })
	}
	return vars
}

// invariants adds parameters for the inputs that are the same in every step, and returns the others.
func (u *unroller) invariants() (others []leaf, err error) {
	a := u.answer
	for _, v := range u.variables() {
		source := v
		for _, l := range a.Leaves {
			if l.Var == v {
				source = l.Source
			}
		}
		at := slices.IndexFunc(u.loop.Inputs, func(in Input) bool { return source.IsValid() && in.Var.Name() == source.Name() })
		typ, ok := write.Type(v.Type())
		if at < 0 || !ok {
			return nil, errNotUnrolled
		}
		l := leaf{v, u.loop.Inputs[at].Name, typ}
		if source.Kind() != ir.Param {
			others = append(others, l)
			continue
		}
		param := fmt.Sprintf("%%k%d", len(u.Invariants))
		u.params = append(u.params, typ+" "+param)
		u.names[v] = u.printer.Line("freeze %s %s", typ, param)
		u.Invariants = append(u.Invariants, l.name)
	}
	for _, l := range others {
		u.Inputs = append(u.Inputs, l.name)
	}
	return others, nil
}

// step returns what a step does, over variables of its own.
func (u *unroller) step(n int, inputs []leaf) []ir.Expr {
	pool := u.answer.Operator.Exprs[0].Pool()
	var from, to []ir.Expr
	for i, l := range inputs {
		v := pool.Y(ir.MaxState+n*len(inputs)+i, l.v.Type())
		from, to = append(from, l.v), append(to, v)
		param := fmt.Sprintf("%%y%d.%d", i, n)
		u.params = append(u.params, l.typ+" "+param)
		u.names[v] = u.printer.Line("freeze %s %s", l.typ, param)
	}
	out := make([]ir.Expr, len(u.answer.Inject))
	for i, e := range u.answer.Inject {
		out[i] = ir.Subst(e, from, to)
	}
	return out
}

// merged combines what steps do in pairs, and pairs of pairs, so that no chain is longer than it must be.
func (u *unroller) merged(steps [][]ir.Expr) []ir.Expr {
	if len(steps) == 1 {
		return steps[0]
	}
	half := len(steps) / 2
	return u.combined(u.merged(steps[:half]), u.merged(steps[half:]))
}

// combined is the operator on two tuples.
func (u *unroller) combined(x, y []ir.Expr) []ir.Expr {
	op := u.answer.Operator
	var from, to []ir.Expr
	for i, t := range op.Types {
		pool := op.Exprs[0].Pool()
		from = append(from, pool.X(i, t), pool.Y(i, t))
		to = append(to, x[i], y[i])
	}
	out := make([]ir.Expr, len(op.Exprs))
	for i, e := range op.Exprs {
		out[i] = ir.Subst(e, from, to)
	}
	return out
}

// applied is the state after what some steps do.
func (u *unroller) applied(state, done []ir.Expr) []ir.Expr {
	a := u.answer
	if a.Lift == nil {
		return u.combined(state, done)
	}
	out := make([]ir.Expr, len(a.Lift.Apply))
	for i, e := range a.Lift.Apply {
		out[i] = ir.Subst(e, a.Lift.Params, done)
	}
	return out
}

// finish prints the function around the instructions.
func (u *unroller) finish(after []ir.Expr, operands []string) error {
	var types []string
	for _, phi := range u.loop.State {
		types = append(types, u.loop.of.Defs[phi].Type.String())
	}
	ret := "{ " + strings.Join(types, ", ") + " }"
	whole := "poison" // each part is given a value
	for i, e := range after {
		typ, _ := write.Type(e.Type())
		value := operands[i]
		if typ != types[i] {
			op := "zext"
			if e.Type().IsSigned() {
				op = "sext"
			}
			value = u.printer.Line("%s %s %s to %s", op, typ, value, types[i])
		}
		whole = u.printer.Line("insertvalue %s %s, %s %s, %d", ret, whole, types[i], value, i)
	}
	u.Text = fmt.Sprintf("define %s %s(%s) {\nentry:\n%s  ret %s %s\n}\n%s", ret, u.Name, strings.Join(u.params, ", "), u.printer.Body.String(), ret, whole, u.printer.Declarations())
	return nil
}
