package mutants

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rfactor-go/rfactor/internal/claims"
)

// row counts the mutants of a kind.
type row struct {
	mutants, falsifying, nonsense     int
	rejected, truly, undecided, false int
	panics, costly                    int
	slowest                           time.Duration
	bytes                             uint64
}

func (w *row) add(r *result) {
	w.mutants++
	switch r.verdict.Outcome {
	case claims.False:
		w.falsifying++
	case claims.Nonsense:
		w.nonsense++
	}
	switch {
	case r.panicked:
		w.panics++
	case r.err != nil:
		w.rejected++
	case r.isFalse():
		w.false++
	case r.verdict.Outcome == claims.True:
		w.truly++
	default:
		w.undecided++
	}
	if r.costly() {
		w.costly++
	}
	w.slowest, w.bytes = max(w.slowest, r.took), max(w.bytes, r.bytes)
}

// Limits of what it may cost to check one line.
const (
	maxTime  = time.Second
	maxBytes = 200 << 20 // allocated in all; what is held at a time is less
)

func (r *result) costly() bool { return r.took > maxTime || r.bytes > maxBytes }

// sum adds the counts of another row.
func (w *row) sum(o *row) {
	w.mutants += o.mutants
	w.falsifying += o.falsifying
	w.nonsense += o.nonsense
	w.rejected += o.rejected
	w.truly += o.truly
	w.undecided += o.undecided
	w.false += o.false
	w.panics += o.panics
	w.costly += o.costly
	w.slowest, w.bytes = max(w.slowest, o.slowest), max(w.bytes, o.bytes)
}

// table counts mutants by kind, and keeps those that were accepted, and those that cost much.
type table struct {
	rows     map[string]*row
	accepted []*result
	costly   []*result
}

func (t *table) take(r *result) {
	if t.rows[r.kind] == nil {
		t.rows[r.kind] = &row{}
	}
	t.rows[r.kind].add(r)
	if r.accepted() || r.panicked {
		t.accepted = append(t.accepted, r)
	}
	if r.costly() {
		t.costly = append(t.costly, r)
	}
}

// print writes a row for each kind that has mutants, and the totals last.
func (t *table) print(w io.Writer) {
	fmt.Fprintln(w, "kind\tmutants\tfalsifying\tmeaningless\trejected\taccepted_true\taccepted_undecided\taccepted_false\tpanics\tcostly\tslowest_ms\tmost_mb")
	var total row
	for _, name := range append([]string{unchanged}, kindNames()...) {
		if r := t.rows[name]; r != nil {
			total.sum(r)
			r.print(w, name)
		}
	}
	total.print(w, "total")
}

func kindNames() (out []string) {
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

func (w *row) print(out io.Writer, name string) {
	fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f\t%.1f\n", name, w.mutants, w.falsifying, w.nonsense, w.rejected,
		w.truly, w.undecided, w.false, w.panics, w.costly, float64(w.slowest.Microseconds())/1000, float64(w.bytes)/1e6)
}

// wrong are the lines that must not have been accepted, and the panics, in the order of their
// numbers.
func (t *table) wrong() (out []*result) {
	for _, r := range t.accepted {
		if r.isFalse() || r.panicked {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b *result) int { return a.number - b.number })
	return out
}

// report writes one line for a mutant: what was changed, and what the judge says.
func (r *result) report() string {
	said := r.verdict.String()
	if r.poles {
		said += " (only where a real number is divided by zero)"
	}
	if r.panicked {
		said = r.err.Error()
	}
	oneLine := strings.NewReplacer("\n", " ", "\t", " ")
	return fmt.Sprintf("%d\t%s\t%s\t%s\t%s", r.number, r.kind, r.of.from, oneLine.Replace(r.what), oneLine.Replace(said))
}
