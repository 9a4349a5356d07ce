package rfactor

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// poolUpdates are updates of every kind of answer, of one program so that they share a pool: reads of the state at
// other arguments, initial values, coordinates, inputs and what is given.
func poolUpdates(t *testing.T) []*ir.Update {
	t.Helper()
	const text = `
ImageParam in(Int(32), 1), w(Float(32), 1); Param<int> k; RDom r(0, in.width()); Func sum, best, walk, hist, clamped, none, mean;
Var x;
sum() = 0; sum() = select(in(r) > 9, sum() + 1, sum());
best() = {0, 0}; best() = {max(best()[0], in(r)), select(in(r) > best()[0], r, best()[1])};
walk() = 0; walk() = max(walk() + in(r), k);
hist(x) = 0; hist(in(r)) = hist(in(r) + 0*in(r)) + 1;
clamped() = 0; clamped() = max(abs(clamped()), in(r) & 127);
none() = 1; none() = none()*none() + in(r);
mean() = {0.0f, 0.0f}; mean() = {mean()[0] + w(r), mean()[1] + w(r)*w(r)};`
	p, err := program.ParseProgram(ir.NewPool(), "pools", text, ir.I32)
	if err != nil {
		t.Fatal(err)
	}
	var updates []*ir.Update
	for _, d := range p.Definitions() {
		updates = append(updates, d.Update())
	}
	if updates[4].Given, err = program.ParseGiven(updates[4], "0 <= x0"); err != nil {
		t.Fatal(err)
	}
	return updates
}

// answerText is an answer with its certificate, without its time.
func answerText(t *testing.T, u *ir.Update) string {
	a, err := Match(context.Background(), u, Options{Allowed: ir.DefaultAssumptions})
	if err != nil {
		t.Error(err)
		return ""
	}
	a.Elapsed = 0
	b, err := a.JSON(true)
	if err != nil {
		t.Error(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Error(err)
	}
	delete(fields, "effort") // what a process proves once is charged once
	if b, err = json.Marshal(fields); err != nil {
		t.Error(err)
	}
	return string(b)
}

// Several goroutines match updates of one pool at once, and one update at once: Match only reads. The race
// detector sees that, by make race.
func TestPoolsShared(t *testing.T) {
	updates := poolUpdates(t)
	size := updates[0].Pool.Len()
	inGoroutines(t, func(int) []*ir.Update { return updates })
	if n := updates[0].Pool.Len(); n != size {
		t.Errorf("the matches made %d expressions in the pool of their updates", n-size)
	}
}

// The same with a pool for each goroutine.
func TestPoolsOwn(t *testing.T) {
	inGoroutines(t, func(int) []*ir.Update { return poolUpdates(t) })
}

// inGoroutines matches updates in several goroutines, in different orders. The answers are those of one goroutine alone.
func inGoroutines(t *testing.T, of func(goroutine int) []*ir.Update) {
	t.Helper()
	var want []string
	for _, u := range poolUpdates(t) {
		want = append(want, answerText(t, u))
	}
	var group sync.WaitGroup
	for n := range 3 {
		updates := of(n)
		group.Go(func() {
			for j := range updates {
				i := (j + n) % len(updates)
				if got := answerText(t, updates[i]); got != want[i] {
					t.Errorf("update %d: another answer:\n%s\n%s", i, got, want[i])
				}
			}
		})
	}
	group.Wait()
}
