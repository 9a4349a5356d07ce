package exec

import (
	"encoding/binary"
	"fmt"
	"go/types"
	"math/rand/v2"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
)

// Result says how the comparison of a loop went.
type Result struct {
	Steps  int    // that ran to the next step
	Leaves int    // that left the loop
	Reason string // why no step ran; empty where one did
	Err    error  // a difference between the step and the update
}

// Check executes steps of a loop that was read, on states and inputs drawn from a seed, until rounds of them
// went on to the next step, and compares each with the update. A step that panics says nothing. Elsewhere gives
// functions of other packages by their names; nil ones are not executed.
func Check(l *read.Loop, sizes types.Sizes, elsewhere map[string]*ssa.Function, seed uint64, rounds int) (res Result) {
	used := mentioned(l)
	for try := 0; try < 20*rounds && res.Steps < rounds; try++ {
		m := &machine{rng: rand.New(rand.NewPCG(seed, uint64(try))), sizes: sizes, elsewhere: elsewhere, copies: map[string]string{}, memory: map[string]any{}, before: map[string]any{}, drawn: map[ssa.Value]any{}, tokens: map[any]uint64{}, budget: 10_000}
		m.tame = try%4 == 3
		slot, why, f := attempt(m, l)
		if why != "" {
			if res.Steps == 0 {
				res.Reason = why
			}
			continue
		}
		if why, res.Err = compared(f, l, used, slot); res.Err != nil {
			return res
		} else if why != "" {
			continue
		}
		if slot >= 0 {
			res.Steps++
		} else {
			res.Leaves++
		}
	}
	switch {
	case res.Steps > 0:
		res.Reason = ""
	case res.Reason == "":
		res.Reason = "every step left the loop"
	}
	return res
}

// attempt runs one step. Where it cannot be executed, why says so.
func attempt(m *machine, l *read.Loop) (slot int, why string, f *frame) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stuck:
			why = p.why
		case panicked:
			why = "panic: " + p.why
		default:
			panic(p)
		}
	}()
	f = newFrame(m, l.Loop)
	for _, c := range l.Cells { // a struct is drawn before a step may store all of it
		if c.Part >= read.Field {
			f.cellPart(f.get(c.Addresses[0]).(pointer).path, c)
		}
	}
	return f.step(), "", f
}

// mentioned lists the variables of the update. Other leaves are only stored, and what they load may have been stored by the
// same step.
func mentioned(l *read.Loop) map[ir.Expr]bool {
	found := map[ir.Expr]bool{}
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if found[e] {
			return
		}
		found[e] = true
		for i := range e.NumArgs() {
			visit(e.Arg(i))
		}
	}
	visit(l.Stay)
	for _, e := range l.Update.Values {
		visit(e)
	}
	for _, c := range l.Counters {
		if c.Var.IsValid() {
			visit(c.Next)
		}
	}
	return found
}

// compared is compare; why says that the values cannot be compared.
func compared(f *frame, l *read.Loop, used map[ir.Expr]bool, slot int) (why string, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case stuck:
			why = p.why
		default:
			panic(p)
		}
	}()
	return "", compare(f, l, used, slot)
}

// compare holds the step that ran against the update.
func compare(f *frame, l *read.Loop, used map[ir.Expr]bool, slot int) error {
	vars := map[ir.Expr]uint64{}
	for i, phi := range l.States {
		vars[l.Update.Pool.X(i, l.Update.Types[i])] = f.carry(l.Update.Types[i], f.partOf(f.env[phi], phi.Type(), l.Parts[i]))
	}
	for i, c := range l.Cells {
		n := len(l.States) + i
		before, _ := cellValues(f, c)
		if c.Part < read.Field {
			before = f.partOf(before, c.Type, c.Part)
		}
		vars[l.Update.Pool.X(n, l.Update.Types[n])] = f.carry(l.Update.Types[n], before)
	}
	for i, d := range l.Derived { // one that the step does not compute may be anything
		n := len(l.States) + len(l.Cells) + i
		x := f.m.draw(d.Values[0].Type())
		for _, v := range d.Values {
			if ran, ok := f.env[v]; ok {
				x = ran
			}
		}
		vars[l.Update.Pool.X(n, l.Update.Types[n])] = f.carry(l.Update.Types[n], x)
	}
	for _, c := range l.Counters {
		if c.Var.IsValid() {
			vars[c.Var] = f.carry(c.Var.Type(), f.env[c.Phi])
		}
	}
	for _, leaf := range l.Leaves {
		if !used[leaf.Var] {
			continue
		}
		bits, err := leafValue(f, leaf)
		if err != nil {
			return err
		}
		vars[leaf.Var] = bits
	}
	env := &ir.Env{Var: func(v ir.Expr) uint64 {
		bits, ok := vars[v]
		if !ok {
			panic("internal: no value of " + v.String())
		}
		return bits
	}}
	if got := ir.Eval(l.Stay, env); (got == 1) != (slot >= 0) {
		return fmt.Errorf("the loop goes on: %v, but %s is %d", slot >= 0, l.Stay, got)
	}
	if slot < 0 {
		return nil
	}
	same := func(what string, e ir.Expr, x any) error {
		want, got := f.carry(e.Type(), x), ir.Eval(e, env)
		if want != got {
			return fmt.Errorf("%s: a step gives %#x, but %s is %#x, where %s", what, want, e, got, assignment(vars))
		}
		return nil
	}
	for i, phi := range l.States {
		if err := same(phi.Comment, l.Update.Values[i], f.partOf(f.get(phi.Edges[slot]), phi.Type(), l.Parts[i])); err != nil {
			return err
		}
	}
	for i, c := range l.Cells {
		_, after := cellValues(f, c)
		if c.Part < read.Field {
			after = f.partOf(after, c.Type, c.Part)
		}
		if err := same("memory", l.Update.Values[len(l.States)+i], after); err != nil {
			return err
		}
	}
	for _, c := range l.Counters {
		if c.Var.IsValid() {
			if err := same(c.Phi.Comment, c.Next, f.get(c.Phi.Edges[slot])); err != nil {
				return err
			}
		}
	}
	return nil
}

// cellValues returns what was in memory before the step and what is there now. A cell that no instruction of the
// step has an address of is drawn when it is asked for, and stays what it is.
func cellValues(f *frame, c *read.Cell) (before, after any) {
	if isAggregate(c.Type) && c.Part < read.Field {
		panic(stuck{"a struct in memory"})
	}
	path := fmt.Sprintf("cell %p", c)
	for _, a := range c.Addresses {
		if _, ran := f.env[a]; ran || !f.loop.Holds(a) {
			if p, ok := f.get(a).(pointer); ok && p.path != "" {
				path = p.path
				break
			}
		}
	}
	if c.Part >= read.Field {
		return f.cellPart(path, c)
	}
	after = f.m.read(path, c.Type)
	return f.m.before[keyOf(path, c.Type)], after
}

// cellPart returns the number of a struct in memory that a cell is, before the step and now.
func (f *frame) cellPart(path string, c *read.Cell) (before, after any) {
	at, of := partOf(path, c.Type, c.Part)
	after = f.m.read(at, of)
	return f.m.before[keyOf(at, of)], after
}

// partOf returns where a number of a struct lies, and its type.
func partOf(at string, t types.Type, part read.Part) (string, types.Type) {
	path, of := part.Path(t)
	for _, i := range path {
		at = fmt.Sprint(at, ".", i)
	}
	return at, of
}

// leafValue returns the value that all instructions of a leaf agree on which ran, or a drawn one where none did.
func leafValue(f *frame, leaf read.Leaf) (bits uint64, err error) {
	t, found := leaf.Var.Type(), false
	for _, v := range leaf.Values {
		if _, ran := f.env[v]; !ran && f.loop.Holds(v) {
			continue
		}
		got := f.carry(t, f.partOf(f.get(v), v.Type(), leaf.Part))
		if found && got != bits {
			return 0, fmt.Errorf("%s stands for values that differ: %#x and %#x", leaf.Var, bits, got)
		}
		bits, found = got, true
	}
	if found {
		return bits, nil
	}
	if t.IsFloat() {
		return ir.FloatBits(t, f.m.float()), nil
	}
	return t.Wrap(uint64(f.m.integer())), nil
}

// partOf takes a part of a complex number, which is not rounded: those of complex64 are in its range; the number of a token; or a number of a struct.
func (f *frame) partOf(x any, t types.Type, part read.Part) any {
	switch {
	case part == read.Token:
		return f.m.token(x)
	case part == read.Real:
		return real(x.(complex128))
	case part == read.Imag:
		return imag(x.(complex128))
	case part >= read.Field:
		return f.m.read(partOf(x.(thing).path, t, part))
	}
	return x
}

// carry returns the bits by which package ir carries a value; there is one NaN. Slices and strings are carried by their
// lengths.
func (f *frame) carry(t ir.Type, x any) uint64 {
	switch x := x.(type) {
	case slice:
		return uint64(f.m.length(x, 0))
	case string:
		return uint64(len(x))
	case bool:
		if x {
			return 1
		}
		return 0
	case float32:
		return ir.FloatBits(t, float64(x))
	case float64:
		return ir.FloatBits(t, x)
	}
	return t.Wrap(bitsOf(x))
}

// token numbers a value that is no number: short strings in their order, others as they come.
func (m *machine) token(x any) uint64 {
	switch x := x.(type) {
	case string:
		if len(x) > 7 {
			panic(stuck{"a long string"})
		}
		var b [8]byte
		copy(b[:], x)
		b[7] = byte(len(x))
		return binary.BigEndian.Uint64(b[:])
	case pointer:
		if x.path == "" {
			return 0
		}
	case thing:
		if x.path == "" {
			return 0
		}
	case slice:
		if x.base == "" {
			return 0
		}
	}
	if m.tokens[x] == 0 {
		m.tokens[x] = uint64(len(m.tokens) + 1)
	}
	return m.tokens[x]
}

func assignment(vars map[ir.Expr]uint64) (text string) {
	for e, bits := range vars {
		text += fmt.Sprintf("%s = %#x ", e, bits)
	}
	return text
}
