package pattern

import (
	"testing"

	"github.com/rfactor-go/rfactor/canon"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// BenchmarkMatch is one warm pass over the corpus.
func BenchmarkMatch(b *testing.B) {
	var us []*ir.Update
	for _, l := range corpus(b) {
		u, err := program.ParseUpdate(ir.NewPool(), l.Types, l.Exprs)
		if err != nil {
			b.Fatal(err)
		}
		us = append(us, u)
	}
	s := canon.NewSession()
	for b.Loop() {
		for _, u := range us {
			matchAll(s, u)
		}
	}
}

// BenchmarkCompileTable is what the first match at a tuple of types costs.
func BenchmarkCompileTable(b *testing.B) {
	for name, types := range map[string][]ir.Type{"i32": {ir.I32}, "i32,i32": {ir.I32, ir.I32}, "f64x4": {ir.F64, ir.F64, ir.F64, ir.F64}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				compileTable(Entries(types), 0, saturated)
			}
		})
	}
}
