package lab

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/rfactor"
)

const (
	testCorpus = "sum\there\tx0:i32,y0:i32\tx0 + y0\nmax\there\tx0:i32,y0:i32\tmax(x0, y0)\nsquare\there\tx0:i32,y0:i32\tx0*x0 + y0\n"
	testText   = `{"schema": "rfactor-lab/1", "corpora": ["small.tsv"], "seed": 3, "repeats": 2, "matchers": ["exact", "lift"],
  "scrambles": {"depths": [0, 5], "seeds": [1, 2], "matchers": ["lift"]}, "saturation": true}`
)

// begin reads an experiment in a directory of its own.
func begin(t *testing.T) (dir string, e *Experiment) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "small.tsv"), []byte(testCorpus), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := ReadExperiment(filepath.Join(dir, "e.json"), testText)
	if err != nil {
		t.Fatal(err)
	}
	return dir, e
}

// A run that the context ends has a report of what was done, and a resumed one gives the verdicts that an
// undisturbed one gives.
func TestResume(t *testing.T) {
	dir, e := begin(t)
	whole := filepath.Join(dir, "whole")
	if err := (&Run{Dir: whole, Workers: 2}).Do(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, "part")
	for _, after := range []int{4, 13, 1000} {
		ctx, stop := context.WithCancel(context.Background())
		steps := 0
		run := &Run{Dir: part, Workers: 1, Resume: true, Step: func(int, int, string) {
			if steps++; steps == after {
				stop()
			}
		}}
		if err := run.Do(ctx, e); after < 1000 && !errors.Is(err, context.Canceled) || after == 1000 && err != nil {
			t.Fatalf("after %d steps: %v", after, err)
		}
		stop()
		s, err := Summarise(part, e)
		if err != nil {
			t.Fatal(err)
		}
		if done := s.Missing == 0; after == 4 && done || after == 1000 && !done {
			t.Errorf("after %d steps %d matches are missing", after, s.Missing)
		}
		if err := s.Report(part); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(part, reportFile)); err != nil || len(text) < 5000 {
			t.Errorf("the page has %d bytes: %v", len(text), err)
		}
	}
	if c, err := Compare(whole, part); err != nil || len(c.Lost) != 0 || c.Both == 0 {
		t.Errorf("beside a run that nobody ended: %+v, %v", c, err)
	}
	a, err := ReadResults(whole)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReadResults(part)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Records) != len(b.Records) {
		t.Errorf("%d records in one run, %d in the other", len(a.Records), len(b.Records))
	}
}

// Without the families or the table that an answer comes from there is another answer, or none.
func TestAblated(t *testing.T) {
	dir, _ := begin(t)
	e, err := ReadExperiment(filepath.Join(dir, "e.json"), `{"schema": "rfactor-lab/1", "corpora": ["small.tsv"], "matchers": ["exact"],
  "without": [{"name": "all", "stages": ["exact"]}]}`)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if err := (&Run{Dir: out, Workers: 1}).Do(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	s, err := Summarise(out, e)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sum", "max"} {
		if v := s.verdicts[Key{Config: "exact", Corpus: "small.tsv", Name: name}]; !v.answered() {
			t.Errorf("%s is not answered: %s", name, v.Reason)
		}
		if v := s.verdicts[Key{Config: "exact without all", Corpus: "small.tsv", Name: name}]; v == nil || v.answered() {
			t.Errorf("%s is answered without the only stage there is: %+v", name, v)
		}
	}
}

// With a table and rules of one's own updates are answered that were not; a wrong rule ends the run at once,
// and a changed one is no run to resume.
func TestAdditions(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one.tsv", "odd\tmine\tx0:i32,y0:i32\tx0 ^ y0 ^ 12345\tassoc\n")
	write("mine/i32.txt", "odd : x0 ^ y0 ^ 12345\n")
	write("own.rules", "twice [int] : a + a => 2*a\n")
	run := func(resume bool) (*Summary, error) {
		e, err := ReadExperiment(filepath.Join(dir, "e.json"), `{"schema": "rfactor-lab/1", "corpora": ["one.tsv"], "matchers": ["exact"],
  "with": [{"name": "mine", "rules": "own.rules", "table": "mine"}]}`)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		if err := (&Run{Dir: out, Workers: 1, Resume: resume}).Do(context.Background(), e); err != nil {
			return nil, err
		}
		return Summarise(out, e)
	}
	s, err := run(false)
	if err != nil {
		t.Fatal(err)
	}
	for config, answered := range map[string]bool{"exact": false, "exact with mine": true} {
		if v := s.verdicts[Key{Config: config, Corpus: "one.tsv", Name: "odd"}]; v == nil || v.answered() != answered {
			t.Errorf("%s: %+v", config, v)
		}
	}
	write("own.rules", "thrice [int] : a + a + a => 3*a\n")
	if _, err := run(true); err == nil || !strings.Contains(err.Error(), "a rule or a table of an addition changed") {
		t.Errorf("with another rule a run is resumed: %v", err)
	}
	write("own.rules", "wrong [int] : a + a => 3*a\n")
	if _, err := run(false); !errors.As(err, new(*rfactor.NotARule)) {
		t.Errorf("a wrong rule gives the error %v", err)
	}
}

func TestConfidence(t *testing.T) {
	mean, half := confidence([]float64{1, 2, 3})
	if mean != 2 || math.Abs(half-4.303/math.Sqrt(3)) > 1e-9 {
		t.Errorf("1, 2, 3 have the mean %v ± %v", mean, half)
	}
	if _, half := confidence([]float64{5}); half != 0 {
		t.Errorf("one value has ± %v", half)
	}
	if q := quantile([]float64{1, 2, 4}, 0.75); q != 3 {
		t.Errorf("the third quartile of 1, 2, 4 is %v", q)
	}
}
