package egraph

// Applying matches one by one waits for memory at every lookup in a large
// table. Looking at the slots of many matches first lets these waits overlap:
// the loads do not depend on each other, and nothing branches on them.

const warmMatches = 64 // looked at in advance

var warmFrom = 1 << 15 // slots; smaller tables are in cache anyway. A variable for tests

// warm reads the slots that the matches from place at on will look up, and
// returns the place of the first match it left out.
func (g *Graph) warm(r *runner, at int) int {
	end := at
	for range warmMatches {
		if end >= len(r.found) {
			break
		}
		end += r.words(int(r.found[end]))
	}
	r.places, r.ids = r.places[:0], r.ids[:0]
	for p := at; p < end; {
		p = g.warmFirst(r, p)
	}
	r.touched = g.table.touch(r.places)
	r.places = r.places[:0]
	for p := at; p < end; {
		p = g.warmSecond(r, p)
	}
	r.touched = g.table.touch(r.places)
	return end
}

// touch reads slots: a loop so short that many reads are under way at once.
func (t *hashcons) touch(places []uint32) (sum uint32) {
	mask := uint32(len(t.slots) - 1)
	for _, p := range places {
		sum ^= t.slots[p&mask].id
	}
	return sum
}

// words returns the length of a rule's matches in found.
func (r *runner) words(rule int) int {
	n := 2 + r.rs.applies[rule].vars
	if r.proofs {
		n += len(r.rs.prog.yields[rule].nodes)
	}
	return n
}

// warmFirst notes the slots of the nodes over variables that a match needs. It
// returns the place of the next match.
func (g *Graph) warmFirst(r *runner, at int) int {
	rule := int(r.found[at])
	a := &r.rs.applies[rule]
	vals := g.load(r.found[at+2:], a)
	for i := range a.build {
		if b := &a.build[i]; b.level == 0 {
			r.places = append(r.places, g.placeOf(b, vals))
		}
	}
	return at + r.words(rule)
}

// warmSecond looks these nodes up, for build to use, and notes the slots of the
// nodes over them.
func (g *Graph) warmSecond(r *runner, at int) int {
	rule := int(r.found[at])
	a := &r.rs.applies[rule]
	if a.levels < 2 {
		for range a.build {
			r.ids = append(r.ids, NoClass)
		}
		return at + r.words(rule)
	}
	vals := g.load(r.found[at+2:], a)
	for i := range a.build {
		b := &a.build[i]
		id := NoClass
		if b.level == 0 {
			key, rest := g.builderKey(b, vals)
			if n, _, ok := g.probe(hash(key, rest), key, rest); ok {
				id = Class(n)
			}
		} else if b.level == 1 && known(b, vals) {
			r.places = append(r.places, g.placeOf(b, vals))
		}
		vals = append(vals, id)
		r.ids = append(r.ids, id)
	}
	g.vals = vals
	return at + r.words(rule)
}

// load puts the variables of a match into the scratch values.
func (g *Graph) load(words []uint32, a *applier) []Class {
	vals := g.vals[:0]
	for _, c := range words[:a.vars] {
		vals = append(vals, Class(c))
	}
	g.vals = vals
	return vals
}

func (g *Graph) placeOf(b *builder, vals []Class) uint32 {
	key, rest := g.builderKey(b, vals)
	return uint32(hash(key, rest) >> g.table.shift)
}

// known reports whether all children of a node to build have a class.
func known(b *builder, vals []Class) bool {
	for _, k := range b.kids {
		if vals[k] == NoClass {
			return false
		}
	}
	return true
}

func (g *Graph) builderKey(b *builder, vals []Class) (record, []record) {
	var kids [8]Class
	ks := kids[:0]
	for _, k := range b.kids {
		ks = append(ks, vals[k])
	}
	return g.key(b.op, ks)
}
