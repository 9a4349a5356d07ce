package tables

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/tablegen"
)

var long = flag.Bool("long", false, "let a DoFn fail at 6 leaves, not at 3")

func TestMain(m *testing.M) {
	if folder := os.Getenv("TABLES_FOLDER"); folder != "" { // the process that TestKilled kills
		flag.Parse()
		beam.Init()
		if err := run(job(folder)); err != nil {
			panic(err)
		}
		return
	}
	ptest.MainWithDefault(m, "prism")
}

func job(folder string) Job {
	return Job{Types: []string{"i32"}, Leaves: 4, Shards: 3, Folder: filepath.Join(folder, "parts"), Out: filepath.Join(folder, "out")}
}

func run(j Job) error {
	p, s := beam.NewPipelineWithRoot()
	if _, err := Build(s, j); err != nil {
		return err
	}
	_, err := beam.Run(context.Background(), "prism", p)
	return err
}

// faultyFn does shards, but fails at the first one that it sees while faults are left.
type faultyFn struct{ shardFn }

var faults atomic.Int32

func init() { register.DoFn2x2[context.Context, int, Done, error](&faultyFn{}) }

// ProcessElement fails, or does a shard.
func (f *faultyFn) ProcessElement(ctx context.Context, shard int) (Done, error) {
	if shard > 1 && faults.Add(-1) >= 0 {
		return Done{}, fmt.Errorf("tables: shard %d of %d: the disk is gone", shard, f.Job.Shards)
	}
	return f.shardFn.ProcessElement(ctx, shard)
}

// A DoFn that fails stops the run with an error, and there are no tables. Run again, what was done is not done again, and the tables are those
// made alone: here those of 3 leaves, and with -long of 6.
func TestFault(t *testing.T) {
	folder := t.TempDir()
	j := job(folder)
	j.Leaves, j.Shards = 3, 0
	if *long {
		j.Leaves = 6
	}
	faulty := func() error {
		p, s := beam.NewPipelineWithRoot()
		if _, err := build(s, j, func(j Job) any { return &faultyFn{shardFn{Job: j}} }); err != nil {
			t.Fatal(err)
		}
		_, err := beam.Run(t.Context(), "prism", p)
		return err
	}
	faults.Store(1)
	if err := faulty(); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("a fault is reported as %v", err)
	}
	if files, _ := os.ReadDir(j.Out); len(files) > 0 {
		t.Errorf("after a fault there is %s", files[0].Name())
	}
	if err := faulty(); err != nil {
		t.Fatal(err)
	}
	same(t, alone(t, j.Leaves), j.Out)
}

// alone makes the tables without Beam, in all of a test.
func alone(t *testing.T, leaves int) string {
	t.Helper()
	dir := t.TempDir()
	if err := tablegen.Generate(t.Context(), tablegen.Options{Types: []ir.Type{ir.I32}, Leaves: leaves, Out: dir, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func same(t *testing.T, want, got string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(want, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tables", err)
	}
	for _, f := range files {
		a, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(got, filepath.Base(f)))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs: %v", filepath.Base(f), err)
		}
	}
}

// The tables are those made alone, byte for byte: also where the merge fails first, and where a process is killed after some shards and
// another goes on.
func TestTables(t *testing.T) {
	want := alone(t, 4)
	folder := t.TempDir()
	j := job(folder)

	bad := j
	bad.Types = []string{"i32", "nothing"}
	if err := run(bad); err == nil || !strings.Contains(err.Error(), `there is no type "nothing"`) {
		t.Error(err)
	}

	cmd := exec.Command(os.Args[0])
	var said bytes.Buffer
	cmd.Stderr = &said
	cmd.Env = append(os.Environ(), "TABLES_FOLDER="+folder)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	first := 0
	for first == 0 && time.Now().Before(deadline) {
		time.Sleep(5 * time.Millisecond)
		for i := 1; i <= j.Shards; i++ {
			if j.holds(i) {
				first = i
			}
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Log(err)
	}
	cmd.Wait()
	if first == 0 {
		t.Fatal("no shard was done: ", said.String())
	}
	before, err := os.Stat(j.part(first))
	if err != nil {
		t.Fatal(err)
	}

	// A file in the place of the tables' folder lets the merge fail.
	os.RemoveAll(j.Out)
	if err := os.WriteFile(j.Out, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(j); err == nil {
		t.Error("tables were written into a file")
	}
	if err := os.Remove(j.Out); err != nil {
		t.Fatal(err)
	}
	if err := run(j); err != nil {
		t.Fatal(err)
	}
	same(t, want, j.Out)
	after, err := os.Stat(j.part(first))
	if err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("shard %d was done before, and was done again: %v", first, err)
	}
}
