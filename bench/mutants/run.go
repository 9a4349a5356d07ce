package mutants

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/rfactor-go/rfactor/internal/claims"
	"github.com/rfactor-go/rfactor/internal/ordered"
	"github.com/rfactor-go/rfactor/verify"
)

// check is the checker that is measured.
func check(line []byte) error {
	_, err := verify.Check(line)
	return err
}

// result is what became of a mutant.
type result struct {
	mutant
	err      error // of the checker; nil where it accepted
	panicked bool
	verdict  claims.Verdict // of what was accepted; of what was rejected by few points
	poles    bool           // false only at a division of real numbers by zero
	took     time.Duration
	bytes    uint64 // allocated
}

func (r *result) accepted() bool { return !r.panicked && r.err == nil }

// isFalse reports whether a line was accepted that must not be.
func (r *result) isFalse() bool { return r.accepted() && r.verdict.Outcome >= claims.False }

// runner checks and judges mutants.
type runner struct {
	stderr   io.Writer
	alone    sync.RWMutex // held for writing while one mutant is measured by itself
	mu       sync.Mutex
	slowest  map[string]time.Duration // by kind, so far
	greatest map[string]uint64
	known    map[string]claims.Verdict // of claims, by their text
}

// run checks the mutants that numbers 0 to n-1 make, and hands each result to take, one at a
// time.
func (r *runner) run(ctx context.Context, n, workers int, mutantOf func(int) mutant, take func(*result)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				res := r.one(mutantOf(i))
				r.mu.Lock()
				take(res)
				r.mu.Unlock()
			}
		})
	}
	defer wg.Wait()
	defer close(next)
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
			return
		}
	}
}

// one checks and judges a mutant. What looks slower or larger than all of its kind is measured
// again with nothing beside it.
func (r *runner) one(m mutant) *result {
	res := &result{mutant: m}
	r.alone.RLock()
	res.check(r.stderr)
	r.alone.RUnlock()
	r.mu.Lock()
	again := res.took > r.slowest[m.kind] || res.bytes > r.greatest[m.kind]
	r.mu.Unlock()
	if again && !res.panicked {
		r.alone.Lock()
		first := res.took
		res.check(r.stderr)
		res.took = min(res.took, first)
		r.alone.Unlock()
		r.mu.Lock()
		r.slowest[m.kind] = max(r.slowest[m.kind], res.took)
		r.greatest[m.kind] = max(r.greatest[m.kind], res.bytes)
		r.mu.Unlock()
	}
	r.judge(res)
	return res
}

// patience is how long a mutant is checked before that is said: a checker that does not come
// back can only be interrupted.
const patience = 20 * time.Second

func (r *result) check(stderr io.Writer) {
	waiting := time.AfterFunc(patience, func() {
		fmt.Fprintf(stderr, "mutant %d (%s of %s: %s) is still being checked\n", r.number, r.kind, r.of.from, r.what)
	})
	defer waiting.Stop()
	defer func() {
		if p := recover(); p != nil {
			r.panicked, r.err = true, fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	before, at := allocated(), time.Now()
	r.err = check(r.text)
	r.took, r.bytes = time.Since(at), allocated()-before
}

// allocated is how many bytes this process has allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// judge judges the claim of a mutant: at many points where it was accepted.
func (r *runner) judge(res *result) {
	o := claims.Quick
	if res.accepted() && res.kind != unchanged {
		o = claims.Deep
	}
	key := fmt.Sprint(o.Points) + claimText(res.text)
	r.mu.Lock()
	v, ok := r.known[key]
	r.mu.Unlock()
	if !ok {
		v = claims.Judge(res.text, o)
		r.mu.Lock()
		r.known[key] = v
		r.mu.Unlock()
	}
	res.verdict = v
	if v.Outcome == claims.True && res.kind == "cost" {
		res.verdict = claims.Verdict{Outcome: claims.False, Clause: "cost", Point: "the answer that it was made of has another"}
	}
	if res.isFalse() && v.Outcome == claims.False {
		o.NoPoles = true
		res.poles = claims.Judge(res.text, o).Outcome < claims.False
	}
}

// claimText is a line without its certificate: what the judge reads.
func claimText(line []byte) string {
	tree, err := ordered.Parse(line)
	if err != nil || tree.Kind != ordered.Object {
		return string(line)
	}
	withoutCertificate(tree)
	if stages := tree.Get("stages"); stages != nil {
		for _, s := range stages.Items {
			if s.Kind == ordered.Object && s.Get("answer") != nil && s.Get("answer").Kind == ordered.Object {
				withoutCertificate(s.Get("answer"))
			}
		}
	}
	return string(tree.Bytes())
}

func withoutCertificate(tree *ordered.Value) {
	if proof := tree.Get("proof"); proof != nil && proof.Kind == ordered.Object {
		proof.Delete("certificate")
	}
}

func newRunner(stderr io.Writer) *runner {
	return &runner{stderr: stderr, slowest: map[string]time.Duration{}, greatest: map[string]uint64{}, known: map[string]claims.Verdict{}}
}
