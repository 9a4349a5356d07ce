package rfactor

import (
	"context"
	"fmt"
	"os"
	"sort"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
)

func TestLeadCorpus(t *testing.T) {
	f, err := os.Open("../testdata/corpus/updates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := ir.ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	allowed := ir.AllAssumptions
	if s := os.Getenv("ASSUME"); s != "" {
		allowed, _ = ir.ParseAssume(s)
	}
	mt := AllMatchers
	if os.Getenv("EG") != "" {
		mt = EGraph
	}
	if os.Getenv("EG") == "greedy" {
		mt = Greedy
	}
	out, _ := os.Create("/tmp/leadwork/out.jsonl")
	stat := map[string][2]int{}
	var times []float64
	for pass := range 2 {
		stat = map[string][2]int{}
		times = nil
		for _, l := range lines {
			p := ir.NewPool()
			u, err := ir.ParseUpdate(p, l.Types, l.Exprs)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			a, err := Match(context.Background(), u, Options{Name: l.Name, Allowed: allowed, Matchers: mt})
			el := time.Since(start)
			if err != nil {
				t.Fatal(l.Name, err)
			}
			times = append(times, float64(el.Nanoseconds())/1000)
			s := stat[l.Class]
			s[1]++
			if a.Status == Associative {
				s[0]++
			}
			stat[l.Class] = s
			if pass == 1 {
				js, err := a.JSON(false)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(out, "%s\n", js)
				if a.Status != Associative && (l.Class == "assoc" || l.Class == "assoc-no-id") {
					t.Logf("MISS %-20s %-40s %s: %s", l.Name, l.Types, l.Exprs, a.Reason)
				}
				if el > 5*time.Millisecond {
					t.Logf("SLOW %v %s %s", el, l.Name, a.Via())
				}
			}
		}
	}
	sort.Float64s(times)
	n := len(times)
	t.Log(stat, "median", times[n/2], "p90", times[n*9/10], "p99", times[n*99/100], "max", times[n-1])
}

func TestLeadVerify(t *testing.T) {
	f, _ := os.Open("../testdata/corpus/updates.tsv")
	lines, _ := ir.ReadCorpus(f)
	n := 0
	for _, l := range lines {
		p := ir.NewPool()
		u, err := ir.ParseUpdate(p, l.Types, l.Exprs)
		if err != nil {
			t.Fatal(err)
		}
		for _, allowed := range []ir.Assume{ir.AllAssumptions, ir.DefaultAssumptions} {
			a, err := Match(context.Background(), u, Options{Name: l.Name, Allowed: allowed})
			if err != nil {
				t.Fatal(err)
			}
			if a.Status != Associative {
				continue
			}
			js, err := a.JSON(true)
			if err != nil {
				t.Error(l.Name, err)
				continue
			}
			n++
			if err := Verify(js); err != nil {
				t.Errorf("%s: %v\n%s", l.Name, err, js[:min(len(js), 600)])
			}
		}
	}
	t.Log(n)
}
