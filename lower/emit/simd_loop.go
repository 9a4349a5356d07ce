package emit

import (
	"fmt"
	"strings"
)

// loopText is the loop of a kernel over whole vectors.
type loopText struct {
	parts   int    // in which the streams are cut, all of which a step advances in; 1 where they are read from first to last
	vectors int    // that a step takes, from the parts in turn
	body    string // of a step
	one     string // of a step that takes one vector, for what long steps leave; empty where only long steps are taken
}

// bodyOf is the loads and updates of a number of vectors; chain writes those of vector j.
func bodyOf(parts, vectors int, chain func(b *strings.Builder, parts, j int)) string {
	var b strings.Builder
	for j := range vectors {
		chain(&b, parts, j)
	}
	return b.String()
}

// partsLoop is the loop that takes each chain twice in a step. Where bitwise tells of the text for one vector that chains are of bitwise
// operations it takes each once: two of a chain become one instruction on 512 bits, which Go 1.27 does not assemble where it reads memory.
func (k *kernel) partsLoop(chains int, bitwise func(one string) bool, chain func(b *strings.Builder, parts, j int)) loopText {
	one, vectors := bodyOf(1, 1, chain), 2*chains
	if bitwise(one) {
		vectors = chains
	}
	parts := k.parts(vectors)
	return loopText{parts: parts, vectors: vectors, body: bodyOf(parts, vectors, chain), one: one}
}

// parts is in how many parts loops read their streams at once, for so many vectors a step. Processors fetch ahead of each place
// that is read, up to the end of a page: four places at once are a third faster than one where arrays are in memory.
func (k *kernel) parts(vectors int) int {
	parts := 4
	for parts*len(k.streams) > maxPlaces || vectors%parts > 0 {
		parts /= 2
	}
	return max(parts, 1)
}

// maxPlaces is from how many places of memory a loop reads at once.
const maxPlaces = 8

// vectorAt is what vector j of a step is loaded from.
func vectorAt(name string, parts, j int) string {
	if parts > 1 {
		name, j = fmt.Sprintf("%sPart%d", name, j%parts), j/parts
	}
	switch j {
	case 0:
		return name
	case 1:
		return name + "[n:]"
	}
	return fmt.Sprintf("%s[%d*n:]", name, j)
}

// clamp gives the streams of a kernel one length and capacity. The compiler then sees that what is left behind a
// step has elements, and advances a pointer by addition alone, where it otherwise takes five instructions to keep
// the pointer from the end of the array: a fourth of the loop of a sum.
func (k *kernel) clamp(g *generator) {
	for _, s := range k.streams {
		g.file.printf("%[1]s = %[1]s[:len(%[2]s):len(%[2]s)]\n", s.name, k.streams[0].name)
	}
}

// write writes the loop over the streams; part is what their names end in.
func (l loopText) write(g *generator, k *kernel, part string) {
	var names []string
	for _, s := range k.streams {
		names = append(names, s.name+part)
	}
	switch {
	case l.one == "":
		writeLoop(g, names, ">=", l.vectors, l.body)
		return
	case l.parts > 1:
		l.writeParts(g, names)
	default:
		writeLoop(g, names, ">", l.vectors, l.body) // > as clamp says
	}
	writeLoop(g, names, ">=", 1, l.one)
}

// writeParts writes the loop over parts. Each overlaps the next one in an element, as clamp says.
func (l loopText) writeParts(g *generator, names []string) {
	g.file.printf("part := (len(%s) - 1) / (%d*n) * (%d*n)\n", names[0], l.vectors, l.vectors/l.parts)
	var parts []string
	for _, name := range names {
		for i := range l.parts {
			from := []string{"", "[part:]", "[2*part:]", "[3*part:]"}[i]
			parts = append(parts, fmt.Sprintf("%sPart%d", name, i))
			g.file.printf("%sPart%d := %s%s[:part+1 : part+1]\n", name, i, name, from)
		}
	}
	writeLoop(g, parts, ">", l.vectors/l.parts, l.body)
	for _, name := range names {
		g.file.printf("%[1]s = %[1]s[%[2]d*part:]\n", name, l.parts)
	}
}

// writeLoop writes the loop that advances in some slices by so many vectors.
func writeLoop(g *generator, names []string, reach string, vectors int, body string) {
	step := "n"
	if vectors > 1 {
		step = fmt.Sprintf("%d*n", vectors)
	}
	var conds, rests []string
	for _, name := range names {
		conds = append(conds, fmt.Sprintf("len(%s) %s %s", name, reach, step))
		rests = append(rests, fmt.Sprintf("%s[%s:]", name, step))
	}
	g.file.printf("for ; %s; %s = %s {\n%s}\n", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "), body)
}
