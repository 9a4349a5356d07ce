package programs

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
)

var (
	count   = flag.Int("programs", 0, "how many programs are drawn; 0 means 60, and with -long 20,000")
	from    = flag.Int("programs-from", 0, "the number of the first of them")
	seed    = flag.Uint64("programs-seed", 1, "the seed of all of them")
	emitted = flag.Int("programs-emitted", 0, "one of so many programs is emitted and compiled as well; 0 for none")
	table   = flag.String("programs-table", "", "write how many programs ran by feature and pair of features to this file")
	most    = flag.Int("programs-failures", 20, "after how many failures the suite ends")
)

// tally counts programs by their features, and by pairs of these.
type tally struct {
	mu       sync.Mutex
	verdicts map[string]int
	of       map[string]int // features of programs that ran
	pairs    map[[2]string]int
	runs     int
	wrong    int
}

func (t *tally) count(w *whole, v verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs += v.runs
	switch {
	case v.wrong != "":
		t.wrong++
		t.verdicts["wrong: "+v.wrong]++
	case v.refused != "":
		t.verdicts["refused: "+v.refused]++
	case v.lost:
		t.verdicts["ran, some data unjudged"]++
	default:
		t.verdicts["ran"]++
	}
	if v.refused != "" {
		return
	}
	fs := w.features()
	for i, a := range fs {
		t.of[a]++
		for _, b := range fs[:i] {
			t.pairs[[2]string{b, a}]++
		}
	}
}

// TestPrograms draws programs, and judges each by the reference.
func TestPrograms(t *testing.T) {
	n := suite.Sample(suite.More(40, 60), 20000)
	if *count > 0 {
		n = *count
	}
	s := &session{T: t, tally: tally{verdicts: map[string]int{}, of: map[string]int{}, pairs: map[[2]string]int{}}}
	for at := *from; at < *from+n && s.failures() < *most; at += perBatch {
		s.batch(at, min(at+perBatch, *from+n))
	}
	t.Log(&s.tally)
	if *table != "" {
		if err := os.WriteFile(*table, []byte(s.pairTable()), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// perBatch is how many programs are drawn before those that are emitted are compiled.
const perBatch = 600

// session is a run of the suite.
type session struct {
	*testing.T
	tally
}

// batch judges the programs of some numbers, and compiles some of them.
func (s *session) batch(at, end int) {
	b, err := newBatch()
	if err != nil {
		s.Fatal(err)
	}
	b.ownTests = at/perBatch%4 == 0
	numbers := make(chan int)
	var workers sync.WaitGroup
	var adding sync.Mutex
	for range 2 {
		workers.Go(func() {
			for i := range numbers {
				w := draw(*seed, uint64(i))
				p, v := w.prepare()
				if p != nil {
					v = p.judge()
				}
				if p != nil && v.wrong == "" && v.refused == "" && *emitted > 0 && i%*emitted == 0 {
					adding.Lock()
					ev, ok := b.add(p)
					adding.Unlock()
					if !ok && ev.wrong != "" {
						v = ev
					} else if !ok {
						s.emission(ev)
					}
				}
				s.judged(w, v, (*whole).judged, 400)
			}
		})
	}
	for i := at; i < end && s.failures() < *most; i++ {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
	if *emitted > 0 && at == *from {
		for _, w := range found(s.T, 65) {
			if p, _ := w.prepare(); p != nil {
				if v, ok := b.add(p); !ok && v.wrong != "" {
					s.judged(w, v, (*whole).judged, 0)
				}
			}
		}
	}
	if len(b.programs) == 0 {
		os.RemoveAll(b.dir)
		return
	}
	if err := b.run(""); err != nil {
		s.Error(err)
	}
	for pkg, v := range b.verdicts {
		s.emission(v)
		if v.wrong != "" {
			s.judged(b.programs[pkg].whole, v, func(w *whole) verdict { return w.emitted(v.wrong) }, 12)
		}
	}
}

// emission counts a program that was emitted, or not.
func (s *session) emission(v verdict) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs += v.runs
	switch {
	case v.refused != "":
		s.verdicts["not emitted"]++
	case v.wrong == "":
		s.verdicts["emitted"]++
	}
}

// judged counts a program, and reports one that is wrong.
func (s *session) judged(w *whole, v verdict, judge func(*whole) verdict, budget int) {
	s.count(w, v)
	if v.wrong == "" {
		return
	}
	small, sv := w.shrunk(v, budget, judge)
	s.Errorf("program %d of seed %d is wrong %s: %s\n%s-assume %s, mode %s, given %q, grain %d\nshrunk from\n%s", w.number, w.seed, sv.wrong, sv.detail, small.text(), w.assume, w.mode, w.given, w.grain, w.text())
}

func (t *tally) failures() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.wrong
}

// judged runs the program in this process.
func (w *whole) judged() verdict {
	p, v := w.prepare()
	if p == nil {
		return v
	}
	return p.judge()
}

// String prints the tally as text.
func (t *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d runs\n", t.runs)
	for _, name := range slices.Sorted(maps.Keys(t.verdicts)) {
		fmt.Fprintf(&b, "%8d %s\n", t.verdicts[name], name)
	}
	names := slices.SortedFunc(maps.Keys(t.of), func(a, b string) int { return cmp.Or(cmp.Compare(t.of[b], t.of[a]), cmp.Compare(a, b)) })
	for _, name := range names {
		fmt.Fprintf(&b, "%8d %s\n", t.of[name], name)
	}
	return b.String()
}

// pairTable is a table of the programs that ran, by pairs of features; on its diagonal are those of one.
func (t *tally) pairTable() string {
	names := slices.SortedFunc(maps.Keys(t.of), func(a, b string) int { return cmp.Or(cmp.Compare(t.of[b], t.of[a]), cmp.Compare(a, b)) })
	var b strings.Builder
	b.WriteString("| |")
	for i := range names {
		fmt.Fprintf(&b, " %d |", i+1)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(names)) + "\n")
	for i, name := range names {
		fmt.Fprintf(&b, "| %d %s |", i+1, name)
		for k, other := range names[:i+1] {
			n := t.pairs[[2]string{min(name, other), max(name, other)}]
			if k == i {
				n = t.of[name]
			}
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteString(strings.Repeat(" |", len(names)-i-1) + "\n")
	}
	return b.String()
}
