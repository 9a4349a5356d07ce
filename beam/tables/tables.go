// Package tables makes rfactor's operator tables as a pipeline: the shards of rfactor tablegen -shard i/n are elements of a
// PCollection, and their merge comes after all of them.
//
// Each shard leaves its work in a folder that all workers see, with a record of the digests of its files. A shard whose
// record holds is not done again, so that retries, and runs after a killed one, repeat only what was under way. The
// tables are those that rfactor tablegen makes alone, byte for byte.
package tables

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
	Shards int
	Folder string // that all workers see: for the parts
	Out    string // for the tables; likewise
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

func (j Job) part(shard int) string {
	return filepath.Join(j.Folder, fmt.Sprintf("part-%d-of-%d", shard, j.Shards))
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
	if j.Shards < 1 {
		return beam.PCollection{}, errors.New("tables: there must be a shard at least")
	}
	if _, err := j.options(j.Out); err != nil {
		return beam.PCollection{}, err
	}
	s = s.Scope("tables")
	var shards []int
	for i := range j.Shards {
		shards = append(shards, i+1)
	}
	each := beam.ParDo(s, &shardFn{Job: j}, beam.Reshuffle(s, beam.CreateList(s, shards)))
	return beam.ParDo(s, &mergeFn{Job: j}, beam.GroupByKey(s, beam.ParDo(s, withKey, each))), nil
}

type shardFn struct{ Job Job }

var (
	made   = beam.NewCounter("tables", "made")
	reused = beam.NewCounter("tables", "reused")
)

// ProcessElement enumerates a shard, unless that was done.
func (f *shardFn) ProcessElement(ctx context.Context, shard int) (Done, error) {
	part := f.Job.part(shard)
	if f.Job.holds(part) {
		reused.Inc(ctx, 1)
		log.Infof(ctx, "tables: shard %d of %d was done", shard, f.Job.Shards)
		return Done{shard, true}, nil
	}
	if err := f.Job.enumerate(ctx, shard, part); err != nil {
		return Done{}, fmt.Errorf("tables: shard %d of %d: %w", shard, f.Job.Shards, err)
	}
	made.Inc(ctx, 1)
	log.Infof(ctx, "tables: shard %d of %d is done", shard, f.Job.Shards)
	return Done{shard, false}, nil
}

// enumerate does a shard in a folder of its own, which becomes the part once it is whole: two workers may do the same
// shard at once.
func (j Job) enumerate(ctx context.Context, shard int, part string) error {
	if err := os.MkdirAll(j.Folder, 0o777); err != nil {
		return err
	}
	attempt, err := os.MkdirTemp(j.Folder, "attempt-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(attempt)
	o, err := j.options(attempt)
	if err != nil {
		return err
	}
	o.Shard = tablegen.Shard{Part: shard, Of: j.Shards}
	if err := tablegen.Generate(ctx, o); err != nil {
		return err
	}
	if err := j.record(attempt); err != nil {
		return err
	}
	if j.holds(part) { // another worker was faster
		return nil
	}
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.Rename(attempt, part); err != nil && !j.holds(part) {
		return err
	}
	return nil
}

// done is the file of a part that has its record.
const done = "done.json"

// record is what is known of a shard that is done.
type record struct {
	Types  []string
	Leaves int
	Files  map[string]string // SHA-256 by name
}

// digests are those of all files of a part.
func (j Job) digests(part string) (record, error) {
	r := record{j.Types, j.Leaves, map[string]string{}}
	err := filepath.WalkDir(part, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(part, path)
		if name == done {
			return nil
		}
		r.Files[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		return err
	})
	return r, err
}

// record writes the record of a part.
func (j Job) record(part string) error {
	r, err := j.digests(part)
	if err != nil {
		return err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(part, done), text, 0o666)
}

// holds reports whether a part has a record of this job, and its files have the digests of it.
func (j Job) holds(part string) bool {
	have, err := os.ReadFile(filepath.Join(part, done))
	if err != nil {
		return false
	}
	r, err := j.digests(part)
	if err != nil {
		return false
	}
	want, err := json.Marshal(r)
	return err == nil && string(have) == string(want)
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
	var parts []string
	for i := 1; i <= f.Job.Shards; i++ {
		if !seen[i] || !f.Job.holds(f.Job.part(i)) {
			return "", fmt.Errorf("tables: shard %d of %d is missing, or its files were changed", i, f.Job.Shards)
		}
		parts = append(parts, f.Job.part(i))
	}
	o, err := f.Job.options(f.Job.Out)
	if err != nil {
		return "", err
	}
	if err := tablegen.Merge(ctx, o, parts); err != nil {
		return "", fmt.Errorf("tables: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(f.Job.Out, "*.txt"))
	slices.Sort(files)
	return fmt.Sprintf("%d tables in %s; %d shards of %d were done before", len(files), f.Job.Out, again, f.Job.Shards), err
}
