package rfactor

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/pattern"
)

// Operators of the table, spelled by up to 30 random steps that change nothing, are matched.
// make bench-scramble does it for every operator.
func TestScrambledOperators(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	tables := pattern.Signatures()
	n, missed := suite.More(30, 60), 0
	if testing.Short() {
		n = 20
	}
	for range n {
		entries := pattern.Entries(tables[rng.IntN(len(tables))])
		e := entries[rng.IntN(len(entries))]
		pool := ir.NewPool()
		allowed := (e.Assumes | ir.DefaultAssumptions) &^ e.Excludes
		u := &ir.Update{Pool: pool, Types: e.Types, Values: pool.Import(e.Exprs...), Source: &ir.Source{Name: "scrambled"}}
		s := scramble.New(rng, u, allowed)
		u.Values = s.Scramble(u.Values, 1+rng.IntN(30))
		a, err := Match(context.Background(), u, Options{Allowed: allowed})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != Associative {
			missed++
			t.Logf("missed: %s under %s, spelled %s", ir.Strings(e.Exprs), allowed, ir.Strings(u.Values))
			continue
		}
		judge(t, a)
	}
	if missed > n/30 {
		t.Errorf("%d of %d are missed", missed, n)
	}
}

// Updates that need a lift are lifted in other spellings, too. bench scramble does it for every
// line of a corpus.
func TestScrambledLifts(t *testing.T) {
	missed, n := 0, 0
	for i, u := range [][2]string{
		{"x0:i32,y0:i32,k0:i32", "x0*k0 + y0"},
		{"x0:i32,y0:i32,k0:i32,k1:i32", "max(min(x0 + y0, k1), k0)"},
		{"x0:i32,x1:i32,y0:bool", "select(y0, x0 + 1, 0); max(x1, select(y0, x0 + 1, 0))"},
		{"x0:i32,x1:i32,y0:i32", "y0; x1 + abs(y0 - x0)"},
		{"x0:i32,x1:i32,y0:i32,r:i32", "max(0, x0 + y0); select(x0 + y0 < 0, r, x1)"},
		{"x0:f64,y0:f64,k0:f64", "x0*k0 + y0*(1 - k0)"},
	} {
		for j := range 5 {
			v, err := program.ParseUpdate(ir.NewPool(), u[0], u[1])
			if err != nil {
				t.Fatal(err)
			}
			s := scramble.New(rand.New(rand.NewPCG(uint64(i), uint64(j))), v, ir.NSW|ir.DefaultAssumptions)
			v.Values = s.Scramble(v.Values, 1+j)
			a, err := Match(context.Background(), v, Options{Allowed: ir.NSW | ir.DefaultAssumptions})
			if err != nil {
				t.Fatal(err)
			}
			n++
			if a.Status != Lifted {
				missed++
				t.Logf("missed: %s, spelled %s", u[1], ir.Strings(v.Values))
				continue
			}
			judge(t, a)
		}
	}
	if missed > n/15 {
		t.Errorf("%d of %d are missed", missed, n)
	}
}

// Roundabout terms are simplified by lemmas, which a certificate carries and a checker replays.
func TestLemmas(t *testing.T) {
	a := match(t, "x0:i32,x1:i32,y0:i32,y1:i32",
		"(y0 & y0)*(max(min((x0 ^ 0)*~max(~(x1 + y1 - y1), ~y1 + 0) + 0, y1) & ((min((x0 ^ 0)*~max(~(x1 + y1 - y1), (~y1 + 0) & (-1)), y1) + 0) | "+
			"(0 + min((x0 ^ 0)*~max(~(x1 + y1 - y1), ~y1 + 0), y1))), (x0 ^ 0)*~max(~y1 + 0, ~(max(y1 + x1, y1 + x1) - y1))) - (x0 ^ 0) + "+
			"(y0 & y0) - (y0 & y0)) + (y0 & max(y0, min(y0, y0))) - (y0 & y0); max(y1, x1 + y1 - y1)", "none", 0)
	if a.Status != Associative || len(a.Groups[0].Lemmas) == 0 {
		t.Fatalf("%s %s with %d lemmas", a.Status, a.Reason, len(a.Groups[0].Lemmas))
	}
	judge(t, a)
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][3]string{
		{`"to":"`, `"to":"1 + `, "group 0: lemma 0: "},
		{`"lemmas":[{`, `"lemmas":[{"type":"i32","from":"x0","to":"y0","cases":{"kind":"equal"}},{`, "group 0: lemma 0: "},
		{`"lemmas":[`, `"no":[`, "group 0: component 0: "},
	} {
		changed := strings.Replace(string(line), edit[0], edit[1], 1)
		if changed == string(line) {
			t.Fatalf("%s is not in %s", edit[0], line)
		}
		rejected(t, edit[1], []byte(changed), edit[2])
	}
}
