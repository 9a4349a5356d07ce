package canon

import (
	"testing"

	"github.com/rfactor-go/rfactor/ir"
)

// Every type has fixed symbols for −32 … 31, modulo 2^width, and each stands for its value.
func TestSmallLiteralsHaveSymbols(t *testing.T) {
	for _, typ := range []ir.Type{ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64} {
		for n := int64(-32); n < 32; n++ {
			v := typ.Wrap(uint64(n))
			s, ok := literalSymbol(typ, v)
			if !ok {
				t.Fatalf("%v has no symbol for %d", typ, n)
			}
			if gotType, got := literal(s); gotType != typ || got != v {
				t.Errorf("the symbol of %d:%v is that of %d:%v", int64(v), typ, int64(got), gotType)
			}
		}
	}
}
