package match

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/bench/internal/command"
)

const small = `#name	source	types	exprs
sum	generic	x0:i32,y0:i32	x0 + y0
square	generic	x0:i32,y0:i32	x0*x0 + y0
max	generic	x0:i32,y0:i32	max(x0, y0)
`

// Rows of percentiles: of each corpus, of random updates and of all together, under each set of
// assumptions, whole and by what became of the updates.
func TestTimes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.tsv")
	if err := os.WriteFile(file, []byte(small), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := Times.Run(t.Context(), []string{"-runs", "1", "-random", "4", file}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if want := "corpus\tn\tmedian_us\tp90_us\tp99_us\tp99.9_us\tmax_us\tslowest\teffort_max\tof"; lines[0] != want {
		t.Errorf("the head is %q, not %q", lines[0], want)
	}
	counts := map[string]int{}
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 10 {
			t.Fatalf("%q has %d cells, not 10", line, len(cells))
		}
		counts[cells[0]], _ = strconv.Atoi(cells[1])
		var times []float64
		for _, cell := range cells[2:7] {
			us, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Errorf("%q: %v", line, err)
			}
			times = append(times, us)
		}
		if !slices.IsSorted(times) {
			t.Errorf("%q: percentiles are not in order", line)
		}
	}
	for name, n := range map[string]int{"small.tsv:all": 3, "small.tsv:all:answered": 2, "small.tsv:default:refused": 1, "random:all": 4, "together:default": 7} {
		if counts[name] != n {
			t.Errorf("the row %s has %d updates, not %d", name, counts[name], n)
		}
	}
}

func TestPercentile(t *testing.T) {
	sorted := make([]int, 1000)
	for i := range sorted {
		sorted[i] = i + 1
	}
	for p, want := range map[float64]int{50: 500, 90: 900, 99: 990, 99.9: 999, 100: 1000} {
		if got := percentile(sorted, p); got != want {
			t.Errorf("percentile %v of 1 to 1000 is %d, not %d", p, got, want)
		}
	}
	if got := percentile([]int{7}, 50); got != 7 {
		t.Errorf("the median of one value 7 is %d", got)
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		of   *command.Command
		args []string
		says string
	}{
		{Times, []string{"-runs", "0", "a.tsv"}, "-runs is less than 1"},
		{Times, []string{"-nonsense"}, "not defined: -nonsense"},
		{Coverage, []string{"a.tsv", "b.tsv"}, "it takes one corpus"},
		{Compare, nil, "it takes a commit"},
		{Digest, []string{"-update", "a.tsv"}, "-update is of the digests of the default corpora"},
	} {
		var out, errs strings.Builder
		if code := test.of.Run(t.Context(), test.args, &out, &errs); code != 2 || !strings.Contains(errs.String(), test.says) || !strings.Contains(errs.String(), "usage: bench "+test.of.Name) {
			t.Errorf("bench %s %q: exit code %d, and %q is said", test.of.Name, test.args, code, errs.String())
		}
	}
}

// A column for each corpus and set of assumptions, a row for each status, number of passes and code of refusals.
func TestOutcomes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.tsv")
	staged := "two\tgeneric\tx0:i32,x1:i32,y0:i32\tx0 + y0; select(x0 > 9, 3*x1*x0, x1 + 1)\n"
	if err := os.WriteFile(file, []byte(small+staged), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := Outcomes.Run(t.Context(), []string{file}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	want := "outcome\tsmall.tsv:all\tsmall.tsv:default\nassociative\t2\t2\nstaged\t1\t1\nstaged: passes 2\t1\t1\nrefused\t1\t1\nrefused: not-associative\t1\t1\n"
	if out.String() != want {
		t.Errorf("it prints\n%s, want\n%s", out.String(), want)
	}
}
