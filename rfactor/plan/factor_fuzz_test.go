package plan

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// Whatever the program says, Factor gives a plan that runs as the serial program does, or
// an error.
func FuzzFactor(f *testing.F) {
	for _, file := range programFiles(f) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint64(7))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		f.Add("ImageParam in(Int(32), 2); Func f; f() = 0; RDom r(0, in.width(), 0, in.height()); f() += in(r.x, r.y);\n"+randomSchedule(rng, []string{"r.y", "r.x"}), rng.Uint64())
	}
	for _, p := range scanPrograms {
		f.Add("RVar xo, xi; "+strings.Replace(p.text, "TILE", "3", 1)+";", rng.Uint64())
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 2000 {
			return
		}
		prog, err := program.ParseProgram(ir.NewPool(), "fuzz", text, ir.Invalid)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		p, err := Factor(ctx, prog, plain)
		var list ir.ErrorList
		if err != nil && !errors.As(err, &list) && ctx.Err() == nil {
			t.Fatalf("%T %v", err, err)
		}
		if err != nil || !isSmall(prog) {
			return
		}
		for _, in := range prog.Inputs {
			if in.Dims < 0 || in.Dims > 3 {
				return
			}
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		in := drawInputs(prog, rng, func(int) int { return int(seed % 5) })
		_ = p.String()
		want, err := RunSerial(prog, plain, in)
		if err != nil {
			return
		}
		got, err := p.Run(in, seed)
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		for _, a := range p.Answers {
			if a.Assumes != 0 {
				return
			}
		}
		if !sameOutputs(got, want) {
			t.Fatalf("results differ\n%s", p)
		}
	})
}

// isSmall reports whether the literals of a program's domains leave it quick to interpret.
func isSmall(prog *program.Program) bool {
	small := true
	for _, d := range prog.Domains {
		n := int64(1)
		for _, dim := range d.Dims {
			if !dim.Extent.IsValid() {
				return false
			}
			ir.Walk([]ir.Expr{dim.Min, dim.Extent}, func(e ir.Expr) {
				if e.Op() == ir.Const {
					n *= max(e.Int(), -e.Int(), 1)
				} else if e.Op() != ir.Var && e.Op() != ir.Call && e.Op() != ir.Add && e.Op() != ir.Sub {
					small = false
				}
			})
		}
		small = small && n > 0 && n < 1000 && len(d.Dims) < 4
	}
	ir.Walk(everything(prog), func(e ir.Expr) { small = small && !(e.Op() == ir.Const && e.Type().IsInt() && e.Int() > 4000) })
	return small
}

func everything(prog *program.Program) (es []ir.Expr) {
	for _, f := range prog.Funcs {
		es = append(append(es, f.Init...), f.Args...)
		for _, d := range f.Updates {
			es = append(append(es, d.Args...), d.Values...)
		}
	}
	return es
}
