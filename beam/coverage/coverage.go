// Package coverage matches scrambled updates of corpora as a pipeline, and sums up by CombineFns that rfactor derives
// itself: counts for each status, and a checksum of all answers.
package coverage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/rfactor-go/rfactor/beam/combine"
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
}

// statuses are the keys of counts.
var statuses = []rfactor.Status{rfactor.Associative, rfactor.Lifted, rfactor.Staged, rfactor.Refused, rfactor.Failed}

// Outcome is what is known of an update: the number of its status in statuses, and a checksum of its answer
// without proof and time.
type Outcome struct {
	Status   int
	Checksum uint64
}

// Match matches update number i.
func (j Job) Match(ctx context.Context, i int) (Outcome, error) {
	line := j.Lines[i%len(j.Lines)]
	u, err := line.Update()
	if err != nil {
		return Outcome{}, fmt.Errorf("coverage: %s: %w", line.Name, err)
	}
	if round := i / len(j.Lines); round > 0 {
		steps := 1 + (round-1)%mostSteps
		rng := rand.New(rand.NewPCG(j.Seed, uint64(i)))
		u.Values = scramble.New(rng, u, j.Allowed).Scramble(u.Values, steps)
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{Name: line.Name, Allowed: j.Allowed})
	if err != nil {
		return Outcome{}, fmt.Errorf("coverage: %s: %w", line.Name, err)
	}
	text, err := a.JSON(false)
	if err != nil {
		return Outcome{}, err
	}
	record, err := verify.Read(text)
	if err != nil {
		return Outcome{}, err
	}
	record.Micros, record.Proof = 0, nil
	for _, s := range record.Stages {
		s.Answer.Micros, s.Answer.Proof = 0, nil
	}
	if text, err = json.Marshal(record); err != nil {
		return Outcome{}, err
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\t%s", i, text)
	out := Outcome{Checksum: h.Sum64()}
	for out.Status < len(statuses) && statuses[out.Status] != a.Status {
		out.Status++
	}
	return out, nil
}

func init() {
	register.DoFn3x1[context.Context, int, func(Outcome), error](&matchFn{})
	register.Emitter1[Outcome]()
	register.Function1x2(byStatus)
	register.Function1x1(checksumRow)
}

type matchFn struct{ Job Job }

var matched = beam.NewCounter("coverage", "matched")

// ProcessElement matches a chunk.
func (f *matchFn) ProcessElement(ctx context.Context, first int, emit func(Outcome)) error {
	for i := first; i < min(first+f.Job.Chunk, f.Job.Updates); i++ {
		o, err := f.Job.Match(ctx, i)
		if err != nil {
			return err
		}
		matched.Inc(ctx, 1)
		emit(o)
	}
	return nil
}

func byStatus(o Outcome) (int, combine.Row) { return o.Status, combine.Row{} }

func checksumRow(o Outcome) combine.Row { return combine.Row{Leaves: []uint64{o.Checksum}} }

// Build adds the job to a pipeline. It gives a PCollection<KV<int, Tuple>> of counts by number of status, and one of one Tuple, the
// sum of all checksums.
func Build(ctx context.Context, s beam.Scope, j Job) (counts, checksum beam.PCollection, err error) {
	if len(j.Lines) == 0 || j.Updates < 1 || j.Chunk < 1 {
		return counts, checksum, errors.New("coverage: there must be lines, updates, and a chunk of one update at least")
	}
	count, err := derived(ctx, "x0:i64", "x0 + 1")
	if err != nil {
		return counts, checksum, err
	}
	sum, err := derived(ctx, "x0:u64,y0:u64", "x0 + y0")
	if err != nil {
		return counts, checksum, err
	}
	s = s.Scope("coverage")
	var chunks []int
	for i := 0; i < j.Updates; i += j.Chunk {
		chunks = append(chunks, i)
	}
	outcomes := beam.ParDo(s, &matchFn{Job: j}, beam.Reshuffle(s, beam.CreateList(s, chunks)))
	counts = combine.PerKey(s, count, beam.ParDo(s, byStatus, outcomes))
	checksum = combine.Global(s, sum, beam.ParDo(s, checksumRow, outcomes))
	return counts, checksum, nil
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
