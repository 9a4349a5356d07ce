package exec

import (
	"fmt"
	"math"
	"testing"

	"github.com/rfactor-go/rfactor/internal/suite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/internal/lowertest"
	"github.com/rfactor-go/rfactor/rfactor"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Programs that resemble what passes know have the bits of the serial loop, as they are and under a schedule that -auto finds without assumptions.
func TestNearMisses(t *testing.T) {
	rng := lowertest.Rand(52)
	draws := suite.More(100, 300)
	if lowertest.Full() {
		draws = 20000
	}
	ran := 0
	for i := range draws {
		p, opts, text := lowertest.DrawNear(i, rng)
		if p == nil {
			continue
		}
		ran++
		for range 2 {
			n := lowertest.Sizes()[rng.IntN(len(lowertest.Sizes()))]
			if p.Program.Inputs[0].Dims > 1 {
				n = min(n, 65)
			}
			agree(t, fmt.Sprintf("n = %d\n%s", n, text), p, lowertest.WildInputs(p, rng, n), opts)
		}
		if t.Failed() {
			return
		}
	}
	if ran < draws/3 {
		t.Errorf("%d of %d programs ran", ran, draws)
	}
}

// Where a plan regroups floats, it and the serial loop lie within their bounds of what they were without rounding.
func TestBounds(t *testing.T) {
	rng := lowertest.Rand(55)
	draws, known, unknown := suite.More(50, 150), 0, 0
	if lowertest.Full() {
		draws = 10000
	}
	for range draws {
		text := lowertest.NearMiss(lowertest.ElementTypes()[8+rng.IntN(2)], rng)
		prog, err := program.ParseProgram(ir.NewPool(), "near.rf", text, ir.Invalid)
		if err != nil {
			continue
		}
		opts := plan.Options{Auto: true, Grain: 40, Match: rfactor.Options{Allowed: ir.DefaultAssumptions}}
		p, err := plan.Factor(t.Context(), prog, opts)
		if err != nil {
			continue
		}
		n := []int{3, 65, 700}[rng.IntN(3)]
		if prog.Inputs[0].Dims > 1 {
			n = min(n, 65)
		}
		in := lowertest.SmallInputs(prog, rng, n)
		for _, name := range []string{"in", "b"} {
			to, typ := in.Arrays[name].Elements(0), in.Arrays[name].Types()[0]
			for i := range to.Len() {
				to.Set(i, ir.FloatBits(typ, rng.NormFloat64()+float64(n%2)))
			}
		}
		exact, err := p.Bounds(opts, in)
		if err != nil {
			t.Fatal(text, err)
		}
		run, err := Compile(p, Options{Grain: 40})
		if err != nil {
			t.Fatal(err)
		}
		got, err := run.Run(t.Context(), in)
		serial, err2 := plan.RunSerial(prog, opts, in)
		if err != nil || err2 != nil {
			t.Fatal(text, err, err2)
		}
		signed := true
		for _, a := range p.Answers {
			signed = signed && a.Assumes&(ir.NSZ|ir.Reassoc) == 0
		}
		for c, typ := range got["f"].Types() {
			for i := range got["f"].Dims.Len() {
				v, w := got["f"].Elements(c).At(i), serial["f"].Elements(c).At(i)
				same := lowertest.SameBits(typ, v, w) || !signed && typ.IsFloat() && ir.Float(typ, v) == ir.Float(typ, w)
				switch e := exact["f"][c]; {
				case e == nil:
					if !same {
						t.Fatalf("%s\n%v: component %d has other bits than the serial loop, and no bound", text, p, c)
					}
				case math.IsNaN(e[i].Plan):
					unknown++
				case typ.IsFloat():
					known++
					if x, y := ir.Float(typ, v), ir.Float(typ, w); math.Abs(x-e[i].Value) > e[i].Plan || math.Abs(y-e[i].Value) > e[i].Serial {
						t.Fatalf("%s\n%v\n%d elements: component %d is %v, the serial loop's %v, beside %+v", text, p, n, c, x, y, e[i])
					}
				}
			}
		}
	}
	if known < unknown {
		t.Errorf("%d bounds are known, %d are not", known, unknown)
	}
}
