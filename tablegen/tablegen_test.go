package tablegen

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/prove/testpoint"
	"github.com/rfactor-go/rfactor/simd"
)

// read is every table of a folder.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tables in %s: %v", dir, err)
	}
	all := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(f)] = string(text)
	}
	return all
}

func fewTables(dir string) Options {
	o := Options{Types: []ir.Type{ir.I32}, Leaves: 3, Out: dir, Workers: 2}
	if testing.Short() {
		o.Leaves = 2
	}
	return o
}

// However the work is cut, the tables are the same.
func TestGenerate(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	whole := t.TempDir()
	if err := Generate(ctx, fewTables(whole)); err != nil {
		t.Fatal(err)
	}
	want := read(t, whole)

	pieces, err := Pieces(fewTables(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		shards int
		spaces *Spaces
	}{{3, nil}, {pieces, &Spaces{}}}[suite.More(1, 0):] {
		parts := make([]string, c.shards)
		for i := range parts {
			parts[i] = t.TempDir()
		}
		var group sync.WaitGroup
		for worker := range 2 {
			group.Go(func() {
				for i := worker; i < len(parts); i += 2 {
					o := fewTables(parts[i])
					o.Shard, o.Spaces = Shard{i + 1, c.shards}, c.spaces
					if err := Generate(ctx, o); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		merged := fewTables(t.TempDir())
		if err := Merge(ctx, merged, parts); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, read(t, merged.Out)); d != "" {
			t.Errorf("%d shards: %s", c.shards, d)
		}
	}

	again := fewTables(t.TempDir())
	again.Workers = 1
	for at := 1; ; at += suite.Sample(suite.More(500, 60), 9) { // interrupted again and again, a little later each time
		if at > 2000 {
			t.Fatal("never done")
		}
		stopped, cancel := context.WithCancel(ctx)
		seen := 0
		again.Progress = func(string, int, int) {
			if seen++; seen == at {
				cancel()
			}
		}
		err := Generate(stopped, again)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		again.Resume = true
	}
	if d := cmp.Diff(want, read(t, again.Out)); d != "" {
		t.Errorf("one worker, interrupted: %s", d)
	}

	again.Leaves = 4
	if err := os.MkdirAll(filepath.Join(again.Out, ".work"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(again.Out, ".work", "settings"), []byte("tablegen version 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Generate(ctx, again); err == nil || !strings.Contains(err.Error(), "cannot resume") {
		t.Errorf("resumed what another version began: %v", err)
	}
}

func TestVerify(t *testing.T) {
	types := []ir.Type{ir.I16}
	name, text := pattern.TableName(types), pattern.TableText(types)
	entries, err := pattern.ReadTable(name, text)
	if err != nil {
		t.Fatal(err)
	}
	some := []*pattern.Entry{}
	for i, e := range entries { // make check-tables verifies every table whole
		if i%suite.Sample(12, 1) == 0 {
			some = append(some, e)
		}
	}
	if err := Verify(context.Background(), name, pattern.FormatTable(some, "sample"), 500); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		edit func(e *pattern.Entry)
	}{
		{"i16.txt: proven is", func(e *pattern.Entry) { e.Commutative = !e.Commutative }},
		{"i16.txt: proven is", func(e *pattern.Entry) { e.Idempotent = !e.Idempotent }},
		{"i16.txt: proven is", func(e *pattern.Entry) { e.Side = "middle" }},
		{"i16.txt: proven is", func(e *pattern.Entry) { e.Identity = nil }},
		{"i16.txt: proven is", func(e *pattern.Entry) { e.Assumes |= ir.NNaN }},
		{"i16.txt: max is not proven", func(e *pattern.Entry) {
			e.Exprs = []ir.Expr{ir.SubOf(e.Exprs[0].Pool().X(0, ir.I16), e.Exprs[0].Pool().Y(0, ir.I16))}
		}},
	} {
		i := slices.IndexFunc(entries, func(e *pattern.Entry) bool { return e.Name == "max" })
		forged := *entries[i]
		c.edit(&forged)
		one := pattern.FormatTable([]*pattern.Entry{&forged}, "forged") // with check sums that hold
		if err := Verify(context.Background(), name, one, 500); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", forged.Line(), err, c.want)
		}
	}
}

// The kernels, the scalar evaluator and the reference evaluator agree on every operation.
func TestEvaluators(t *testing.T) {
	for i := range worlds {
		w := &worlds[i]
		switch w.values {
		case signedWords:
			agree[int32](t, w)
		case unsignedWords:
			agree[uint32](t, w)
		case integers, naturals:
			agree[int64](t, w)
		case reals:
			agree[float64](t, w)
		case ieee, numbers:
			agree[float32](t, w)
		case truths:
			agree[int8](t, w)
		}
	}
}

func agree[T simd.Number](t *testing.T, w *world) {
	shapes := []sort{number, flag}
	if w.values == truths {
		shapes = []sort{flag, flag}
	}
	ops := append(append(append([]opcode{}, w.paper...), w.wide...), opChoose)
	s := newSpace[T](w, ops, shapes, 1, nil, 3)
	for range 3 {
		if err := s.grow(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	types := s.irTypes()
	if w.values == integers {
		types[0] = ir.I64
	}
	pool := ir.NewPool()
	r := newReader(s)
	for p := range s.pts.n {
		var e env[T]
		for i := range s.vars {
			e[i] = s.pts.values[i][p]
		}
		at := &ir.Env{Var: func(v ir.Expr) uint64 {
			for i := range s.vars {
				if s.variable(pool, types, i) == v {
					return carried(v.Type(), e[i])
				}
			}
			panic("no such variable")
		}}
		for id := 0; id < len(s.numbers.nodes); id += 1 + p%7 {
			n := s.numbers.nodes[id]
			a, b := r.number(uint32(id))[p], s.numberOf(&n, &e)
			if !s.same(a, b) {
				t.Fatalf("%s: %s at %v: kernels %v, scalar %v", w.name, s.expression(pool, types, n), e[:len(s.vars)], a, b)
			}
			x := s.expression(pool, types, n)
			if got, want := carried(x.Type(), a), ir.Eval(x, at); got != want && !testpoint.Close(x.Type(), w.allowed, got, want) {
				t.Fatalf("%s: %s at %v: %v, want %v", w.name, x, e[:len(s.vars)], a, want)
			}
		}
		for id := 0; id < len(s.flags.nodes); id += 1 + p%7 {
			n := s.flags.nodes[id]
			a, b := r.flag(uint32(id))[p], s.truthOf(&n, &e)
			x := s.expression(pool, types, n)
			if want := ir.Eval(x, at) != 0; a != b || a != want {
				t.Fatalf("%s: %s at %v: kernels %v, scalar %v, want %v", w.name, x, e[:len(s.vars)], a, b, want)
			}
		}
	}
}

// carried is a value as package ir carries it.
func carried[T simd.Number](t ir.Type, v T) uint64 {
	switch {
	case t == ir.F32:
		return uint64(math.Float32bits(float32(v)))
	case t == ir.F64:
		return math.Float64bits(float64(v))
	}
	return t.Wrap(uint64(int64(v)))
}

// What a kept operator answers, and what the matcher lifts, is left out; what is new is not.
func TestFilter(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		world, exprs string
		generalised  string // where it differs
		steps        bool
		answered     bool
	}{
		{world: "signed", exprs: "x0 + y0 - k0", answered: true},                      // sum, conjugate by x - k0
		{world: "signed", exprs: "(x0 + x0)*y0", answered: true},                      // product, 2y first
		{world: "signed", exprs: "x0 + y0 + x0*y0", answered: true},                   // product, conjugate by x + 1
		{world: "signed", exprs: "min(min(x0, y0), k0)", steps: true, answered: true}, // min, of y0 and k0
		{world: "signed", exprs: "max(min(x0, k0*k0), y0)", generalised: "max(min(x0, k0), y0)", steps: true, answered: true},
		{world: "signed", exprs: "select(x0*x0 == k0, x0, y0)", steps: true, answered: true}, // first_unless, mirrored
		{world: "signed", exprs: "max(min(k0 ^ y0, x0), y0)", steps: true, answered: false},
		{world: "signed", exprs: "(x0 ^ y0) | (x0 & k0)"},
		{world: "integers", exprs: "x0 + y0 - max(y0, max(x0, k0))"},
		{world: "truths", exprs: "!(x0 != y0)", answered: true},
	} {
		w := worldOf(test.world)
		shape := "n"
		if w.values == truths {
			shape = "f"
		}
		c := newChooser(w, shape)
		if err := c.start(ctx); err != nil {
			t.Fatal(err)
		}
		es, err := pattern.Parse(c.pool, c.types, test.exprs)
		if err != nil {
			t.Fatal(err)
		}
		want := test.generalised
		if want == "" {
			want = test.exprs
		}
		if g, ok := c.generalise(es); ok {
			es = g
		}
		if got := ir.Strings(es); got != want {
			t.Errorf("%s: generalised to %s, want %s", test.exprs, got, want)
		}
		if got := c.steps(es); got != test.steps {
			t.Errorf("%s: steps %v, want %v", test.exprs, got, test.steps)
		}
		if got := c.filter.answered(es) || c.filter.answered(c.mirror(es)); got != test.answered {
			t.Errorf("%s: answered %v, want %v", test.exprs, got, test.answered)
		}
	}
}

func TestListed(t *testing.T) {
	for _, l := range listed() {
		if len(l.tuples()) == 0 {
			t.Errorf("%s: no types", l.Name)
		}
	}
	if _, err := parseListed("a (int T) : x0\n  as x0"); err == nil || err.Error() != "listed.txt:2: no 'with'" {
		t.Error("a form without inject map passes", err)
	}
	if _, err := parseListed("a (real T) : x0"); err == nil || err.Error() != `listed.txt:1: unknown class "real"` {
		t.Error("an unknown class passes", err)
	}
}
