package llvm

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/exec"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
	"github.com/rfactor-go/rfactor/rfactor"
)

// unrolled runs such a function on a state and inputs of steps that are drawn, and the update step by step.
func unrolled(t *testing.T, l *Loop, b *Unrolled, rng *rand.Rand) {
	t.Helper()
	m, err := syntax.Parse("steps.ll", b.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Text)
	}
	f := m.Funcs[0]
	isInvariant := func(in Input) bool { return slices.Contains(b.Invariants, in.Name) }
	u := l.Update
	for range 20 {
		values := map[string]uint64{} // of inputs
		draw := func(invariant bool) {
			for _, in := range l.Inputs {
				if isInvariant(in) == invariant {
					values[in.Name] = bitsOf(exec.Value{Bits: []uint64{rng.Uint64(), uint64(rng.IntN(5)), ^uint64(0), 1 << 31}[rng.IntN(4)]}, true, in.Var.Type(), rng)
				}
			}
		}
		draw(true)
		var args []exec.Value
		state := make([]uint64, len(u.Types))
		add := func(v uint64, name string) {
			typ := f.Params[len(args)].Type
			args = append(args, exec.Value{Bits: v & (^uint64(0) >> (64 - typ.Bits))})
		}
		for i, typ := range u.Types {
			state[i] = bitsOf(exec.Value{Bits: []uint64{rng.Uint64(), uint64(rng.IntN(5))}[rng.IntN(2)]}, true, typ, rng)
			add(state[i], "")
		}
		for _, name := range b.Invariants {
			add(values[name], name)
		}
		for range b.Steps {
			draw(false)
			for _, name := range b.Inputs {
				add(values[name], name)
			}
			state = ir.EvalAll(u.Values, &ir.Env{Var: func(v ir.Expr) uint64 {
				if v.Kind() == ir.State {
					return state[v.Index()]
				}
				at := slices.IndexFunc(l.Inputs, func(in Input) bool { return in.Var == v })
				return values[l.Inputs[at].Name]
			}})
		}
		got := structure(t, f, args)
		for i, typ := range u.Types {
			if typ.Wrap(got[i]) != state[i] {
				t.Fatalf("%s: component %d is %d after %d steps, but %d by\n%s", l.Func, i, int64(state[i]), b.Steps, int64(typ.Wrap(got[i])), b.Text)
			}
		}
	}
}

// structure runs a function, and returns the values that it inserts into the struct that it returns.
func structure(t *testing.T, f *syntax.Func, args []exec.Value) (values []uint64) {
	t.Helper()
	insts := f.Blocks[0].Insts
	for i := range insts {
		if insts[i].Op != "insertvalue" {
			continue
		}
		g := *f
		head := slices.DeleteFunc(slices.Clone(insts[:i]), func(in *syntax.Inst) bool { return in.Op == "insertvalue" })
		g.Blocks = []*syntax.Block{{Name: "%entry", Insts: append(head, &syntax.Inst{Op: "ret", Args: insts[i].Args[1:2]})}}
		v, err := exec.Run(&g, args, nil, nil)
		if err != nil || v.Poison {
			t.Fatalf("%v, %v", v, err)
		}
		values = append(values, v.Bits)
	}
	return values
}

// TestUnroll does several steps of each loop at once and one by one.
func TestUnroll(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	written := map[string]bool{}
	for _, l := range parsed(t, "testdata/loops-16.ll").Loops() {
		a, err := l.Match(context.Background(), rfactor.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, steps := range []int{2, 3, 8} {
			b, err := l.Unroll(a, steps)
			if err != nil {
				continue
			}
			for _, flag := range []string{"nsw", "nuw", "exact", "fast"} {
				if strings.Contains(b.Text, flag) {
					t.Errorf("%s: it has %s\n%s", l.Func, flag, b.Text)
				}
			}
			written[l.Func] = true
			unrolled(t, l, b, rng)
		}
	}
	for _, name := range []string{"sum", "hash", "horner", "alternating", "words", "second_least", "maximum_place"} {
		if !written[name] {
			t.Errorf("%s is not unrolled", name)
		}
	}
	for _, name := range []string{"sum_float", "count_double", "clamped", "best_segment", "logistic"} {
		if written[name] {
			t.Errorf("%s is unrolled: its sums may overflow, it has floats, or no answer", name)
		}
	}
	if len(written) < 31 {
		t.Errorf("only %d loops are unrolled", len(written))
	}
}
