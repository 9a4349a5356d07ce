// Package tables makes rfactor's operator tables as a pipeline: the shards of rfactor tablegen -shard i/n are elements of a
// PCollection, and their merge comes after all of them.
//
// Each shard leaves its work in a folder that all workers see, which gets its name once it is whole. A shard whose folder is
// there is not done again, so that retries, and runs after a killed one, repeat only what was under way. The tables are those
// that rfactor tablegen makes alone, byte for byte.
package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/tablegen"
)

// Job says which tables are made.
type Job struct {
	Types  []string // of components; none means every type
	Leaves int      // of the largest expressions; 0 means all that tablegen does
	Shards int      // 0 means one for each piece of work
	Folder string   // that all workers see: for the parts
	Out    string   // for the tables; likewise
}

// options are tablegen's. One worker does one shard at a time.
func (j Job) options(out string) (tablegen.Options, error) {
	o := tablegen.Options{Leaves: j.Leaves, Out: out, Workers: 1}
	for _, name := range j.Types {
		t := ir.ParseType(name)
		if t == ir.Invalid {
			return o, fmt.Errorf("tables: there is no type %q", name)
		}
		o.Types = append(o.Types, t)
	}
	return o, nil
}

// Done is what is known of a shard that is done.
type Done struct {
	Shard  int
	Reused bool
}

func init() {
	register.DoFn2x2[context.Context, int, Done, error](&shardFn{})
	register.DoFn3x2[context.Context, int, func(*Done) bool, string, error](&mergeFn{})
	register.Iter1[Done]()
	register.Function1x2(withKey)
}

func withKey(d Done) (int, Done) { return 0, d }

// Build adds the job to a pipeline, and gives a line that says what was done, after the tables are written.
func Build(s beam.Scope, j Job) (beam.PCollection, error) {
	return build(s, j, func(j Job) any { return &shardFn{Job: j} })
}

// build is Build with a DoFn for the shards.
func build(s beam.Scope, j Job, each func(Job) any) (beam.PCollection, error) {
	o, err := j.options(j.Out)
	if err != nil {
		return beam.PCollection{}, err
	}
	if j.Shards == 0 {
		if j.Shards, err = tablegen.Pieces(o); err != nil {
			return beam.PCollection{}, err
		}
	}
	if j.Shards < 1 {
		return beam.PCollection{}, errors.New("tables: there must be a shard at least")
	}
	s = s.Scope("tables")
	var shards []int
	for i := range j.Shards {
		shards = append(shards, i+1)
	}
	all := beam.ParDo(s, each(j), beam.Reshuffle(s, beam.CreateList(s, shards)))
	merged := beam.ParDo(s, &mergeFn{Job: j}, beam.GroupByKey(s, beam.ParDo(s, withKey, all)))
	return beam.Reshuffle(s, merged), nil // a stage without outputs would keep another core busy on prism
}

type shardFn struct{ Job Job }

var (
	made   = beam.NewCounter("tables", "made")
	reused = beam.NewCounter("tables", "reused")
)

// ProcessElement enumerates a shard, unless that was done.
func (f *shardFn) ProcessElement(ctx context.Context, shard int) (Done, error) {
	again, err := f.Job.do(ctx, shard)
	if err != nil {
		return Done{}, fmt.Errorf("tables: shard %d of %d: %w", shard, f.Job.Shards, err)
	}
	if again {
		reused.Inc(ctx, 1)
		log.Infof(ctx, "tables: shard %d of %d was done", shard, f.Job.Shards)
	} else {
		made.Inc(ctx, 1)
		log.Infof(ctx, "tables: shard %d of %d is done", shard, f.Job.Shards)
	}
	return Done{shard, again}, nil
}

// part returns the folder of a shard's work. How many leaves there are by default depends on the version of rfactor.
func (j Job) part(shard int) string {
	leaves := j.Leaves
	if leaves == 0 {
		leaves = tablegen.MaxLeaves
	}
	name := fmt.Sprintf("part-%d-of-%d-leaves-%d", shard, j.Shards, leaves)
	return filepath.Join(j.Folder, strings.Join(append([]string{name}, j.Types...), "-"))
}

// do makes the part of a shard, and reports whether it was there already. The shard works in a folder of its own, which becomes the part
// once it is whole: two workers may do the same shard at once.
func (j Job) do(ctx context.Context, shard int) (again bool, err error) {
	if j.holds(shard) {
		return true, nil
	}
	if err := os.MkdirAll(j.Folder, 0o777); err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp(j.Folder, "attempt-*")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	if err := j.enumerate(ctx, shard, dir); err != nil {
		return false, err
	}
	if err := os.Rename(dir, j.part(shard)); err != nil && !j.holds(shard) { // it holds where another worker was faster
		return false, err
	}
	return false, nil
}

// holds reports whether the part of a shard is there.
func (j Job) holds(shard int) bool {
	info, err := os.Stat(j.part(shard))
	return err == nil && info.IsDir()
}

// spaces are what the shards that this process does have in common.
var spaces tablegen.Spaces

// enumerate enumerates a shard into a folder.
func (j Job) enumerate(ctx context.Context, shard int, dir string) error {
	o, err := j.options(dir)
	if err != nil {
		return err
	}
	o.Shard, o.Spaces = tablegen.Shard{Part: shard, Of: j.Shards}, &spaces
	return tablegen.Generate(ctx, o)
}

type mergeFn struct{ Job Job }

// ProcessElement merges the parts, once all shards are done.
func (f *mergeFn) ProcessElement(ctx context.Context, _ int, next func(*Done) bool) (string, error) {
	var d Done
	seen, again := make([]bool, f.Job.Shards+1), 0
	for next(&d) {
		if d.Shard < 1 || d.Shard > f.Job.Shards || seen[d.Shard] {
			return "", fmt.Errorf("tables: shard %d is not one of %d, or came twice", d.Shard, f.Job.Shards)
		}
		seen[d.Shard] = true
		if d.Reused {
			again++
		}
	}
	var folders []string
	for i := 1; i <= f.Job.Shards; i++ {
		if !seen[i] || !f.Job.holds(i) {
			return "", fmt.Errorf("tables: shard %d of %d is missing", i, f.Job.Shards)
		}
		folders = append(folders, f.Job.part(i))
	}
	o, err := f.Job.options(f.Job.Out)
	if err != nil {
		return "", err
	}
	if err := tablegen.Merge(ctx, o, folders); err != nil {
		return "", fmt.Errorf("tables: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(f.Job.Out, "*.txt"))
	slices.Sort(files)
	return fmt.Sprintf("%d tables in %s; %d shards of %d were done before", len(files), f.Job.Out, again, f.Job.Shards), err
}
