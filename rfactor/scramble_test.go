package rfactor

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/scramble"
)

// Operators of the table, spelled by up to 30 random steps that change nothing, are matched.
// make bench-scramble does it for every operator.
func TestScrambledOperators(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	tables := pattern.Signatures()
	n, missed := 60, 0
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

// Roundabout terms are simplified by lemmas, which a certificate carries and a checker replays.
func TestLemmas(t *testing.T) {
	a := match(t, "x0:i32,y0:i32,k0:i32",
		"select(~(abs(x0) | abs(x0)) < ~max(min(max(-(-abs(-(-(-(y0 - max(2, 2))) + max(2, 2)))) & min(-1, -1), min(5, abs(-(-(-(y0 - max(2, 2))) + max(2, 2))) & "+
			"(1*min(-1, -1)))), y0) & min(-1, -1), abs(y0 - max(2, 2) + max(2, 2)) & max(-1, -1)) && max(abs(y0 - max(2, 2) + max(2, 2)) & min(-1, -1), "+
			"min(abs(y0 - max(2, 2) + max(2, 2)) & min(-1, -1), y0)) < (abs(x0) | abs(x0)), x0, max(2, 2) + (y0 - max(2, 2)))", "none", 0)
	if a.Status != Associative || len(a.Groups[0].Lemmas) == 0 {
		t.Fatalf("%s %s with %d lemmas", a.Status, a.Reason, len(a.Groups[0].Lemmas))
	}
	judge(t, a)
	line, err := a.JSON(true)
	if err != nil {
		t.Fatal(err)
	}
	for _, edit := range [][2]string{
		{`"to":"y0"`, `"to":"x0"`},
		{`"lemmas":[{`, `"lemmas":[{"type":"i32","from":"x0","to":"y0","cases":{"kind":"equal"}},{`},
		{`"lemmas":[`, `"no":[`},
	} {
		changed := strings.Replace(string(line), edit[0], edit[1], 1)
		if changed == string(line) {
			t.Fatalf("%s is not in %s", edit[0], line)
		}
		if Verify([]byte(changed)) == nil {
			t.Errorf("accepted with %s", edit[1])
		}
	}
}
