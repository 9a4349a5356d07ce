package flow_test

import (
	"fmt"
	"slices"
	"testing"

	. "github.com/rfactor-go/rfactor/llvm/internal/flow"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

const nested = `define void @f(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %outer, label %exit
exit:
  ret void
dead:
  br label %exit
}
`

func parsed(text string) *Graph {
	m, err := syntax.Parse("f.ll", text)
	if err != nil {
		panic(err)
	}
	return Of(m.Funcs[0])
}

func ExampleGraph_Loops() {
	g := parsed(nested)
	for _, l := range g.Loops() {
		fmt.Println(g.Func.Blocks[l.Header].Name, len(l.Blocks), l.Inner)
	}
	// Output:
	// %outer 3 true
	// %inner 1 false
}

func TestDominators(t *testing.T) {
	g := parsed(nested)
	name := func(b string) int { return g.Func.Named["%"+b].Index }
	for _, c := range []struct {
		a, b string
		want bool
	}{{"entry", "exit", true}, {"inner", "latch", true}, {"latch", "inner", false}, {"exit", "exit", true}, {"dead", "exit", false}, {"entry", "dead", false}} {
		if got := g.Dominates(name(c.a), name(c.b)); got != c.want {
			t.Errorf("%s dominates %s: %v", c.a, c.b, got)
		}
	}
	if g.IsAcyclic() || !parsed("define void @f() {\n  ret void\n}").IsAcyclic() {
		t.Error("cycles are not seen")
	}
}

// A cycle that is entered in the middle is no loop, and keeps one around it from being read.
func TestIrreducible(t *testing.T) {
	g := parsed(`define void @f(i1 %c) {
entry:
  br label %head
head:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br i1 %c, label %a, label %latch
latch:
  br i1 %c, label %head, label %exit
exit:
  ret void
}
`)
	loops := g.Loops()
	if len(loops) != 1 || !loops[0].Inner || !slices.Contains(loops[0].Blocks, g.Func.Named["%b"].Index) {
		t.Errorf("%v", loops)
	}
}
