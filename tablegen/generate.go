package tablegen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/prove"
)

// generation is one run of the generator.
type generation struct {
	o    *Options
	mu   sync.Mutex
	done int
	all  int // pieces of work
	jobs int // counted so far, for shards

	stages []stage
	proofs [prove.NumMethods]proofs // of the tables of this run
}

// stage is how long a part of the run took.
type stage struct {
	name string
	time time.Duration
}

// timed runs a stage.
func (r *generation) timed(name string, f func() error) error {
	begun := time.Now()
	err := f()
	r.stages = append(r.stages, stage{name, time.Since(begun)})
	return err
}

// Generate makes the tables that the options ask for: it enumerates, selects and proves,
// and writes the tables and REPORT.md into o.Out. With o.Shard it only enumerates its part;
// Merge joins the parts. Stopped by ctx it returns the context's error, and loses the pieces of
// work that were under way; other errors are bad options and those of the file system. The tables
// of i32 with 5 leaves take less than a minute.
func Generate(ctx context.Context, o Options) error {
	if ctx == nil {
		panic("tablegen: Generate needs a context")
	}
	r, err := start(&o)
	if err != nil {
		return err
	}
	if err := r.timed("enumerate", func() error { return r.enumerate(ctx) }); err != nil {
		return err
	}
	if o.Shard.Of > 0 {
		return nil
	}
	return r.finish(ctx)
}

// Merge makes the tables from the enumerations that lie in the work folders of parts, each
// the Out of a Generate with one shard. A piece of work that no part has is an error that says so.
func Merge(ctx context.Context, o Options, parts []string) error {
	if ctx == nil {
		panic("tablegen: Merge needs a context")
	}
	r, err := start(&o)
	if err != nil {
		return err
	}
	for _, s := range studies(r.o) {
		for _, j := range s.jobs() {
			if err := r.collect(j, parts); err != nil {
				return err
			}
		}
	}
	return r.finish(ctx)
}

// collect copies a job's result from whichever part has it.
func (r *generation) collect(j job, parts []string) error {
	for _, dir := range parts {
		text, err := os.ReadFile(filepath.Join(dir, ".work", j.name()+".txt"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return err
		}
		r.step("merge")
		return writeFile(r.file(j.name()), string(text))
	}
	return fmt.Errorf("no part has %s: run the missing shard", j.name())
}

func start(o *Options) (*generation, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	r := &generation{o: o}
	for _, s := range studies(o) {
		for range s.jobs() {
			if r.jobs++; o.Shard.Of == 0 || r.jobs%o.Shard.Of == o.Shard.Part-1 {
				r.all++
			}
		}
	}
	r.jobs = 0
	if o.Shard.Of == 0 {
		r.all += len(r.selections()) + len(r.signatures())
	}
	return r, r.prepare()
}

// settings is what must be the same for an interrupted run to be resumed.
func (r *generation) settings() string {
	return fmt.Sprintf("tablegen version %d, %d leaves, types %v\n", version, r.o.leaves(), r.o.Types)
}

// prepare makes the work folder, or checks that what lies in it can be resumed.
func (r *generation) prepare() error {
	dir := filepath.Join(r.o.Out, ".work")
	file := filepath.Join(dir, "settings")
	if r.o.Resume {
		text, err := os.ReadFile(file)
		switch {
		case os.IsNotExist(err):
			return fmt.Errorf("%s: nothing to resume", r.o.Out)
		case err != nil:
			return err
		case string(text) != r.settings():
			return fmt.Errorf("%s: cannot resume: it was begun as %s, not as %s", r.o.Out, strings.TrimSpace(string(text)), strings.TrimSpace(r.settings()))
		}
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return writeFile(file, r.settings())
}

func (r *generation) step(stage string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.o.Progress != nil {
		r.o.Progress(stage, r.done, r.all)
	}
}

// finish selects, proves and writes.
func (r *generation) finish(ctx context.Context) error {
	all := r.selections()
	err := r.timed("select", func() error {
		return r.parallel(ctx, len(all), func(ctx context.Context, i int) error { return r.selected(ctx, all[i]) }, "select")
	})
	if err != nil {
		return err
	}
	if err := r.timed("prove", func() error { return r.tables(ctx) }); err != nil {
		return err
	}
	if err := r.report(); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(r.o.Out, ".work"))
}
