package egraph_test

import (
	"fmt"
	"sort"
	"strings"

	. "github.com/rfactor-go/rfactor/egraph"
)

// naive is an e-graph by definition: a list of terms and a union-find, closed
// by comparing until nothing changes.
type naive struct {
	nodes  []naiveNode
	parent []int
}

type naiveNode struct {
	op   Op
	kids []int
}

func (v *naive) find(n int) int {
	for v.parent[n] != n {
		n = v.parent[n]
	}
	return n
}

func (v *naive) key(n naiveNode) string {
	var b strings.Builder
	fmt.Fprint(&b, n.op)
	for _, k := range n.kids {
		fmt.Fprint(&b, ",", v.find(k))
	}
	return b.String()
}

func (v *naive) add(op Op, kids ...int) int {
	v.nodes = append(v.nodes, naiveNode{op, kids})
	v.parent = append(v.parent, len(v.parent))
	return len(v.nodes) - 1
}

func (v *naive) union(a, b int) { v.parent[v.find(a)] = v.find(b) }

func (v *naive) close() {
	for changed := true; changed; {
		changed = false
		first := map[string]int{}
		for i, n := range v.nodes {
			k := v.key(n)
			if j, ok := first[k]; !ok {
				first[k] = i
			} else if v.find(i) != v.find(j) {
				v.union(i, j)
				changed = true
			}
		}
	}
}

// counts returns the numbers of canonical nodes and of classes.
func (v *naive) counts() (int, int) {
	keys, classes := map[string]bool{}, map[int]bool{}
	for i, n := range v.nodes {
		keys[v.key(n)] = true
		classes[v.find(i)] = true
	}
	return len(keys), len(classes)
}

// A naiveMatch is a rule, the root's class and the variables' classes.
type naiveMatch struct {
	rule, root int
	subst      map[int]int
}

func (v *naive) matches(rules []Rule) []naiveMatch {
	var found []naiveMatch
	seen := map[string]bool{}
	for c := range v.nodes {
		if v.find(c) != c {
			continue
		}
		for i, r := range rules {
			for _, s := range v.match(r.LHS, c, map[int]int{}) {
				for _, s := range v.matchAlso(r.Also, s) {
					if key := fmt.Sprint(i, c, sorted(s)); !seen[key] {
						seen[key] = true
						found = append(found, naiveMatch{i, c, s})
					}
				}
			}
		}
	}
	return found
}

func sorted(s map[int]int) []string {
	var out []string
	for k, c := range s {
		out = append(out, fmt.Sprint(k, "=", c))
	}
	sort.Strings(out)
	return out
}

func (v *naive) matchAlso(also []Pattern, s map[int]int) []map[int]int {
	if len(also) == 0 {
		return []map[int]int{s}
	}
	var out []map[int]int
	for c := range v.nodes {
		if v.find(c) == c {
			for _, t := range v.match(also[0], c, s) {
				out = append(out, v.matchAlso(also[1:], t)...)
			}
		}
	}
	return out
}

func (v *naive) match(p Pattern, c int, s map[int]int) []map[int]int {
	if p.Var >= 0 {
		if d, ok := s[p.Var]; ok {
			if d == c {
				return []map[int]int{s}
			}
			return nil
		}
		t := map[int]int{p.Var: c}
		for k, d := range s {
			t[k] = d
		}
		return []map[int]int{t}
	}
	var out []map[int]int
	seen := map[string]bool{}
	for i, n := range v.nodes {
		if v.find(i) != c || n.op != p.Op || len(n.kids) != len(p.Kids) || seen[v.key(n)] {
			continue
		}
		seen[v.key(n)] = true
		partial := []map[int]int{s}
		for j, k := range p.Kids {
			var next []map[int]int
			for _, q := range partial {
				next = append(next, v.match(k, v.find(n.kids[j]), q)...)
			}
			partial = next
		}
		out = append(out, partial...)
	}
	return out
}

func (v *naive) instance(p Pattern, s map[int]int) int {
	if p.Var >= 0 {
		return s[p.Var]
	}
	var kids []int
	for _, k := range p.Kids {
		kids = append(kids, v.instance(k, s))
	}
	return v.add(p.Op, kids...)
}

// iterate applies all rules once and returns the number of matches.
func (v *naive) iterate(rules []Rule) int {
	found := v.matches(rules)
	for _, m := range found {
		v.union(m.root, v.instance(rules[m.rule].RHS, m.subst))
	}
	v.close()
	return len(found)
}
