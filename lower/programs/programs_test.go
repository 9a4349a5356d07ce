package programs

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
)

var (
	count = flag.Int("programs", 0, "how many programs are drawn; 0 means 60, and with -long 20,000")
	from  = flag.Int("programs-from", 0, "the number of the first of them")
	seed  = flag.Uint64("programs-seed", 1, "the seed of all of them")
	most  = flag.Int("programs-failures", 20, "after how many failures the suite ends")
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
	n := suite.Sample(60, 20000)
	if *count > 0 {
		n = *count
	}
	all := &tally{verdicts: map[string]int{}, of: map[string]int{}, pairs: map[[2]string]int{}}
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for i := range numbers {
				w := draw(*seed, uint64(i))
				v := w.judged()
				all.count(w, v)
				if v.wrong != "" {
					small, sv := w.shrunk(v)
					t.Errorf("program %d of seed %d is wrong %s: %s\n%s-assume %s, mode %s, given %q, grain %d\nshrunk from\n%s", i, *seed, sv.wrong, sv.detail, small.text(), w.assume, w.mode, w.given, w.grain, w.text())
				}
			}
		})
	}
	for i := *from; i < *from+n && all.failures() < *most; i++ {
		numbers <- i
	}
	close(numbers)
	workers.Wait()
	t.Log(all)
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
