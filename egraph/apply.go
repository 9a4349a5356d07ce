package egraph

// applyFound applies the matches collected so far; false if the run must end.
// The index stays as it is: the search goes on in it.
func (g *Graph) applyFound(r *runner, m *machine) bool {
	warmed, ids := 0, []Class(nil)
	for at := 0; at < len(r.found); {
		if at >= warmed && len(g.table.slots) >= warmFrom {
			warmed = g.warm(r, at)
			ids = r.ids
		}
		rule := int(r.found[at])
		root := Class(r.found[at+1])
		vars := at + 2
		nodes := vars + r.rs.applies[rule].vars
		at += r.words(rule)
		g.applyOne(r, rule, root, r.found[vars:nodes], r.found[nodes:at], ids)
		if ids != nil {
			ids = ids[len(r.rs.applies[rule].build):]
		}
		if r.limits.Nodes > 0 && g.live > r.limits.Nodes {
			m.poller.why = NodeLimit
			return false
		}
		if g.work > closeAfter || len(g.dirty) > closeAfter {
			g.Rebuild()
		}
		if m.poller.budget--; m.poller.budget < 0 && m.poller.poll() {
			return false
		}
	}
	r.found = r.found[:0]
	return true
}

// applyOne makes the right side of a rule equal to the root of a match.
func (g *Graph) applyOne(r *runner, rule int, root Class, subst, nodes []uint32, ids []Class) {
	a := &r.rs.applies[rule]
	g.load(subst, a)
	var result Class
	if a.pure {
		if g.forest != nil {
			g.bindNodes(a, root, nodes)
		}
		result = g.build(a, ids)
	} else {
		var ok bool
		if result, ok = g.ask(&r.rs.rules[rule], a, root, nodes, ids); !ok {
			return
		}
	}
	ra, rb := g.Find(root), g.Find(result)
	if ra == rb {
		return
	}
	if g.forest != nil {
		from := Node(root)
		if r.rs.rules[rule].LHS.Var < 0 {
			from = Node(nodes[0])
		}
		why := g.forest.ruled(rule, from, nodes, g.vals[a.vars:], result)
		g.forest.connect(from, Node(result), ra, rb, why)
	}
	g.merge(ra, rb)
}

// ask applies a rule with a condition or a computed right side.
func (g *Graph) ask(rule *Rule, a *applier, root Class, nodes []uint32, ids []Class) (Class, bool) {
	vals := g.vals
	for i, c := range vals {
		if c != NoClass {
			vals[i] = g.Find(c)
		}
	}
	if rule.Cond != nil && !rule.Cond(g, vals) {
		return 0, false
	}
	if rule.Apply != nil {
		return rule.Apply(g, g.Find(root), vals)
	}
	if g.forest != nil {
		g.bindNodes(a, root, nodes)
	}
	return g.build(a, ids), true
}

// build adds the right side; the values of the variables are in g.vals, and ids
// has what warm found already, if it ran.
func (g *Graph) build(a *applier, ids []Class) Class {
	vals := g.vals
	var kids [8]Class
	for i := range a.build {
		if ids != nil && ids[i] != NoClass {
			vals = append(vals, ids[i])
			continue
		}
		b := &a.build[i]
		ks := kids[:0]
		for _, k := range b.kids {
			ks = append(ks, vals[k])
		}
		vals = append(vals, Class(g.add(b.op, ks)))
	}
	g.vals = vals
	return vals[a.result]
}

// bindNodes makes the variables stand for the terms that were matched, so that
// a proof need not explain why these equal the classes' founders.
func (g *Graph) bindNodes(a *applier, root Class, nodes []uint32) {
	for v, s := range a.sources {
		if s.node < 0 {
			g.vals[v] = root
		} else {
			g.vals[v] = Class(g.forest.kid(Node(nodes[s.node]), int(s.kid)))
		}
	}
}
