package tape_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/internal/irtest"
	. "github.com/rfactor-go/rfactor/ir/tape"
)

// A tape computes what Eval computes, in every lane.
func TestTapeIsEval(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	tape := &Tape{}
	for range 2000 {
		p := ir.NewPool()
		es := []ir.Expr{irtest.Expr(r, p, irtest.Types[r.IntN(len(irtest.Types))], 1+r.IntN(25)), irtest.Expr(r, p, ir.I32, 1+r.IntN(10))}
		tape.Compile(es...)
		in := make([]*[Lanes]uint64, len(tape.Inputs))
		for i, v := range tape.Inputs {
			in[i] = new([Lanes]uint64)
			for l := range Lanes {
				in[i][l] = irtest.Value(r, v.Type())
			}
		}
		lanes := []int{Lanes, 1 + r.IntN(Lanes)}[r.IntN(2)]
		out := tape.RunFirst(in, lanes)
		for l := range lanes {
			value := map[ir.Expr]uint64{}
			for i, v := range tape.Inputs {
				value[v] = in[i][l]
			}
			want := ir.EvalAll(es, &ir.Env{
				Var:  func(v ir.Expr) uint64 { return value[v] },
				Call: func(c ir.Expr, _ []uint64) uint64 { return value[c] },
			})
			for i := range es {
				if out[i][l] != want[i] {
					t.Fatalf("%s: %#x, want %#x", es[i], out[i][l], want[i])
				}
			}
		}
	}
}

// Tapes that share registers compute what they compute alone, whichever ran before.
func TestSharedRegisters(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for range 200 {
		p := ir.NewPool()
		var registers Registers
		var shared, alone []*Tape
		for range 5 {
			e := irtest.Expr(r, p, ir.I32, 1+r.IntN(20))
			shared, alone = append(shared, registers.NewTape(e)), append(alone, New(e))
		}
		in := make([]*[Lanes]uint64, 64)
		for range 20 {
			n := r.IntN(len(shared))
			for i, v := range shared[n].Inputs {
				in[i] = new([Lanes]uint64)
				for l := range Lanes {
					in[i][l] = irtest.Value(r, v.Type())
				}
			}
			if got, want := *shared[n].Run(in)[0], *alone[n].Run(in)[0]; got != want {
				t.Fatalf("tape %d in shared registers: %v, alone %v", n, got, want)
			}
			if got, want := shared[n].Overflowed(ir.AllAssumptions), alone[n].Overflowed(ir.AllAssumptions); got != want {
				t.Fatalf("tape %d in shared registers overflows at %b, alone at %b", n, got, want)
			}
		}
	}
}

// The overflow mask of Overflowed names the lanes whose exact result does not fit.
func TestTapeOverflow(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	exactly := map[ir.Op]func(z, x, y *big.Int) *big.Int{
		ir.Add: (*big.Int).Add, ir.Sub: (*big.Int).Sub, ir.Mul: (*big.Int).Mul,
		ir.Neg: func(z, x, _ *big.Int) *big.Int { return z.Neg(x) },
		ir.Abs: func(z, x, _ *big.Int) *big.Int { return z.Abs(x) },
		ir.Div: func(z, x, y *big.Int) *big.Int {
			if y.Sign() == 0 {
				return z
			}
			return z.Div(x, y) // Euclidean
		},
		ir.Shl: func(z, x, y *big.Int) *big.Int {
			if n := y.Int64(); n >= 0 && n < 64 {
				return z.Lsh(x, uint(n))
			}
			return z.Lsh(x, 64)
		},
	}
	for typ := ir.I8; typ <= ir.U64; typ++ {
		p := ir.NewPool()
		for op, f := range exactly {
			e := ir.Make(op, []ir.Expr{p.X(0, typ), p.X(1, typ)}[:op.Arity()]...)
			tape := New(e)
			for range suite.More(60, 200) {
				in := []*[Lanes]uint64{new([Lanes]uint64), new([Lanes]uint64)}
				for l := range Lanes {
					in[0][l], in[1][l] = irtest.Value(r, typ), irtest.Value(r, typ)
				}
				tape.Run(in[:op.Arity()])
				over := tape.Overflowed(ir.AllAssumptions)
				for l := range Lanes {
					z := f(new(big.Int), irtest.Exact(typ, in[0][l]), irtest.Exact(typ, in[1][l]))
					if fits := irtest.Exact(typ, irtest.Reduce(typ, z)).Cmp(z) == 0; fits != (over>>l&1 == 0) {
						t.Fatalf("%s of %d and %d in %s: exact result %s, in range: %v", op, int64(in[0][l]), int64(in[1][l]), typ, z, fits)
					}
				}
				if over := tape.Overflowed(0); over != 0 {
					t.Fatalf("%s in %s overflows where nothing is assumed", op, typ)
				}
			}
		}
	}
}

// OverflowedEach tells outputs apart: an output's mask is what Overflowed says of a tape of it alone.
func TestTapeOverflowEach(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	over, clean := 0, 0
	for range 1000 {
		p := ir.NewPool()
		es := []ir.Expr{irtest.Expr(r, p, ir.I32, 1+r.IntN(12)), irtest.Expr(r, p, ir.I8, 1+r.IntN(12)), irtest.Expr(r, p, ir.U32, 1+r.IntN(12))}
		rows := map[ir.Expr]*[Lanes]uint64{}
		inputs := func(tape *Tape) (in []*[Lanes]uint64) {
			for _, v := range tape.Inputs {
				if rows[v] == nil {
					rows[v] = new([Lanes]uint64)
					for l := range Lanes {
						rows[v][l] = irtest.Value(r, v.Type())
					}
				}
				in = append(in, rows[v])
			}
			return in
		}
		all := New(es...)
		lanes := 1 + r.IntN(Lanes)
		all.RunFirst(inputs(all), lanes)
		for _, assume := range []ir.Assume{0, ir.NSW, ir.NUW, ir.AllAssumptions} {
			each := all.OverflowedEach(assume)
			for i, e := range es {
				one := New(e)
				one.Run(inputs(one))
				want := one.Overflowed(assume) & (1<<lanes - 1)
				if each[i] != want {
					t.Fatalf("%s under %s: %b overflow, want %b", e, assume, each[i], want)
				}
				if want != 0 {
					over++
				} else {
					clean++
				}
			}
		}
	}
	if over < 500 || clean < 500 {
		t.Errorf("%d outputs overflow and %d do not: too few to tell", over, clean)
	}
}
