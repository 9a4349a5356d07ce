package egraph_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	. "github.com/rfactor-go/rfactor/egraph"
)

func TestExport(t *testing.T) {
	w := load(t, "math", "math")
	w.syms.Op(`say "<hi>\`)
	g := start(w, Options{})
	odd := g.Add(w.syms.Op(`say "<hi>\`), 0, 1, 2, 3, 4)
	counts(g, w.rules, Limits{Iterations: 4}, nil)
	x := Export{Label: w.syms.Name, Roots: []Class{0, odd}, Type: func(Class) string { return "num" }}

	var b bytes.Buffer
	if err := g.WriteJSON(&b, x); err != nil {
		t.Fatal(err)
	}
	var out struct {
		Nodes map[string]struct {
			Op       string
			Children []string
			Eclass   string
			Cost     float64
		}
		Roots []string                     `json:"root_eclasses"`
		Data  map[string]map[string]string `json:"class_data"`
	}
	if err := json.Unmarshal(b.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	classes, found := map[string]bool{}, false
	for id, n := range out.Nodes {
		classes[n.Eclass] = true
		found = found || n.Op == `say "<hi>\` && len(n.Children) == 5
		for _, k := range n.Children {
			if _, ok := out.Nodes[k]; !ok || n.Cost != 1 {
				t.Errorf("node %s: child %s, cost %v", id, k, n.Cost)
			}
		}
	}
	if len(out.Nodes) != g.NodeCount() || len(classes) != g.ClassCount() || len(out.Data) != len(classes) || !found {
		t.Errorf("%d nodes, %d classes, %d class data, odd name found: %v", len(out.Nodes), len(classes), len(out.Data), found)
	}
	if len(out.Roots) != 2 || !classes[out.Roots[0]] || !classes[out.Roots[1]] {
		t.Errorf("roots %v", out.Roots)
	}

	b.Reset()
	if err := g.WriteDOT(&b, x); err != nil {
		t.Fatal(err)
	}
	dot := b.String()
	if n := strings.Count(dot, "subgraph"); n != g.ClassCount() {
		t.Errorf("%d boxes for %d classes", n, g.ClassCount())
	}
	if !strings.Contains(dot, `[label="say \"<hi>\\"]`) || strings.Count(dot, "{") != strings.Count(dot, "}") {
		t.Errorf("label or braces are wrong:\n%s", dot)
	}
}

func TestExtract(t *testing.T) {
	w := load(t, "math", "math")
	g := New(Options{})
	var roots []Class
	for _, term := range w.terms {
		roots = append(roots, g.ClassOf(g.AddTerm(term)))
	}
	counts(g, w.rules, Limits{Iterations: 7}, nil)
	x := g.Extract(TermSize)
	for i, c := range roots {
		size, ok := x.Cost(c)
		best := x.Term(c)
		if !ok || uint64(best.Size()) != size || best.Size() > w.terms[i].Size() {
			t.Errorf("term %d: cost %d, size %d, before %d", i, size, best.Size(), w.terms[i].Size())
		}
		if g.ClassOf(g.AddTerm(best)) != g.Find(c) {
			t.Errorf("term %d: the cheapest term is not in the class", i)
		}
	}
}
