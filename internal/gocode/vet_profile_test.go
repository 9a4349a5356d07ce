package gocode

import (
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/rfactor-go/rfactor/golang"
)

// TestHotLoops gives a sample to all loops on its stack, inlined ones too, and to each once.
func TestHotLoops(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	loop := func(name string, from, to int) *golang.Finding {
		return &golang.Finding{Pos: token.Position{Filename: name, Line: from}, EndLine: to}
	}
	outer, inner, other, cold, trimmed := loop("a.go", 3, 9), loop("a.go", 5, 7), loop("b.go", 3, 9), loop("a.go", 20, 22), loop(filepath.Join(here, "c.go"), 3, 9)
	s := &survey{Findings: []*golang.Finding{cold, other, inner, outer, trimmed}, paths: map[*golang.Finding]string{trimmed: "example.org/stat"}}

	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	location := func(lines ...profile.Line) *profile.Location {
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: lines}
		p.Location = append(p.Location, l)
		return l
	}
	line := func(name string, n int64) profile.Line {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Filename: name}
		p.Function = append(p.Function, f)
		return profile.Line{Function: f, Line: n}
	}
	sample := func(ns int64, stack ...*profile.Location) {
		p.Sample = append(p.Sample, &profile.Sample{Value: []int64{1, ns}, Location: stack})
	}
	a := filepath.Join(here, "a.go")
	sample(500, location(line("elsewhere/b.go", 4), line(a, 6)), location(line(a, 4)))
	sample(300, location(line(a, 9)), location(line(a, 3)))
	sample(100, location(line("example.org/stat/c.go", 3)))
	sample(95, location(line(a, 10)))
	sample(5, location(line(a, 21)))
	name := filepath.Join(t.TempDir(), "cpu.out")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(file); err != nil {
		t.Fatal(err)
	}
	file.Close()

	hot, total, err := s.hotLoops(name)
	if err != nil || total != 1000 || len(hot) != 3 || hot[0] != outer || hot[1] != inner || hot[2] != trimmed {
		t.Fatal(hot, total, err)
	}
	if outer.Time != 800 || inner.Time != 500 || trimmed.Time != 100 || cold.Time != 5 || other.Time != 0 {
		t.Error(outer.Time, inner.Time, trimmed.Time, cold.Time, other.Time)
	}
}
