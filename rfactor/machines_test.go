package rfactor

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
)

var machineSteps = flag.Int("machine-steps", suite.More(60, 200), "how many steps TestStepsOnWords draws; TestCyclic draws a quarter")

// TestMachines judges the answers to steps on words of bits, to counters that go round and to small automata: those that
// have a lift are answered, but for listed gaps.
func TestMachines(t *testing.T) {
	t.Parallel()
	gaps := []string{
		"bits.crc64_bit",                       // 64 columns and a word are more parameters than there may be
		"counters.ring_back", "counters.deque", // signed numbers need nsw
	}
	for i, l := range slices.Concat(readCorpus(t, "bits.tsv"), readCorpus(t, "counters.tsv")) {
		if testing.Short() && i%4 != 0 || i%suite.More(3, 1) != 0 {
			continue
		}
		a := matchGiven(t, l.Types, l.Exprs, l.Pre, ir.DefaultAssumptions)
		if answered := a.Status != Refused; answered != (l.Class == "lift" && !slices.Contains(gaps, l.Name)) {
			t.Errorf("%s: %s %s %s", l.Name, a.Status, a.Via(), a.Reason)
		}
		if a.Effort > DefaultEffort+boundSlack {
			t.Errorf("%s takes an effort of %.1f", l.Name, a.Effort)
		}
		judge(t, a)
	}
}

// TestCyclic judges the answers to random steps of a number that is given to be below another.
func TestCyclic(t *testing.T) {
	n := *machineSteps / 4
	if testing.Short() {
		n = min(n, 40)
	}
	lifted := 0
	for i := range n {
		d := &wordStep{rand.New(rand.NewPCG(uint64(i), 6)), ir.NewPool()}
		x, k := d.pool.X(0, ir.U8), d.pool.K(0, ir.U8)
		if d.IntN(2) == 0 {
			k = d.literal()
		}
		u := &ir.Update{Pool: d.pool, Types: []ir.Type{ir.U8}, Values: []ir.Expr{d.turn(x, k, 2)}, Given: []ir.Expr{ir.LtOf(x, k)}}
		a, err := Match(context.Background(), u, Options{Name: "f", Allowed: ir.DefaultAssumptions, Matchers: Lifting})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status == Lifted && a.Via() == "lift:cyclic" {
			lifted++
		}
		if judge(t, a); t.Failed() {
			t.Fatalf("step %d: %s given x0 < %s", i, u.Values[0], k)
		}
	}
	t.Logf("%d of %d go round", lifted, n)
	if lifted < n/20 {
		t.Errorf("%d of %d go round: they test little", lifted, n)
	}
}

// turn draws a step of a number x that goes round below k, or of one that nearly does.
func (d *wordStep) turn(x, k ir.Expr, depth int) ir.Expr {
	by := func() ir.Expr {
		return []ir.Expr{d.pool.Int(ir.U8, 1), d.pool.Int(ir.U8, 1), d.pool.Int(ir.U8, 2), d.pool.Y(0, ir.U8)}[d.IntN(4)]
	}
	if depth == 0 {
		return []ir.Expr{x, x, d.pool.Int(ir.U8, 0), ir.SubOf(k, d.pool.Int(ir.U8, 1))}[d.IntN(4)]
	}
	last, next := ir.SubOf(k, d.pool.Int(ir.U8, 1)), ir.AddOf(x, by())
	switch d.IntN(6) {
	case 0:
		return ir.SelectOf(d.flag(), d.turn(x, k, depth-1), d.turn(x, k, depth-1))
	case 1, 2:
		return ir.SelectOf(ir.Make([]ir.Op{ir.Eq, ir.Ge, ir.Gt}[d.IntN(3)], next, k), d.pool.Int(ir.U8, 0), next)
	case 3:
		return ir.SelectOf(ir.EqOf(x, last), d.turn(x, k, 0), next)
	case 4:
		return ir.SelectOf(ir.EqOf(x, d.pool.Int(ir.U8, 0)), last, ir.SubOf(x, by()))
	}
	rest := ir.SubOf(k, by())
	return ir.SelectOf(ir.LtOf(x, rest), next, ir.SubOf(x, rest))
}

// TestStepsOnWords judges the answers to random steps on a word: those that are linear over GF(2), and those with one operation
// that is not.
func TestStepsOnWords(t *testing.T) {
	n := *machineSteps
	if testing.Short() {
		n = min(n, 40)
	}
	lifted := 0
	for i := range n {
		d := &wordStep{rand.New(rand.NewPCG(uint64(i), 5)), ir.NewPool()}
		e := d.word(3)
		u := &ir.Update{Pool: d.pool, Types: []ir.Type{ir.U8}, Values: []ir.Expr{e}}
		a, err := Match(context.Background(), u, Options{Name: "f", Allowed: ir.DefaultAssumptions, Matchers: Lifting})
		if err != nil {
			t.Fatal(err)
		}
		if a.Status == Lifted {
			lifted++
		}
		if judge(t, a); t.Failed() {
			t.Fatalf("step %d: %s", i, e)
		}
	}
	t.Logf("%d of %d are lifted", lifted, n)
	if lifted < n/4 {
		t.Errorf("%d of %d are lifted: they test little", lifted, n)
	}
}

// wordStep draws steps on a word of 8 bits, with inputs of 8 bits and a flag.
type wordStep struct {
	*rand.Rand
	pool *ir.Pool
}

func (d *wordStep) literal() ir.Expr { return d.pool.Int(ir.U8, int64(d.IntN(256))) }

func (d *wordStep) word(depth int) ir.Expr {
	if depth == 0 {
		return []ir.Expr{d.pool.X(0, ir.U8), d.pool.X(0, ir.U8), d.pool.Y(0, ir.U8), d.literal()}[d.IntN(4)]
	}
	a := d.word(depth - 1)
	by := d.pool.Int(ir.U8, int64(d.IntN(8)))
	switch d.IntN(12) {
	case 0:
		return ir.Make(ir.Shl, a, by)
	case 1:
		return ir.Make(ir.Shr, a, by)
	case 2:
		return ir.Make(ir.BitAnd, a, d.literal())
	case 3:
		return ir.SelectOf(d.flag(), a, d.word(depth-1))
	case 4:
		return ir.SelectOf(ir.Make(ir.Ne, ir.Make(ir.BitAnd, d.word(1), d.pool.Const(ir.U8, 1<<d.IntN(8))), d.pool.Int(ir.U8, 0)),
			ir.Make(ir.BitXor, a, d.literal()), a)
	case 5:
		return ir.Make(ir.BitXor, a, ir.Make(ir.BitAnd, ir.NegOf(ir.Make(ir.BitAnd, d.word(1), d.pool.Int(ir.U8, 1))), d.literal()))
	case 6:
		return ir.Make(ir.BitReverse, a)
	case 7: // not linear, mostly
		return ir.Make([]ir.Op{ir.Add, ir.BitOr, ir.BitAnd, ir.Max}[d.IntN(4)], a, d.word(depth-1))
	case 8:
		return ir.SelectOf(ir.LtOf(a, d.literal()), a, d.word(depth-1))
	}
	return ir.Make(ir.BitXor, a, d.word(depth-1))
}

func (d *wordStep) flag() ir.Expr { return d.pool.Y(1, ir.Bool) }
