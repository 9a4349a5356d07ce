package egraph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Export says how to write a graph for others to read.
type Export struct {
	Label func(Op) string      // name of an operator; nil for op and its number
	Cost  func(n Node) float64 // of a node; nil for 1
	Roots []Class              // for WriteJSON
	Type  func(Class) string   // for WriteJSON; nil for none
}

func (x *Export) label(op Op) string {
	if x.Label == nil {
		return fmt.Sprintf("op%d", op)
	}
	return x.Label(op)
}

// WriteDOT writes the graph for Graphviz: a box for every class, an edge from
// every child of a node to the box of its class. The error is one of w.
func (g *Graph) WriteDOT(w io.Writer, x Export) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "digraph egraph {\n  compound=true\n  clusterrank=local\n")
	for c := range g.Classes() {
		fmt.Fprintf(b, "  subgraph cluster_%d {\n    style=dotted\n", c)
		for n := range g.Nodes(c) {
			fmt.Fprintf(b, "    n%d [label=%s]\n", n, quoteDOT(x.label(g.Op(n))))
		}
		fmt.Fprint(b, "  }\n")
	}
	for c := range g.Classes() {
		for n := range g.Nodes(c) {
			g.writeEdges(b, c, n)
		}
	}
	fmt.Fprint(b, "}\n")
	return b.Flush()
}

func (g *Graph) writeEdges(b *bufio.Writer, c Class, n Node) {
	for i, k := range g.Kids(n, nil) {
		to := g.firstNode(k)
		if k == c { // Graphviz clips no edge to the box it starts in
			fmt.Fprintf(b, "  n%d -> n%d [label=\"%d\"]\n", n, to, i)
			continue
		}
		fmt.Fprintf(b, "  n%d -> n%d [lhead=cluster_%d, label=\"%d\"]\n", n, to, k, i)
	}
}

// firstNode returns the node that stands for a class where a format wants one.
func (g *Graph) firstNode(c Class) Node {
	ix := &g.index
	return Node(ix.entries[ix.of(c)[0].start].node & nodeBits)
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func quoteDOT(s string) string { return `"` + dotEscapes.Replace(s) + `"` }

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic("egraph: internal: " + err.Error())
	}
	return string(text)
}

// WriteJSON writes the graph in the format of egraph-serialize 0.3. A child is
// the first node of its class. The error is one of w.
func (g *Graph) WriteJSON(w io.Writer, x Export) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "{\n\"nodes\": {")
	sep := "\n"
	for c := range g.Classes() {
		for n := range g.Nodes(c) {
			fmt.Fprint(b, sep)
			g.writeNode(b, x, c, n)
			sep = ",\n"
		}
	}
	fmt.Fprint(b, "\n},\n\"root_eclasses\": [")
	for i, c := range x.Roots {
		if i > 0 {
			fmt.Fprint(b, ", ")
		}
		fmt.Fprintf(b, "\"%d\"", g.Find(c))
	}
	fmt.Fprint(b, "],\n\"class_data\": {")
	sep = "\n"
	for c := range g.Classes() {
		if x.Type != nil {
			fmt.Fprintf(b, "%s\"%d\": {\"type\": %s}", sep, c, quote(x.Type(c)))
			sep = ",\n"
		}
	}
	fmt.Fprint(b, "\n}\n}\n")
	return b.Flush()
}

func (g *Graph) writeNode(b *bufio.Writer, x Export, c Class, n Node) {
	cost := 1.0
	if x.Cost != nil {
		cost = x.Cost(n)
	}
	fmt.Fprintf(b, "\"n%d\": {\"op\": %s, \"children\": [", n, quote(x.label(g.Op(n))))
	for i, k := range g.Kids(n, nil) {
		if i > 0 {
			fmt.Fprint(b, ", ")
		}
		fmt.Fprintf(b, "\"n%d\"", g.firstNode(k))
	}
	number, err := json.Marshal(cost)
	if err != nil {
		number = []byte("1e308") // the format has no infinity
	}
	fmt.Fprintf(b, "], \"eclass\": \"%d\", \"cost\": %s}", c, number)
}
