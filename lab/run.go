package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/rfactor-go/rfactor/internal/identity"
	"github.com/rfactor-go/rfactor/internal/scramble"
	"github.com/rfactor-go/rfactor/internal/study"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rules"
)

// Run is an experiment on its way.
type Run struct {
	Dir     string                             // for results
	Workers int                                // that match at the same time; at least 1
	Command string                             // for the head of the results
	Resume  bool                               // goes on with what is in Dir
	Step    func(done, total int, what string) // is told of every match; nil for nothing

	e       *Experiment
	corpora []corpus
	skipped []error // lines of corpora that are wrong
	out     *os.File
	mu      sync.Mutex
	all     map[Key][]Record // what was matched
	err     error            // the first of out
	done    int
}

// corpus is a corpus that was read.
type corpus struct {
	name   string // of its file
	digest string
	lines  []program.CorpusLine // that are matched
	names  map[string]bool      // of all lines
}

// job is a match that is to be done.
type job struct {
	Key
	config *config
	line   *program.CorpusLine
	repeat int
	watch  bool
}

// watched is added to the name of a configuration whose matches are watched: that takes time.
const watched = " watched"

// Do runs an experiment. It returns the error of the context where that ended it; what was done until then is in the directory. Other errors
// are of the experiment's files, each with its place, and of writing.
func (r *Run) Do(ctx context.Context, e *Experiment) error {
	r.e, r.all = e, map[Key][]Record{}
	if err := r.readCorpora(); err != nil {
		return err
	}
	if _, err := e.readVerdicts(r.corpora); err != nil {
		return err
	}
	additions, err := e.readAdditions(ctx)
	if err != nil {
		return err
	}
	if err := r.open(additions); err != nil {
		return err
	}
	defer r.out.Close()
	for _, phase := range []func() []job{r.matches, r.watches, r.scrambles, r.ablations} {
		if err := r.match(ctx, phase()); err != nil {
			return err
		}
	}
	return r.out.Close()
}

// readCorpora reads the corpora, and parses every update once so that no mistake is found late. A line that is wrong is
// skipped: what follows of the corpus may be right.
func (r *Run) readCorpora() error {
	for _, file := range r.e.Corpora {
		file = filepath.Join(r.e.dir, file)
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		lines, bad, err := program.ReadGoodLines(bytes.NewReader(text))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, why := range bad {
			r.skipped = append(r.skipped, fmt.Errorf("%s:%w", file, why))
		}
		c := corpus{name: filepath.Base(file), digest: identity.Of(text), names: map[string]bool{}}
		for i, l := range lines {
			c.names[l.Name] = true
			if r.e.Every < 2 || i%r.e.Every == 0 {
				c.lines = append(c.lines, l)
			}
		}
		if len(c.lines) == 0 {
			return fmt.Errorf("%s: there is no update in it", file)
		}
		if slices.ContainsFunc(r.corpora, func(other corpus) bool { return other.name == c.name }) {
			return fmt.Errorf("%s: another corpus is called %s, too", file, c.name)
		}
		r.corpora = append(r.corpora, c)
	}
	return nil
}

// open begins results.jsonl, or goes on with it.
func (r *Run) open(additions map[string]string) (err error) {
	head := newHead(r.e, r.corpora, max(1, r.Workers), r.Command)
	head.Additions = additions
	file := filepath.Join(r.Dir, resultsFile)
	old, err := ReadResults(r.Dir)
	switch {
	case err == nil && !r.Resume:
		return fmt.Errorf("%s has the results of a run; -resume completes it", r.Dir)
	case err == nil:
		if what := head.differs(&old.Head); what != "" {
			return fmt.Errorf("%s cannot be resumed: %s changed since it was begun", r.Dir, what)
		}
		for _, rec := range old.Records {
			r.all[rec.Key] = append(r.all[rec.Key], rec)
		}
		if r.out, err = os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0); err == nil {
			err = r.out.Truncate(old.whole)
		}
		return err
	case r.Resume && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return err
	}
	if r.out, err = os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644); err != nil {
		return err
	}
	return r.write(head)
}

// write appends a line.
func (r *Run) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = r.out.Write(append(line, '\n'))
	return err
}

// jobs makes a job for a match of every update.
func (r *Run) jobs(configs []*config, repeats int) (jobs []job) {
	for _, c := range configs {
		for _, k := range r.corpora {
			for i := range k.lines {
				for repeat := range max(1, repeats) {
					jobs = append(jobs, job{Key: Key{Config: c.name, Corpus: k.name, Name: k.lines[i].Name}, config: c, line: &k.lines[i], repeat: repeat})
				}
			}
		}
	}
	return jobs
}

// matches are those of the matchers, with additions and without, and the sweeps.
func (r *Run) matches() []job {
	var configs []*config
	for _, name := range r.e.Matchers {
		configs = append(configs, plain(name))
	}
	return append(r.jobs(append(configs, r.e.added()...), r.e.Repeats), r.jobs(r.e.swept(), 1)...)
}

// watches are matches by the reference of which is noted what they do.
func (r *Run) watches() (jobs []job) {
	if !r.e.Saturation && !r.e.EachRule && !r.e.EachStage {
		return nil
	}
	c := plain(r.e.Reference)
	c.name += watched
	jobs = r.jobs([]*config{c}, 1)
	for i := range jobs {
		jobs[i].watch = true
	}
	return jobs
}

// scrambles are matches of updates that the reference answers, written otherwise.
func (r *Run) scrambles() (jobs []job) {
	s := r.e.Scrambles
	if s == nil {
		return nil
	}
	answered := 0
	for _, j := range r.jobs([]*config{plain(r.e.Reference)}, 1) {
		if !r.answers(j.Key) {
			continue
		}
		if answered++; s.Every > 1 && answered%s.Every != 0 {
			continue
		}
		for _, name := range s.Matchers {
			for _, depth := range s.Depths {
				for _, seed := range s.Seeds {
					k := j
					k.config, k.Config, k.Depth, k.Seed = plain(name), name, depth, seed
					jobs = append(jobs, k)
				}
			}
		}
	}
	return jobs
}

// answers reports whether a match that was done gave an operator.
func (r *Run) answers(k Key) bool {
	of := r.all[k]
	return len(of) > 0 && of[0].answered()
}

// ablations are matches without something, of updates that the matcher answers and that may miss it.
func (r *Run) ablations() (jobs []job) {
	add := func(w Without, may func(*Record, *Seen) bool) {
		for _, matcher := range r.e.Ablate {
			for _, j := range r.jobs([]*config{ablated(matcher, w)}, 1) {
				k := j.Key
				k.Config = matcher
				if of := r.all[k]; len(of) > 0 && of[0].answered() && may(&of[0], r.seen(k)) {
					jobs = append(jobs, j)
				}
			}
		}
	}
	for _, w := range r.e.Without {
		add(w, func(*Record, *Seen) bool { return true })
	}
	if r.e.EachRule {
		for _, rule := range rules.All() {
			if !rule.Deriving {
				add(Without{Name: "rule " + rule.Name, Rules: []string{rule.Name}}, func(_ *Record, s *Seen) bool { return s.fired(rule.Name) })
			}
		}
	}
	if r.e.EachStage {
		for _, stage := range rfactor.StageNames() {
			add(Without{Name: "stage " + stage, Stages: []string{stage}}, func(_ *Record, s *Seen) bool { return s.found(stage) })
		}
	}
	if r.e.EachFamily {
		for _, family := range rfactor.FamilyNames() {
			add(Without{Name: "family " + family, Families: []string{family}}, func(a *Record, _ *Seen) bool { return a.Status == "lifted" || a.Status == "staged" })
		}
	}
	return jobs
}

// seen returns what was watched of a match by the reference; nil where nobody watched.
func (r *Run) seen(k Key) *Seen {
	k.Config = r.e.Reference + watched
	if of := r.all[k]; len(of) > 0 {
		return of[0].Seen
	}
	return nil
}

// fired reports whether a rule fired; a rule that did not makes no difference.
func (s *Seen) fired(rule string) bool {
	return s != nil && slices.ContainsFunc(s.Saturations, func(s study.Saturation) bool { return s.Fired[rule] > 0 })
}

func (s *Seen) found(stage string) bool {
	return s != nil && slices.ContainsFunc(s.Stages, func(t StageTime) bool { return t.Name == stage && t.Found })
}

// match does the jobs that were not done before, in an order that is drawn at random: what a match takes
// depends on those before it.
func (r *Run) match(ctx context.Context, jobs []job) error {
	total := r.done + len(jobs)
	jobs = slices.DeleteFunc(jobs, func(j job) bool {
		had := slices.ContainsFunc(r.all[j.Key], func(rec Record) bool { return rec.Repeat == j.repeat })
		if had {
			r.done++
		}
		return had
	})
	rng := rand.New(rand.NewPCG(r.e.Seed, uint64(len(jobs))))
	rng.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	next := make(chan job)
	var wait sync.WaitGroup
	for range max(1, r.Workers) {
		wait.Go(func() {
			for j := range next {
				r.finish(ctx, j, total)
			}
		})
	}
	for _, j := range jobs {
		if ctx.Err() != nil || r.failed() != nil {
			break
		}
		next <- j
	}
	close(next)
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.err
}

func (r *Run) failed() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// finish does a job and writes what came of it.
func (r *Run) finish(ctx context.Context, j job, total int) {
	rec, err := r.record(ctx, j)
	r.mu.Lock()
	defer r.mu.Unlock()
	if ctx.Err() != nil || r.err != nil {
		return
	}
	if err == nil {
		err = r.write(rec)
	}
	if err != nil {
		r.err = err
		return
	}
	r.all[j.Key] = append(r.all[j.Key], *rec)
	if r.done++; r.Step != nil {
		r.Step(r.done, total, j.Config+" "+j.Name)
	}
}

// record matches.
func (r *Run) record(ctx context.Context, j job) (*Record, error) {
	u, err := j.line.Update()
	if err != nil {
		return nil, err
	}
	if j.Depth > 0 {
		rng := rand.New(rand.NewPCG(j.Seed, seedOf(j.Corpus, j.Name, j.Depth)))
		u.Values = scramble.New(rng, u, r.e.assume&ir.DefaultAssumptions).Scramble(u.Values, j.Depth)
	}
	setup := j.config.setup
	if j.watch {
		setup.Watch = &study.Watch{}
	}
	a, err := rfactor.Match(ctx, u, rfactor.Options{Name: j.Name, Allowed: r.e.assume, Matchers: j.config.ways, Effort: j.config.effort, Rules: j.config.rules, Table: j.config.table, Study: &setup})
	if broken := (*rfactor.InternalError)(nil); errors.As(err, &broken) { // the others are matched all the same
		return &Record{Key: j.Key, Repeat: j.repeat, Status: string(rfactor.Failed), Reason: err.Error()}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", j.Corpus, j.Name, err)
	}
	rec := &Record{Key: j.Key, Repeat: j.repeat, Status: string(a.Status), Via: a.Via(), Assumes: a.Assumes.String(), Micros: float64(a.Elapsed.Nanoseconds()) / 1000, Effort: a.Effort, Code: string(a.Code)}
	if j.repeat == 0 {
		rec.Reason = a.Reason
	}
	if j.Depth > 0 && !rec.answered() {
		rec.Text = ir.Strings(u.Values)
	}
	if j.watch {
		rec.Seen = &Seen{setup.Watch.Saturations, stageTimes(setup.Watch.Stages)}
	}
	return rec, nil
}

// seedOf draws a spelling for each update and depth.
func seedOf(corpus, name string, depth int) uint64 {
	h := uint64(14695981039346656037) // FNV-1a
	for _, b := range []byte(corpus + "\x00" + name) {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h + uint64(depth)
}

// stageTimes adds up the runs of each stage, in the order in which they ran first.
func stageTimes(stages []study.Stage) (out []StageTime) {
	for _, s := range stages {
		i := slices.IndexFunc(out, func(t StageTime) bool { return t.Name == s.Name })
		if i < 0 {
			i = len(out)
			out = append(out, StageTime{Name: s.Name})
		}
		t := &out[i]
		t.Found = t.Found || s.Found
		if s.Part {
			continue
		}
		t.Runs++
		t.Micros += float64(s.Time.Nanoseconds()) / 1000
		t.Effort += s.Effort
	}
	return out
}
