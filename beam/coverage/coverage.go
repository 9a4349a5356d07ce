// Package coverage matches a corpus of updates and scrambles of them as a pipeline, and sums up by CombineFns that rfactor derives
// itself: counts for each status, and a checksum of all answers.
//
// The scrambled updates are a corpus of their own, which the pipeline writes, together with the answers: those lines that
// rfactor coverage -json prints of it, without their times.
package coverage

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rfactor-go/rfactor/beam/combine"
	"github.com/rfactor-go/rfactor/beam/parts"
	"github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/verify"
)

// mostSteps is how many steps of scrambling an update goes through at most.
const mostSteps = 8

// Job says which updates are matched: update number i is line i of the lines, modulo their number. In the first round the lines are as
// they are, in later ones they are scrambled by 1 to mostSteps steps.
type Job struct {
	Lines   []program.CorpusLine
	Updates int
	Chunk   int // updates that one worker matches at a time
	Seed    uint64
	Allowed ir.Assume
	Folder  string // that all workers see: for the parts, a chunk each
	Out     string // for the files Corpus and Answers; likewise
}

// The files that a job makes.
const (
	Corpus  = "corpus.tsv"    // the updates, scrambled
	Answers = "answers.jsonl" // a line for each, in their order
)

// statuses are the keys of counts.
var statuses = []rfactor.Status{rfactor.Associative, rfactor.Lifted, rfactor.Staged, rfactor.Refused, rfactor.Failed}

// Outcome is what is known of an update: the number of its status in statuses, and a checksum of its answer.
type Outcome struct {
	Status   int
	Checksum uint64
}

// Line is update number i, as a line of a corpus.
func (j Job) Line(i int) (program.CorpusLine, error) {
	line := j.Lines[i%len(j.Lines)]
	round := i / len(j.Lines)
	if round == 0 {
		return line, nil
	}
	u, err := line.Update()
	if err != nil {
		return line, fmt.Errorf("coverage: %s: %w", line.Name, err)
	}
	rng := rand.New(rand.NewPCG(j.Seed, uint64(i)))
	values := scramble.New(rng, u, j.Allowed).Scramble(u.Values, 1+(round-1)%mostSteps)
	line.Name = fmt.Sprintf("%s~%d", line.Name, round)
	line.Exprs = ir.Strings(values)
	return line, nil
}

// text is a line of the corpus, in the columns that are read to match it.
func text(l program.CorpusLine) string {
	cols := []string{l.Name, "-", l.Types, l.Exprs}
	if l.Pre != "" {
		cols = append(cols, strings.Split(strings.Repeat("-", 9), "")...)
		cols = append(cols, l.Pre)
	}
	return strings.Join(cols, "\t")
}

// Match returns the answer to a line: what rfactor coverage -json prints of it, without times.
func (j Job) Match(ctx context.Context, line program.CorpusLine) ([]byte, error) {
	u, err := line.Update()
	if err != nil {
		return nil, fmt.Errorf("coverage: %s: %w", line.Name, err)
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{Name: line.Name, Allowed: j.Allowed})
	if err != nil {
		return nil, fmt.Errorf("coverage: %s: %w", line.Name, err)
	}
	answer, err := a.JSON(false)
	if err != nil {
		return nil, err
	}
	return WithoutTimes(answer)
}

// WithoutTimes is a line of answers whose times are 0.
func WithoutTimes(answer []byte) ([]byte, error) {
	record, err := verify.Read(answer)
	if err != nil {
		return nil, err
	}
	record.Micros = 0
	for _, s := range record.Stages {
		s.Answer.Micros = 0
	}
	return record.Line()
}

// outcome is that of an answer without times.
func outcome(answer []byte) (Outcome, error) {
	record, err := verify.Read(answer)
	if err != nil {
		return Outcome{}, err
	}
	h := fnv.New64a()
	h.Write(answer)
	out := Outcome{Checksum: h.Sum64()}
	for out.Status < len(statuses) && statuses[out.Status] != rfactor.Status(record.Status) {
		out.Status++
	}
	return out, nil
}

// Part is where a chunk is kept, whose first update has the given number.
func (j Job) Part(first int) parts.Part {
	h := sha256.New()
	for _, l := range j.Lines {
		fmt.Fprintln(h, text(l))
	}
	return parts.Part{Folder: j.Folder, Name: fmt.Sprintf("updates-%d-to-%d", first, min(first+j.Chunk, j.Updates)-1), Job: struct {
		Lines   string // SHA-256
		Seed    uint64
		Allowed string
	}{fmt.Sprintf("%x", h.Sum(nil)), j.Seed, j.Allowed.String()}}
}

// write matches a chunk and writes its files.
func (j Job) write(ctx context.Context, first int, dir string) error {
	var corpus, answers bytes.Buffer
	for i := first; i < min(first+j.Chunk, j.Updates); i++ {
		line, err := j.Line(i)
		if err != nil {
			return err
		}
		fmt.Fprintln(&corpus, text(line))
		answer, err := j.Match(ctx, line)
		if err != nil {
			return err
		}
		answers.Write(append(answer, '\n'))
		matched.Inc(ctx, 1)
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, Corpus), corpus.Bytes(), 0o666),
		os.WriteFile(filepath.Join(dir, Answers), answers.Bytes(), 0o666))
}

func init() {
	register.DoFn4x1[context.Context, int, func(Outcome), func(int), error](&matchFn{})
	register.DoFn3x2[context.Context, int, func(*int) bool, string, error](&joinFn{})
	register.Emitter1[Outcome]()
	register.Emitter1[int]()
	register.Iter1[int]()
	register.Function1x2(byStatus)
	register.Function1x2(together)
	register.Function1x1(checksumRow)
}

type matchFn struct{ Job Job }

var (
	matched = beam.NewCounter("coverage", "matched")
	reused  = beam.NewCounter("coverage", "reused")
)

// ProcessElement matches a chunk, unless that was done. It emits outcomes and the number of the chunk's first update at its end: prism splits
// bundles that emit nothing for a while, and else one core did all.
func (f *matchFn) ProcessElement(ctx context.Context, first int, emit func(Outcome), done func(int)) error {
	part := f.Job.Part(first)
	again, err := part.Do(func(dir string) error { return f.Job.write(ctx, first, dir) })
	if err != nil {
		return err
	}
	if again {
		reused.Inc(ctx, int64(min(f.Job.Chunk, f.Job.Updates-first)))
	}
	answers, err := os.ReadFile(filepath.Join(part.Path(), Answers))
	if err != nil {
		return err
	}
	var outcomes []Outcome
	for line := range bytes.Lines(answers) {
		o, err := outcome(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return err
		}
		outcomes = append(outcomes, o)
	}
	log.Infof(ctx, "coverage: updates %d to %d are matched", first, first+len(outcomes)-1)
	for _, o := range outcomes {
		emit(o)
	}
	done(first)
	return nil
}

type joinFn struct{ Job Job }

// ProcessElement joins the parts once all are done.
func (f *joinFn) ProcessElement(_ context.Context, _ int, next func(*int) bool) (string, error) {
	seen := map[int]bool{}
	for first := 0; next(&first); {
		seen[first] = true
	}
	for first := 0; first < f.Job.Updates; first += f.Job.Chunk {
		if !seen[first] {
			return "", fmt.Errorf("coverage: %s is missing", f.Job.Part(first).Path())
		}
	}
	return f.Job.Join()
}

// Join writes the files of all parts one after the other, and returns the SHA-256 digest of the answers. A part that is missing or was
// changed is an error.
func (j Job) Join() (string, error) {
	if err := os.MkdirAll(j.Out, 0o777); err != nil {
		return "", err
	}
	digest := ""
	for _, name := range []string{Corpus, Answers} {
		unfinished := filepath.Join(j.Out, name+".unfinished")
		to, err := os.Create(unfinished)
		if err != nil {
			return "", err
		}
		h := sha256.New()
		w := bufio.NewWriterSize(io.MultiWriter(to, h), 1<<20)
		for first := 0; first < j.Updates && err == nil; first += j.Chunk {
			if part := j.Part(first); !part.Holds() {
				err = fmt.Errorf("coverage: %s is missing, or its files were changed", part.Path())
			} else {
				err = appendFile(w, filepath.Join(part.Path(), name))
			}
		}
		if err := errors.Join(err, w.Flush(), to.Close()); err != nil {
			return "", err
		}
		if err := os.Rename(unfinished, filepath.Join(j.Out, name)); err != nil {
			return "", err
		}
		digest = fmt.Sprintf("%x", h.Sum(nil))
	}
	return digest, nil
}

func appendFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

func byStatus(o Outcome) (int, combine.Row) { return o.Status, combine.Row{} }

func together(first int) (int, int) { return 0, first }

func checksumRow(o Outcome) combine.Row { return combine.Row{Leaves: []uint64{o.Checksum}} }

// Summary is what a job gives.
type Summary struct {
	Counts   beam.PCollection // KV<int, combine.Tuple>: how many updates there are of each number of status
	Checksum beam.PCollection // combine.Tuple: the sum of all checksums
	Digest   beam.PCollection // string: the SHA-256 digest of the answers, once the files are written
}

// Build adds the job to a pipeline.
func Build(ctx context.Context, s beam.Scope, j Job) (sum Summary, err error) {
	if len(j.Lines) == 0 || j.Updates < 1 || j.Chunk < 1 {
		return sum, errors.New("coverage: there must be lines, updates, and a chunk of one update at least")
	}
	if j.Folder == "" || j.Out == "" {
		return sum, errors.New("coverage: there must be a folder of the parts, and one of the results")
	}
	count, err := derived(ctx, "x0:i64", "x0 + 1")
	if err != nil {
		return sum, err
	}
	add, err := derived(ctx, "x0:u64,y0:u64", "x0 + y0")
	if err != nil {
		return sum, err
	}
	s = s.Scope("coverage")
	var chunks []int
	for i := 0; i < j.Updates; i += j.Chunk {
		chunks = append(chunks, i)
	}
	outcomes, done := beam.ParDo2(s, &matchFn{Job: j}, beam.Reshuffle(s, beam.CreateList(s, chunks)))
	sum.Counts = combine.PerKey(s, count, beam.ParDo(s, byStatus, outcomes))
	sum.Checksum = combine.Global(s, add, beam.ParDo(s, checksumRow, outcomes))
	joined := beam.ParDo(s, &joinFn{Job: j}, beam.GroupByKey(s, beam.ParDo(s, together, done)))
	sum.Digest = beam.Reshuffle(s, joined) // a stage without outputs would keep another core busy on prism
	return sum, nil
}

// derived is the reduction of an update that begins with 0.
func derived(ctx context.Context, types, update string) (*combine.Reduction, error) {
	u, err := program.ParseUpdate(ir.NewPool(), types, update)
	if err != nil {
		return nil, err
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{})
	if err != nil {
		return nil, err
	}
	return combine.New(a, []uint64{0}, nil, false)
}

// StatusName is the status of a number in counts.
func StatusName(number int) string {
	if number < 0 || number >= len(statuses) {
		return "unknown"
	}
	return string(statuses[number])
}
