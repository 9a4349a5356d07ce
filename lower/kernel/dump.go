package kernel

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// String shows a kernel, a line for each node and each value that it computes.
func (k *Kernel) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "streams %s\nstate %s\n", words(k.Streams), words(k.State))
	for i, a := range k.Accumulators {
		fmt.Fprintf(&b, "accumulator %d: component %d in lanes of %s, %d copies, from %s\n", i, a.Comp, a.Elem, a.Copies, Use(nil).GoLiteral(a.Elem, a.Start, false))
	}
	k.dump(&b, k.Body, "")
	return b.String()
}

func words(types []ir.Type) string {
	var list []string
	for _, t := range types {
		list = append(list, t.String())
	}
	return strings.Join(list, " ")
}

func (k *Kernel) dump(b *strings.Builder, body []Node, indent string) {
	line := func(format string, args ...any) { fmt.Fprintf(b, indent+format+"\n", args...) }
	for _, n := range body {
		switch n := n.(type) {
		case Each:
			line("each element")
			for i, e := range n.Keep {
				line("\tkeep%d = %s", i, e)
			}
			for _, c := range n.Put {
				line("\tput x%d", c)
			}
			if n.Until.IsValid() {
				line("\tuntil %s", n.Until)
			}
			for _, w := range n.Where {
				line("\twhere %s", w)
			}
			dumpExprs(b, n.To, indent)
		case Peeled:
			line("first element of all")
			dumpExprs(b, n.To, indent)
		case Chunks:
			line("%d chunks of %d elements or more, from %d, joined by", n.Parts, n.Least, n.Start)
			dumpExprs(b, n.Join, indent)
		case Start:
			line("start %s", numbers(n.Accumulators))
		case Loop:
			k.dumpLoop(b, &n, indent)
		case Runs:
			line("runs of up to %d steps of %d vectors", n.Most, n.Step)
			k.dump(b, n.Body, indent+"\t")
		case Store:
			for _, m := range n.Merges {
				line("store %s", numbers(m.Accumulators))
				k.dumpSet(b, m.Accumulators, m.Lanes, indent+"\t")
			}
		case Flush:
			for _, m := range n.Merges {
				line("flush %s", numbers(m.Accumulators))
				k.dumpSet(b, m.Accumulators, m.Lanes, indent+"\t")
			}
			k.dumpSet(b, n.Into.Accumulators, n.Into.To, indent)
		case Leave:
			line("leave")
		case Fold:
			line("fold")
			for _, m := range n.Merges {
				for i, a := range m.Accumulators {
					line("\tx%d = %s", k.Accumulators[a].Comp, m.Plain[i])
				}
			}
		case Search:
			line("search in blocks of %d", n.Block)
			k.dumpLoop(b, &n.Loop, indent+"\t")
		case Find:
			for _, f := range n.Search.For {
				line("find %s of stream %d for component %d, and %d components that go with it", f.Op, f.Stream, k.Accumulators[f.Accumulator].Comp, len(f.Payload))
			}
		case Skip:
			line("skip blocks of %d without %s", n.Block, n.Changes[0])
			for i, e := range n.Still {
				line("\tstill%d = %s", i, e)
			}
		case Begin:
			line("begin with first elements")
			dumpDo(b, n.Do, indent+"\t")
			k.dumpSet(b, n.Accumulators, n.To, indent+"\t")
		case Head:
			line("%d elements by steps", n.Elements)
		case Last:
			line("last lane of %s", numbers(n.Accumulators))
		case Tree:
			line("each %d elements by a tree, of which component %d is written", n.Block, n.Keep)
			for _, es := range [][]ir.Expr{n.Inject, n.Combine, n.Apply} {
				dumpExprs(b, es, indent)
			}
		case Owned:
			line("parts that lanes own, %d copies, of words of %s, joined by", n.Copies, n.Word)
			dumpExprs(b, n.Join, indent)
			for _, s := range n.Steps {
				k.dumpSet(b, Below(len(s)), s, indent+"\t")
			}
		case Powers:
			for _, f := range n.For {
				for i, e := range f.Step.Exprs(statesOf(k, f.Comps)) {
					line("powers of %s, with %s", e, f.Y[i])
				}
			}
		case Advance:
			for i, c := range n.Comps {
				line("as many steps of component %d, each %d, composed by %s", c, n.Step[i], n.Join[i])
			}
		case Finite:
			line("steps instead where a component is not finite")
		case History:
			line("behind %d steps, without components %s, which the last elements tell", n.Depth, numbers(n.Past))
			for _, p := range n.Rest {
				for i, s := range p.Streams {
					line("\tstream %d is stream %d, %d earlier", i, s.Stream, s.Behind)
				}
				b.WriteString(p.Kernel.String())
			}
		case Rest:
			line("rest")
		}
	}
}

func (k *Kernel) dumpLoop(b *strings.Builder, l *Loop, indent string) {
	from, then := "", ""
	if l.Parts > 1 {
		from = fmt.Sprintf(" from %d places", l.Parts)
	}
	if l.Single {
		then = ", then of one"
	}
	fmt.Fprintf(b, "%sloop of %d vectors%s to %d copies%s\n", indent, l.Vectors, from, l.Copies, then)
	dumpDo(b, l.Do, indent+"\t")
	for _, s := range l.Body {
		k.dumpSet(b, s.Accumulators, s.To, indent+"\t")
	}
}

func (k *Kernel) dumpSet(b *strings.Builder, accumulators []int, to []*Value, indent string) {
	for i, v := range to {
		a := accumulators[i]
		fmt.Fprintf(b, "%s%s = %s\n", indent, Leaf(State, a, k.Accumulators[a].Elem), v)
	}
}

func dumpDo(b *strings.Builder, nodes []Node, indent string) {
	for _, n := range nodes {
		switch n := n.(type) {
		case Put:
			fmt.Fprintf(b, "%sput %s\n", indent, n.Value)
		case Keep:
			fmt.Fprintf(b, "%skeep where %s\n", indent, n.Holds)
		case Until:
			fmt.Fprintf(b, "%suntil %s\n", indent, n.Holds)
		}
	}
}

func dumpExprs(b *strings.Builder, es []ir.Expr, indent string) {
	for i, e := range es {
		fmt.Fprintf(b, "%s\tx%d = %s\n", indent, i, e)
	}
}

func numbers(list []int) string {
	var words []string
	for _, n := range list {
		words = append(words, fmt.Sprint(n))
	}
	return strings.Join(words, " ")
}
