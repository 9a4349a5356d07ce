package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// finder writes the function that finds the first element that ends a run, in lanes of vectors of 256 bits.
type finder struct {
	*lines
	k *run // of hits: what the condition reads
	t *kernel.Target
	p *kernel.Printer
	n int // lanes

	vector string // the letter of the vector that is looked at
}

// findText is what stands for the function on vectors where there are none.
func (k *run) findText() string {
	hits := k.until.hits
	return fmt.Sprintf("\nfunc %[1]sEndKernel(%[2]s) int {\nreturn %[1]sEnd%[3]s\n}\n", k.name, declared(hits.takes()), hits.passes(hits, nil, "", ""))
}

// writeFinder writes the function in lanes, and for other machines a call of the plain one.
func (k *run) writeFinder(g *glossary, u *vectorFile, calls *lines) {
	find := k.until.find
	if find == nil {
		return
	}
	calls.WriteString(k.findText())
	g.used = u.used
	g.use("archsimd")
	g.use("bits")
	u.least = true
	w := &finder{lines: &lines{}, k: k.until.hits, t: u.t, n: 256 / find.Bits}
	w.p = &kernel.Printer{Target: u.t, Leaf: w.leaf, Use: g.use}
	w.function(k.name, find)
	u.WriteString(w.String())
}

func (w *finder) leaf(v *kernel.Value) string {
	switch v.Op {
	case kernel.Load:
		return fmt.Sprintf("y%d%s", v.Imm, w.vector)
	case kernel.Place:
		return "place"
	}
	return w.k.scalars[v.Imm].name
}

// function writes the function in lanes. Four vectors at a time are asked for any hit, and then each of them.
func (w *finder) function(name string, find *kernel.Hits) {
	lead := w.k.streams[0].name
	places := kernel.Uses([]*kernel.Value{find.Holds}, kernel.Place, 0)
	one, four := &lines{}, &lines{}
	w.vector = "a"
	w.load(one, find, 0)
	one.f("if hits := %s.ToBits(); hits != 0 {\nendVectors()\nreturn count - len(%s) + bits.TrailingZeros%s\n}", w.mask(find), lead, firstLane(find.Bits))
	if places {
		one.f("place = place.Add(ahead)")
	}
	var any []string
	for i := range 4 {
		w.vector = letter(i)
		w.load(four, find, i)
		any = append(any, w.mask(find))
	}
	four.f("if %s.Or(%s).Or(%s.Or(%s)).ToBits() != 0 {\nbreak\n}", any[0], any[1], any[2], any[3])

	w.f("\n// %[1]sEndKernel is %[1]sEnd on vectors.", name)
	w.f("func %sEndKernel(%s) int {\nif !atLeast256 || len(%s) < %d {\nreturn %sEnd%s\n}", name, declared(w.k.takes()), lead, w.n, name, w.k.passes(w.k, nil, "", ""))
	w.f("count := len(%s)", lead)
	for _, s := range w.k.streams {
		w.f("%[1]s = %[1]s[:count:count]", s.name)
	}
	for _, h := range w.p.Hoisted {
		w.f("%s", h)
	}
	if places {
		w.f(placesFromFirst)
	} else {
		w.loop(4, four)
	}
	w.loop(1, one)
	rest := ""
	if w.k.first {
		rest = " + count - len(" + lead + ")"
	}
	w.f("endVectors()\nreturn count - len(%s) + %sEnd%s\n}", lead, name, w.k.passes(w.k, nil, "", rest))
}

// loop writes a loop over so many vectors at a time, of which several leave an element or more: the compiler advances by an addition then, as
// vectorWriter.clamp says.
func (w *finder) loop(vectors int, body *lines) {
	while := ">="
	if vectors > 1 {
		while = ">"
	}
	var conds, names, rests []string
	for _, s := range w.k.streams {
		conds = append(conds, fmt.Sprintf("len(%s) %s %d", s.name, while, vectors*w.n))
		names, rests = append(names, s.name), append(rests, fmt.Sprintf("%s[%d:]", s.name, vectors*w.n))
	}
	w.f("for ; %s; %s = %s {\n%s}", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "), body.String())
}

// load loads vector i of the streams that the condition reads.
func (w *finder) load(b *lines, find *kernel.Hits, i int) {
	for s, stream := range w.k.streams {
		if kernel.Uses([]*kernel.Value{find.Holds}, kernel.Load, s) {
			from := stream.name
			if i > 0 {
				from += fmt.Sprintf("[%d:]", i*w.n)
			}
			if stream.call.Type() == ir.Bool {
				from = w.p.Use.Name("bytesOf") + "(" + from + ")"
			}
			b.f("y%d%s := %s", s, w.vector, w.t.Load(kernel.LaneType(stream.call.Type()), from))
		}
	}
}

// mask is the lanes that hold, as a mask that becomes bits on AVX2: of 16 bits that of their bytes does.
func (w *finder) mask(find *kernel.Hits) string {
	text := w.p.Text(find.Holds)
	if find.Bits == 16 {
		text += ".ToInt16x16().ToBits().ReshapeToUint8s().BitsToInt8().ToMask()"
	}
	return text
}

// firstLane is the first lane of hits whose bit is set, behind the name of a function that counts zeros.
func firstLane(bits int) string {
	switch bits {
	case 8:
		return "32(hits)"
	case 16: // of two bits a lane
		return "32(hits) / 2"
	}
	return "8(hits)"
}
