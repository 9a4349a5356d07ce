package coverage

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

var results struct {
	sync.Mutex
	counts  map[int]uint64
	sums    []uint64
	digests []string
}

func init() {
	register.Function2x0(keepCount)
	register.Function1x0(keepSum)
	register.Function1x0(keepDigest)
}

func keepCount(status int, t combine.Tuple) {
	results.Lock()
	results.counts[status] = t.Values[0]
	results.Unlock()
}

func keepSum(t combine.Tuple) {
	results.Lock()
	results.sums = append(results.sums, t.Values[0])
	results.Unlock()
}

func keepDigest(sum string) {
	results.Lock()
	results.digests = append(results.digests, sum)
	results.Unlock()
}

// 1,000 updates: the corpus in its own spelling, and scrambled. The files are what rfactor coverage prints of that corpus, and the pipeline
// sums up what a serial loop does. A second run matches nothing again, but for a chunk whose files were changed.
func TestCoverage(t *testing.T) {
	f, err := os.Open("../../testdata/corpus/updates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := program.ReadCorpus(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	j := Job{Lines: lines, Updates: 1000, Chunk: 50, Seed: 1, Allowed: ir.DefaultAssumptions,
		Folder: filepath.Join(dir, "parts"), Out: filepath.Join(dir, "out")}
	run(t, j)

	answers, err := os.ReadFile(filepath.Join(j.Out, Answers))
	if err != nil {
		t.Fatal(err)
	}
	counts, sum := map[int]uint64{}, uint64(0)
	for _, line := range alone(t, filepath.Join(j.Out, Corpus)) {
		o, err := outcome(line)
		if err != nil {
			t.Fatal(err)
		}
		counts[o.Status]++
		sum += o.Checksum
		if !bytes.HasPrefix(answers, line) {
			t.Fatalf("rfactor coverage says\n%s\nof a line of which the pipeline says\n%s", line, bytes.SplitN(answers, []byte("\n"), 2)[0])
		}
		answers = answers[len(line)+1:]
	}
	if len(answers) > 0 {
		t.Errorf("the pipeline has more answers: %s", answers)
	}
	answers, _ = os.ReadFile(filepath.Join(j.Out, Answers))
	want := fmt.Sprintln(counts, []uint64{sum}, []string{fmt.Sprintf("%x", sha256.Sum256(answers))})
	if got := fmt.Sprintln(results.counts, results.sums, results.digests); got != want {
		t.Errorf("the pipeline sums up\n%s and a serial loop\n%s", got, want)
	}
	for status, n := range counts {
		t.Log(StatusName(status), n)
	}

	kept, changed := j.Part(50), j.Part(100)
	before, err := os.Stat(kept.Record())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(changed.Path(), Answers), 100); err != nil {
		t.Fatal(err)
	}
	run(t, j)
	if got := fmt.Sprintln(results.counts, results.sums, results.digests); got != want {
		t.Errorf("run again, the pipeline sums up\n%s and before\n%s", got, want)
	}
	if after, err := os.Stat(kept.Record()); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a chunk that was done was done again: %v", err)
	}
}

func run(t *testing.T, j Job) {
	t.Helper()
	results.counts, results.sums, results.digests = map[int]uint64{}, nil, nil
	p, s := beam.NewPipelineWithRoot()
	sum, err := Build(t.Context(), s, j)
	if err != nil {
		t.Fatal(err)
	}
	beam.ParDo0(s, keepCount, sum.Counts)
	beam.ParDo0(s, keepSum, sum.Checksum)
	beam.ParDo0(s, keepDigest, sum.Digest)
	if err := ptest.Run(p); err != nil {
		t.Fatal(err)
	}
}

// alone are the lines that the command rfactor coverage prints, without their times.
func alone(t *testing.T, corpus string) (lines [][]byte) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/rfactor", "coverage", "-json", corpus)
	cmd.Dir = "../.."
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		line, err := WithoutTimes(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}
