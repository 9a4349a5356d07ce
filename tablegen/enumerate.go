package tablegen

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/simd"
)

// job is a part of a study: all tuples with certain numbers of leaves, or a share of them.
type job struct {
	study
	n     [2]int // leaves of the components
	share share
}

func (j job) name() string {
	return fmt.Sprintf("%s-%d-%d-%d-of-%d", j.study.name(), j.n[0], j.n[1], j.share.part+1, j.share.of)
}

// jobs are the parts of a study, in the order in which they are done.
func (s study) jobs() (all []job) {
	for n := 1; n <= s.leaves; n++ {
		of := uint32(1)
		switch {
		case s.wide && n == wideLeaves:
			of = 16
		case n == 7:
			of = 16
		case n == 8:
			of = 128
		}
		splits := [][2]int{{n, 0}}
		if len(s.shape) == 2 {
			splits = nil
			for n0 := 2; n0 <= n-2; n0++ { // a pair with a variable alone falls apart
				splits = append(splits, [2]int{n0, n - n0})
			}
		}
		for _, split := range splits {
			for part := range of {
				all = append(all, job{s, split, share{part, of}})
			}
		}
	}
	return all
}

// tally counts the tuples of a job, and what they were dropped for.
type tally struct {
	tried       uint64
	early       uint64 // not associative at the first points
	independent uint64 // of an operand, or components of each other, or an update by it is one by fewer
	known       uint64 // a function with fewer leaves
	more        uint64 // not associative at more points
	unsided     uint64 // no identity on either side
	instances   uint64 // of one with a constant in place of a literal or a term over constants
	choices     uint64 // sets, keeps or clamps
	answered    uint64 // by an operator known to the field
}

func (t *tally) fields() []any {
	return []any{&t.tried, &t.early, &t.independent, &t.known, &t.more, &t.unsided, &t.instances, &t.choices, &t.answered}
}

func (t *tally) add(u tally) {
	for i, f := range t.fields() {
		*f.(*uint64) += *u.fields()[i].(*uint64)
	}
}

func (t tally) String() string {
	var words []string
	for _, f := range t.fields() {
		words = append(words, strconv.FormatUint(*f.(*uint64), 10))
	}
	return strings.Join(words, " ")
}

func parseTally(s string) (t tally, err error) {
	_, err = fmt.Sscan(s, t.fields()...)
	return t, err
}

// version changes when a file of an earlier run can no longer be used.
const version = 2

// found is the result of a job.
type found struct {
	tally
	candidates []candidate
}

func (f *found) write(file string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# candidates, version %d: %s\n", version, f.tally)
	for _, c := range f.candidates {
		fmt.Fprintf(&b, "%d\t%s\n", c.leaves, c.exprs)
	}
	b.WriteString("# end\n")
	return writeFile(file, b.String())
}

// writeFile leaves either the whole file or none.
func writeFile(file, text string) error { return save.Text(file, []byte(text)) }

var errStale = errors.New("written by another version of tablegen: start again without -resume")

func readFound(file string) (*found, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := &found{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	complete := false
	for n := 0; lines.Scan(); n++ {
		line := lines.Text()
		switch {
		case n == 0:
			head, counts, _ := strings.Cut(line, ": ")
			if head != fmt.Sprintf("# candidates, version %d", version) {
				return nil, fmt.Errorf("%s: %w", file, errStale)
			}
			if r.tally, err = parseTally(counts); err != nil {
				return nil, fmt.Errorf("%s:1: %w", file, err)
			}
		case line == "# end":
			complete = true
		default:
			leaves, exprs, _ := strings.Cut(line, "\t")
			k, err := strconv.Atoi(leaves)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
			}
			r.candidates = append(r.candidates, candidate{k, exprs})
		}
	}
	if !complete {
		return nil, fmt.Errorf("%s: cut short", file)
	}
	return r, lines.Err()
}

// enumerate does the jobs of the options' shard that are not done yet, and leaves their
// results in the work folder.
func (r *generation) enumerate(ctx context.Context) error {
	for _, s := range studies(r.o) {
		var todo []job
		for _, j := range s.jobs() {
			r.jobs++
			if sh := r.o.Shard; sh.Of > 0 && r.jobs%sh.Of != sh.Part-1 {
				continue
			}
			if _, err := os.Stat(r.file(j.name())); err == nil && r.o.Resume {
				r.step("enumerate")
				continue
			}
			todo = append(todo, j)
		}
		if len(todo) == 0 {
			continue
		}
		if err := s.run(ctx, r, todo); err != nil {
			return err
		}
	}
	return nil
}

func (r *generation) file(name string) string { return filepath.Join(r.o.Out, ".work", name+".txt") }

// run does some jobs of a study.
func (s study) run(ctx context.Context, r *generation, todo []job) error {
	switch s.world.values {
	case signedWords:
		return search[int32](ctx, r, s, todo)
	case unsignedWords:
		return search[uint32](ctx, r, s, todo)
	case integers, naturals:
		return search[int64](ctx, r, s, todo)
	case reals:
		return search[float64](ctx, r, s, todo)
	case ieee, numbers:
		return search[float32](ctx, r, s, todo)
	}
	return search[int8](ctx, r, s, todo)
}

func search[T simd.Number](ctx context.Context, r *generation, s study, todo []job) error {
	p, err := spaceOf[T](ctx, r.o.Spaces, s)
	if err != nil {
		return err
	}
	sifters := sync.Pool{New: func() any { return newChooser(s.world, s.shape) }}
	return r.parallel(ctx, len(todo), func(ctx context.Context, i int) error {
		j := todo[i]
		w := newSearcher(p.space, p.screen)
		var err error
		if len(s.shape) == 1 {
			err = w.single(ctx, j.n[0], j.share)
		} else {
			err = w.pairs(ctx, j.n[0], j.n[1], j.share)
		}
		if err != nil {
			return err
		}
		c := sifters.Get().(*chooser)
		defer sifters.Put(c)
		result := found{tally: w.tally}
		if result.candidates, err = c.sift(ctx, w.found, &result.tally); err != nil {
			return err
		}
		return result.write(r.file(j.name()))
	}, "enumerate")
}

// parallel does n pieces of work and stops at the first error.
func (r *generation) parallel(ctx context.Context, n int, f func(ctx context.Context, i int) error, stage string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(r.workers(), n) {
		wg.Go(func() {
			for i := range next {
				if err := f(ctx, i); err != nil {
					cancel(err)
					return
				}
				r.step(stage)
			}
		})
	}
feed:
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

func (r *generation) workers() int {
	if r.o.Workers > 0 {
		return r.o.Workers
	}
	return runtime.GOMAXPROCS(0)
}
