package llvm

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// trials is how many arrays each loop is run on.
const trials = 40

// xorshift draws the same numbers as the harness.
type xorshift uint64

func (x *xorshift) next() uint64 {
	*x ^= *x << 13
	*x ^= *x >> 7
	*x ^= *x << 17
	return uint64(*x) >> 33
}

// harness runs each function of loops.c on arrays that it draws, and prints the bits of results.
const harness = `
#include "loops.c"
#include <stdio.h>
#include <string.h>
static u64 s; static u64 next(void) { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return s >> 33; }
#define RUN(name, ELEM, RET) for (int t = 0; t < TRIALS; t++) { s = 88172645463325252u + t; ELEM a[40]; int n = next() % 41; \
  for (int i = 0; i < n; i++) a[i] = (ELEM)((i64)(next() % 41) - 20); ELEM k = (ELEM)((i64)(next() % 41) - 20); \
  RET r = name(a, n, k); u64 bits = 0; memcpy(&bits, &r, sizeof r); printf("%s %d %llu\n", #name, t, (unsigned long long)bits); }
int main(void) {
`

var kernel = regexp.MustCompile(`(?m)^K\((\w+), (\w+), (\w+)\)`)

// compiled runs the functions of loops.c as gcc or clang compiles them: the bits of results by name.
func compiled(t *testing.T) (results map[string][]uint64, elems, returns map[string]ir.Type) {
	t.Helper()
	cc := ""
	for _, name := range []string{"gcc", "clang", "clang-14"} {
		if path, err := exec.LookPath(name); err == nil && cc == "" {
			cc = path
		}
	}
	if cc == "" {
		t.Skip("no C compiler is on the path")
	}
	source, err := os.ReadFile("testdata/loops.c")
	if err != nil {
		t.Fatal(err)
	}
	dir, text := t.TempDir(), strings.Replace(harness, "TRIALS", fmt.Sprint(trials), 1)
	elems, returns = map[string]ir.Type{}, map[string]ir.Type{}
	for _, m := range kernel.FindAllStringSubmatch(string(source), -1) {
		text += fmt.Sprintf("  RUN(%s, %s, %s)\n", m[1], m[2], m[3])
		elems[m[1]], returns[m[1]] = ir.ParseType(m[2]), ir.ParseType(m[3])
	}
	if err := os.WriteFile(filepath.Join(dir, "main.c"), []byte(text+"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	here, _ := filepath.Abs("testdata")
	program := filepath.Join(dir, "loops")
	if out, err := exec.Command(cc, "-O1", "-fwrapv", "-ffp-contract=off", "-I", here, "-o", program, filepath.Join(dir, "main.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	results = map[string][]uint64{}
	for line := range strings.Lines(string(out)) {
		var name string
		var trial int
		var bits uint64
		if _, err := fmt.Sscan(line, &name, &trial, &bits); err != nil {
			t.Fatal(err)
		}
		results[name] = append(results[name], bits)
	}
	return results, elems, returns
}

// TestCompiled runs each loop that is answered on arrays: as compiled code, as its update, and in three slices that its operator
// merges. Some component of the state must be the result of the compiled code every time, and all components those of the slices.
func TestCompiled(t *testing.T) {
	results, elems, returns := compiled(t)
	compared := 0
	m := parsed(t, "testdata/loops-16.ll")
	for _, l := range m.Loops() {
		a, err := l.Match(context.Background(), rfactor.Options{Allowed: ir.Reassoc | ir.NSZ | ir.NNaN})
		if err != nil {
			t.Fatal(err)
		}
		if a == nil || a.Status == rfactor.Refused || l.Func == "until" || slices.ContainsFunc(l.Update.Init, func(e ir.Expr) bool { return !e.IsValid() }) {
			continue
		}
		f := &arrays{module: m, loop: l, answer: a, elem: elems[l.Func]}
		candidates := slices.Repeat([]bool{true}, len(l.Update.Types))
		for trial, want := range results[l.Func] {
			f.draw(trial)
			serial := f.serial(t)
			if a.Status != rfactor.Staged {
				if sliced := f.sliced(t); !slices.Equal(serial, sliced) {
					t.Errorf("%s: %d, and in slices %d", l.Func, serial, sliced)
				}
			}
			for i, v := range serial {
				candidates[i] = candidates[i] && v&(math.MaxUint64>>(64-returns[l.Func].Bits())) == want
			}
		}
		if compared++; len(results[l.Func]) != trials || !slices.Contains(candidates, true) {
			t.Errorf("%s: of %d runs no component of the update is the result of the compiled code", l.Func, len(results[l.Func]))
		}
	}
	t.Logf("%d loops are compared", compared)
	if compared < 38 {
		t.Errorf("only %d loops are compared", compared)
	}
}

// arrays are the inputs of a run.
type arrays struct {
	module *Module
	loop   *Loop
	answer *rfactor.Answer
	elem   ir.Type
	a      []uint64
	k      uint64
}

func (f *arrays) draw(trial int) {
	x := xorshift(88172645463325252 + uint64(trial))
	value := func() uint64 {
		n := int64(x.next()%41) - 20
		if f.elem.IsFloat() {
			return ir.FloatBits(f.elem, float64(n))
		}
		return f.elem.Wrap(uint64(n))
	}
	f.a = make([]uint64, x.next()%41)
	for i := range f.a {
		f.a[i] = value()
	}
	f.k = value()
}

// steps calls a function with the values of inputs for each step of the loop.
func (f *arrays) steps(t *testing.T, step func(input func(name string, want ir.Type) uint64)) {
	order := make([]int, len(f.a))
	for i := range order {
		order[i] = i
	}
	switch f.loop.Func {
	case "sum_backwards":
		slices.Reverse(order)
	case "sum_of_strides":
		order = slices.DeleteFunc(order, func(i int) bool { return i%3 != 0 })
	}
	for _, i := range order {
		step(func(name string, want ir.Type) uint64 {
			for _, g := range f.module.m.Funcs {
				if g.Name != f.loop.Func {
					continue
				}
				if name == g.Params[2].Name {
					return want.Wrap(f.k)
				}
				switch in := g.Defs[name]; in.Op {
				case "phi":
					return want.Wrap(uint64(i))
				case "load":
					return want.Wrap(f.a[i])
				}
			}
			t.Fatalf("%s: what is %s?", f.loop.Func, name)
			return 0
		})
	}
}

// env gives the values of variables: the state, and inputs.
func (f *arrays) env(state []uint64, input func(string, ir.Type) uint64) *ir.Env {
	return &ir.Env{Var: func(v ir.Expr) uint64 {
		if v.Kind() == ir.State {
			return state[v.Index()]
		}
		for _, in := range f.loop.Inputs {
			if in.Var.Name() == v.Name() {
				return input(in.Name, v.Type())
			}
		}
		return 0
	}}
}

func (f *arrays) initial() (state []uint64) { return ir.EvalAll(f.loop.Update.Init, nil) }

func (f *arrays) serial(t *testing.T) []uint64 {
	state := f.initial()
	f.steps(t, func(input func(string, ir.Type) uint64) {
		state = ir.EvalAll(f.loop.Update.Values, f.env(state, input))
	})
	return state
}

// sliced reduces three slices, each from its first element, merges them, and applies the result to the initial state.
func (f *arrays) sliced(t *testing.T) []uint64 {
	a := f.answer
	combine := func(x, y []uint64) []uint64 {
		return ir.EvalAll(a.Operator.Exprs, &ir.Env{Var: func(v ir.Expr) uint64 {
			switch v.Kind() {
			case ir.State:
				return x[v.Index()]
			case ir.Leaf:
				return y[v.Index()]
			}
			return f.constant(v)
		}})
	}
	var slices [3][]uint64
	n := 0
	f.steps(t, func(input func(string, ir.Type) uint64) {
		env := &ir.Env{Var: func(v ir.Expr) uint64 {
			for _, leaf := range a.Leaves {
				if leaf.Var == v {
					return f.env(nil, input).Var(leaf.Source)
				}
			}
			return f.env(nil, input).Var(v)
		}}
		y := ir.EvalAll(a.Inject, env)
		if at := n * 3 / max(len(f.a), 1) % 3; slices[at] == nil {
			slices[at] = y
		} else {
			slices[at] = combine(slices[at], y)
		}
		n++
	})
	var all []uint64
	for _, s := range slices {
		switch {
		case s == nil:
		case all == nil:
			all = s
		default:
			all = combine(all, s)
		}
	}
	state := f.initial()
	switch {
	case all == nil:
		return state
	case a.Lift == nil:
		return combine(state, all)
	}
	return ir.EvalAll(a.Lift.Apply, &ir.Env{Var: func(v ir.Expr) uint64 {
		if v.Kind() == ir.State {
			return state[v.Index()]
		}
		for i, p := range a.Lift.Params {
			if p == v {
				return all[i]
			}
		}
		return f.constant(v)
	}})
}

// constant is the value of an invariant of an operator.
func (f *arrays) constant(v ir.Expr) uint64 {
	if v.Kind() == ir.Param {
		return v.Type().Wrap(f.k)
	}
	return 0
}
