package funcs

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
)

// finder writes the function that finds the first element that ends a run, in lanes of vectors of 256 bits.
type finder struct {
	*scope.Lines
	k *Run // of hits: what the condition reads
	t *kernel.Target
	p *kernel.Printer
	n int // lanes

	vector string // the letter of the vector that is looked at
}

// FindText is what stands for the function on vectors where there are none.
func (k *Run) FindText() string {
	hits := k.Until.Hits
	return fmt.Sprintf("\nfunc %[1]sEndKernel(%[2]s) int {\nreturn %[1]sEnd%[3]s\n}\n", k.Name, scope.Declared(hits.takes()), hits.passes(hits, nil, "", ""))
}

// WriteFinder writes the function in lanes, and for other machines a call of the plain one.
func (k *Run) WriteFinder(g *scope.Scope, u *VectorFile, calls *scope.Lines) {
	find := k.Until.Find
	if find == nil {
		return
	}
	calls.WriteString(k.FindText())
	g.Used = u.Used
	g.Use("archsimd")
	g.Use("bits")
	u.least = true
	w := &finder{Lines: &scope.Lines{}, k: k.Until.Hits, t: u.t, n: 256 / find.Bits}
	w.p = &kernel.Printer{Target: u.t, Leaf: w.leaf, Use: g.Use}
	w.function(k.Name, find)
	u.WriteString(w.String())
}

func (w *finder) leaf(v *kernel.Value) string {
	switch v.Op {
	case kernel.Load:
		return fmt.Sprintf("y%d%s", v.Imm, w.vector)
	case kernel.Place:
		return "place"
	}
	return w.k.Scalars[v.Imm].Name
}

// function writes the function in lanes. Four vectors at a time are asked for any hit, and then each of them.
func (w *finder) function(name string, find *forms.Hits) {
	lead := w.k.Streams[0].Name
	places := kernel.Uses([]*kernel.Value{find.Holds}, kernel.Place, 0)
	one, four := &scope.Lines{}, &scope.Lines{}
	w.vector = "a"
	w.load(one, find, 0)
	one.F("if hits := %s.ToBits(); hits != 0 {\nendVectors()\nreturn count - len(%s) + bits.TrailingZeros%s\n}", w.mask(find), lead, firstLane(find.Bits))
	if places {
		one.F("place = place.Add(ahead)")
	}
	var any []string
	for i := range 4 {
		w.vector = letter(i)
		w.load(four, find, i)
		any = append(any, w.mask(find))
	}
	four.F("if %s.Or(%s).Or(%s.Or(%s)).ToBits() != 0 {\nbreak\n}", any[0], any[1], any[2], any[3])

	w.F("\n// %[1]sEndKernel is %[1]sEnd on vectors.", name)
	w.F("func %sEndKernel(%s) int {\nif !atLeast256 || len(%s) < %d {\nreturn %sEnd%s\n}", name, scope.Declared(w.k.takes()), lead, w.n, name, w.k.passes(w.k, nil, "", ""))
	w.F("count := len(%s)", lead)
	for _, s := range w.k.Streams {
		w.F("%[1]s = %[1]s[:count:count]", s.Name)
	}
	for _, h := range w.p.Hoisted {
		w.F("%s", h)
	}
	if places {
		w.F(placesFromFirst)
	} else {
		w.loop(4, four)
	}
	w.loop(1, one)
	rest := ""
	if w.k.First {
		rest = " + count - len(" + lead + ")"
	}
	w.F("endVectors()\nreturn count - len(%s) + %sEnd%s\n}", lead, name, w.k.passes(w.k, nil, "", rest))
}

// loop writes a loop over so many vectors at a time, of which several leave an element or more: the compiler advances by an addition then, as
// vectorWriter.clamp says.
func (w *finder) loop(vectors int, body *scope.Lines) {
	while := ">="
	if vectors > 1 {
		while = ">"
	}
	var conds, names, rests []string
	for _, s := range w.k.Streams {
		conds = append(conds, fmt.Sprintf("len(%s) %s %d", s.Name, while, vectors*w.n))
		names, rests = append(names, s.Name), append(rests, fmt.Sprintf("%s[%d:]", s.Name, vectors*w.n))
	}
	w.F("for ; %s; %s = %s {\n%s}", strings.Join(conds, " && "), strings.Join(names, ", "), strings.Join(rests, ", "), body.String())
}

// load loads vector i of the streams that the condition reads.
func (w *finder) load(b *scope.Lines, find *forms.Hits, i int) {
	for s, stream := range w.k.Streams {
		if kernel.Uses([]*kernel.Value{find.Holds}, kernel.Load, s) {
			from := stream.Name
			if i > 0 {
				from += fmt.Sprintf("[%d:]", i*w.n)
			}
			if stream.Call.Type() == ir.Bool {
				from = w.p.Use.Name("bytesOf") + "(" + from + ")"
			}
			b.F("y%d%s := %s", s, w.vector, w.t.Load(kernel.LaneType(stream.Call.Type()), from))
		}
	}
}

// mask is the lanes that hold, as a mask that becomes bits on AVX2: of 16 bits that of their bytes does.
func (w *finder) mask(find *forms.Hits) string {
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
