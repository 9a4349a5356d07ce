package combine

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/ndarray"
	"github.com/rfactor-go/rfactor/pattern"
	"github.com/rfactor-go/rfactor/rfactor"
)

var long = flag.Bool("long", false, "merge trees of every operator of the tables and every line of the corpora of lifts, not a sample")

// Every operator of the tables, merged in random trees with empty accumulators on either side, gives what the serial loop gives. An
// ordinary run takes every 250th operator.
func TestTreesOfTheTables(t *testing.T) {
	stride := 250
	if *long {
		stride = 1
	}
	at, done, refused := 0, 0, 0
	for _, types := range pattern.Signatures() {
		for _, e := range pattern.Entries(types) {
			if at++; at%stride != 0 {
				continue
			}
			a := match(t, operatorUpdate(e), e.Name)
			if a.Status != rfactor.Associative && a.Status != rfactor.Lifted {
				refused++
				continue
			}
			checkTrees(t, fmt.Sprint(e.Name, " ", types), a, uint64(at))
			done++
		}
	}
	t.Logf("%d operators of %d; %d more are refused or staged as updates", done, at, refused)
	if done < at/stride*9/10 {
		t.Error("too few operators were reached")
	}
}

// Every lift family of the corpora, as TestTreesOfTheTables. An ordinary run takes every 12th line.
func TestTreesOfTheLifts(t *testing.T) {
	stride := 12
	if *long {
		stride = 1
	}
	families := map[string]int{}
	at := 0
	for _, file := range []string{"unseen_lift", "unseen_chains", "counters", "updates"} {
		f, err := os.Open("../../testdata/corpus/" + file + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := program.ReadCorpus(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if at++; at%stride != 0 || l.Pre != "" {
				continue
			}
			u, err := l.Update()
			if err != nil {
				t.Fatal(err)
			}
			a := match(t, u, l.Name)
			if a.Status != rfactor.Lifted && (a.Status != rfactor.Associative || !*long) {
				continue
			}
			checkTrees(t, l.Name, a, uint64(at))
			if a.Lift != nil {
				for _, f := range a.Lift.Families {
					families[f]++
				}
			}
		}
	}
	t.Logf("families: %v", families)
	if len(families) < 8 {
		t.Error("too few families were reached")
	}
	if *long {
		for _, f := range rfactor.FamilyNames() {
			if families[f] == 0 {
				t.Logf("no line of the corpora is lifted by %s alone", f)
			}
		}
	}
}

func match(t *testing.T, u *ir.Update, name string) *rfactor.Answer {
	t.Helper()
	a, err := rfactor.Match(context.Background(), u, rfactor.Options{Name: name, Allowed: ir.AllAssumptions})
	if err != nil {
		t.Fatal(name, err)
	}
	return a
}

// operatorUpdate is the step x ⊕ y of an operator of the tables.
func operatorUpdate(e *pattern.Entry) *ir.Update {
	pool := ir.NewPool()
	return &ir.Update{Pool: pool, Types: e.Types, Values: pool.Import(e.Exprs...)}
}

// checkTrees compares random merge trees over small values with the serial loop.
func checkTrees(t *testing.T, name string, a *rfactor.Answer, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 23))
	constants, initial := map[string]uint64{}, make([]uint64, len(a.Types))
	for _, l := range a.Leaves {
		if kindOf(l.Var.String()) == ir.Param {
			constants[l.Var.String()] = small(rng, l.Var.Type(), true)
		}
	}
	for i, typ := range a.Types {
		initial[i] = small(rng, typ, false)
	}
	r, err := New(a, initial, constants, true)
	if err != nil {
		if !strings.Contains(err.Error(), "not as given") && !strings.Contains(err.Error(), "where its invariants are proven") {
			t.Errorf("%s: %v", name, err)
		}
		return
	}
	k, err := NewKernel(r)
	if err != nil {
		t.Fatal(name, err)
	}
	m := k.m
	for range 12 {
		n := rng.IntN(12)
		m.elements = int64(n)
		rows := make([]Row, n)
		for i := range rows {
			rows[i].Index = int64(i)
			for _, l := range m.leaves {
				rows[i].Leaves = append(rows[i].Leaves, small(rng, l.Type, l.NonNeg || kindOf(l.Name) == ir.Coord))
			}
		}
		want, fine := serial(a, m, rows, initial, constants)
		if !fine {
			continue // the serial loop does what the answer assumes it does not
		}
		got, err := tree(m, rng, rows)
		if err == nil {
			var out Tuple
			if out, err = m.extract(got); err == nil {
				if !near(a.Types, out.Values, want) {
					t.Errorf("%s: %s: got %v, the serial loop %v of rows %v from %v with %v", name, r.Answer, out.Values, want, rows, initial, constants)
					return
				}
				err = blocks(k, rng, rows, want, a.Types)
			}
		}
		if err != nil && err != errOverflow && err != errPoisoned && !strings.Contains(err.Error(), "not as given") {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}

// blocks compares the serial loop with a Kernel's partial results.
func blocks(k *Kernel, rng *rand.Rand, rows []Row, want []uint64, types []ir.Type) error {
	m := k.m
	a := m.create()
	for from := 0; from < len(rows); {
		to := from + 1 + rng.IntN(len(rows)-from)
		columns := make([]any, len(m.leaves))
		for i, l := range m.leaves {
			col := ndarray.New([]ir.Type{l.Type}, ndarray.Range{Extent: to - from})
			for j := from; j < to; j++ {
				col.Elements(0).Set(j-from, rows[j].Leaves[i])
			}
			columns[i] = col.Data[0]
		}
		p, err := k.Reduce(int64(from), to-from, columns)
		if err != nil {
			return err
		}
		if p, err = again(p); err != nil {
			return err
		}
		if a, err = m.mergeTwo(a, p); err != nil {
			return err
		}
		from = to
	}
	out, err := m.extract(a)
	if err == nil && !near(types, out.Values, want) {
		err = fmt.Errorf("kernel: %v, the serial loop %v", out.Values, want)
	}
	return err
}

// again encodes and decodes an accumulator, as Beam does between workers.
func again(a Accumulator) (Accumulator, error) { return decodeAccumulator(encodeAccumulator(a)) }

// tree merges rows in a random tree: in any order, and with empty accumulators on either side.
func tree(m *machine, rng *rand.Rand, rows []Row) (Accumulator, error) {
	var forest []Accumulator
	order := rng.Perm(len(rows))
	for len(order) > 0 {
		a := m.create()
		n := 1 + rng.IntN(len(order))
		var err error
		for _, i := range order[:n] {
			if a, err = m.add(a, rows[i]); err != nil {
				return a, err
			}
		}
		order = order[n:]
		forest = append(forest, a)
	}
	for range 1 + rng.IntN(3) {
		forest = slices.Insert(forest, rng.IntN(len(forest)+1), m.create())
	}
	for len(forest) > 1 {
		i, j := rng.IntN(len(forest)), rng.IntN(len(forest)-1)
		if j >= i {
			j++
		}
		left, err := again(forest[i])
		if err != nil {
			return left, err
		}
		merged, err := m.mergeTwo(left, forest[j])
		if err != nil {
			return merged, err
		}
		forest[i] = merged
		forest = slices.Delete(forest, j, j+1)
	}
	return forest[0], nil
}

// serial runs the update as it was written. It reports false where that leaves what the answer assumes.
func serial(a *rfactor.Answer, m *machine, rows []Row, initial []uint64, constants map[string]uint64) ([]uint64, bool) {
	state := slices.Clone(initial)
	vars := ir.Vars(a.Update...)
	c, err := newCode(a.Update, vars, a.Assumes&(ir.NSW|ir.NUW))
	if err != nil {
		return nil, false
	}
	columns := map[string]int{}
	for i, l := range m.leaves {
		columns[l.Name] = i
	}
	for _, row := range rows {
		values := make([]uint64, len(vars))
		for i, v := range vars {
			switch {
			case v.Kind() == ir.State:
				values[i] = state[v.Index()]
			case v.Kind() == ir.Param:
				values[i] = constants[v.String()]
			default:
				values[i] = row.Leaves[columns[v.String()]]
			}
		}
		next := make([]uint64, len(state))
		if c.run(values, next) != nil || c.tape.Poisoned(a.Assumes)&1 != 0 {
			return nil, false
		}
		state = next
	}
	return state, true
}

// small draws values of which few overflow. Floats are eighths.
func small(rng *rand.Rand, t ir.Type, notNegative bool) uint64 {
	v := int64(rng.IntN(16))
	if !notNegative {
		v -= 6
	}
	switch {
	case t == ir.Bool:
		return uint64(v & 1)
	case t.IsFloat():
		return ir.FloatBits(t, float64(v)/8)
	}
	return t.Wrap(uint64(v))
}

// near compares exactly what are integers, and floats within what another order of rounding explains.
func near(types []ir.Type, a, b []uint64) bool {
	for i, t := range types {
		if !t.IsFloat() {
			if a[i] != b[i] {
				return false
			}
			continue
		}
		x, y := ir.Float(t, a[i]), ir.Float(t, b[i])
		bound := 1e-9
		if t == ir.F32 {
			bound = 1e-3
		}
		if x != y && !(math.Abs(x-y) <= bound*max(1, math.Abs(x), math.Abs(y))) && !(math.IsNaN(x) && math.IsNaN(y)) {
			return false
		}
	}
	return true
}
