package programs

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// reads are the ways to read an input at coordinates, the contiguous one first. A coordinate c is over [least, least + n).
var reads = []struct {
	what string
	// index returns the indices and the extents that they need, of the coordinates of the function and of the domain.
	index func(pure, red []coordinate) (index []string, extents []int)
}{
	{"all", func(pure, red []coordinate) ([]string, []int) { return plain(append(slices.Clone(pure), red...)) }},
	{"domain first", func(pure, red []coordinate) ([]string, []int) { return plain(append(slices.Clone(red), pure...)) }},
	{"domain", func(_, red []coordinate) ([]string, []int) { return plain(red) }},
	{"function", func(pure, red []coordinate) ([]string, []int) {
		if len(pure) == 0 {
			return plain(red[:1])
		}
		return plain(pure)
	}},
	{"shifted", func(pure, red []coordinate) ([]string, []int) {
		index, extents := plain(append(slices.Clone(pure), red...))
		last := len(index) - 1
		index[last] += " + 1"
		extents[last]++
		return index, extents
	}},
	{"backward", func(pure, red []coordinate) ([]string, []int) {
		index, extents := plain(append(slices.Clone(red[:1]), pure...))
		index[0] = fmt.Sprintf("%d - %s", red[0].least+red[0].n-1, index[0])
		return index, extents
	}},
	{"one", func(_, _ []coordinate) ([]string, []int) { return []string{"2"}, []int{3} }},
	{"strided", func(pure, red []coordinate) ([]string, []int) {
		index, extents := plain(append(slices.Clone(red[:1]), pure...))
		index[0], extents[0] = index[0]+"*2", 2*extents[0]
		return index, extents
	}},
}

// coordinate is a loop of the program.
type coordinate struct {
	name     string
	least, n int
}

func plain(cs []coordinate) (index []string, extents []int) {
	for _, c := range cs {
		index, extents = append(index, c.name), append(extents, c.least+c.n)
	}
	return index, extents
}

// lefts are computed left sides; K is the number of elements, I an input or the coordinate.
var lefts = []string{"R % K", "clamp(I, 0, K - 1)", "I % K", "K - 1 - R % K", "clamp(I, 1, K)"}

// coordinates returns those of the function and of the domain.
func (w *whole) coordinates() (pure, red []coordinate) {
	for i, n := range w.size[0] {
		pure = append(pure, coordinate{[]string{"x", "y", "z"}[i], 0, n})
	}
	for i, n := range w.size[1] {
		name := "r"
		if w.red > 1 {
			name = "r." + []string{"x", "y", "z"}[i]
		}
		red = append(red, coordinate{name, w.least[i], n})
	}
	return pure, red
}

// read returns the indices at which an input is read, and its extents. Series of a scan are read at all places.
func (w *whole) read(name string) ([]string, []int) {
	pure, red := w.coordinates()
	if name == "key" {
		return plain(red)
	}
	return reads[w.index[name]].index(pure, red)
}

var variable = regexp.MustCompile(`\b(x\d+|[yck][a-z0-9]*|p|r\.[xyzw]|r)\b(?:\()?`)

// concrete replaces the variables of an abstract expression. A name before a parenthesis is a function, and stays.
func (w *whole) concrete(text string, state func(i int) string) string {
	names := map[string]bool{}
	for _, d := range w.declarations() {
		names[d.name] = true
	}
	_, red := w.coordinates()
	return variable.ReplaceAllStringFunc(text, func(name string) string {
		switch {
		case strings.HasSuffix(name, "("):
			return name
		case name == "p":
			return w.position()
		case name[0] == 'r':
			if i := strings.IndexByte("xyz", name[len(name)-1]); i >= 0 && i < len(red) {
				return red[i].name
			}
			return red[0].name
		case !names[name]:
			return name
		case name[0] == 'k':
			return w.shown(name)
		case name[0] == 'x':
			i, _ := strconv.Atoi(name[1:])
			return state(i)
		}
		index, _ := w.read(name)
		return w.shown(name) + "(" + strings.Join(index, ", ") + ")"
	})
}

// position is a coordinate of the function as a value; the domain's where it has none.
func (w *whole) position() string {
	pure, red := w.coordinates()
	if len(pure) > 0 {
		return pure[len(pure)-1].name
	}
	return red[0].name
}

// leftSide returns the arguments of the definition, and those at which it reads the state.
func (w *whole) leftSide() (args, before []string) {
	pure, red := w.coordinates()
	names, _ := plain(pure)
	switch w.kind {
	case "keyed":
		input := red[0].name
		if of := w.inputs(); len(of) > 0 && of[0].t.IsInt() {
			index, _ := w.read(of[0].name)
			input = "i32(" + w.shown(of[0].name) + "(" + strings.Join(index, ", ") + "))"
		}
		left := strings.NewReplacer("R", red[0].name, "I", input, "K", strconv.Itoa(w.keys)).Replace(lefts[w.left])
		return []string{left}, []string{left}
	case "scan":
		to, from := "r", "r - 1"
		switch w.form {
		case exclusive:
			to, from = "r + 1", "r"
		case backward:
			end := strconv.Itoa(w.least[0] + w.size[1][0])
			to, from = end+" - r", end+" - r + 1"
		}
		return append(slices.Clone(names), to), append(slices.Clone(names), from)
	case "kept":
		return []string{"pos++"}, nil
	}
	return names, names
}

// text is the source of the program.
func (w *whole) text() string {
	if w.source != "" {
		return w.source
	}
	var b strings.Builder
	pure, red := w.coordinates()
	for _, d := range w.inputs() {
		_, extents := w.read(d.name)
		fmt.Fprintf(&b, "ImageParam %s(%s, %d);\n", w.shown(d.name), d.t, len(extents))
	}
	for _, d := range w.declarations() {
		if d.name[0] == 'k' {
			fmt.Fprintf(&b, "Param<%s> %s;\n", d.t, w.shown(d.name))
		}
	}
	functions := "f"
	if w.kind == "kept" {
		functions += ", pos"
	}
	if w.tailText() != "" {
		functions += ", g"
	}
	fmt.Fprintf(&b, "Func %s; Var %s;\n", functions, strings.Join(append([]string{"x", "y", "z", "q"}, w.declared...), ", "))
	var dims []string
	for i, c := range red {
		extent := strconv.Itoa(c.n)
		if i == len(red)-1 && w.bound != "" {
			extent = w.shown(w.bound) + "." + []string{"width", "height", "channels"}[min(len(pure)+i, 2)] + "()"
			if c.least > 0 {
				extent += fmt.Sprintf(" - %d", c.least)
			}
			if len(pure)+i > 2 {
				extent = strconv.Itoa(c.n)
			}
		}
		dims = append(dims, strconv.Itoa(c.least), extent)
	}
	fmt.Fprintf(&b, "RDom r(%s);\n", strings.Join(dims, ", "))
	args, before := w.leftSide()
	state := func(i int) string {
		s := "f(" + strings.Join(before, ", ") + ")"
		if w.kind == "scan" && w.form == twoBack && i%2 == 1 {
			s = strings.Replace(s, "r - 1", "r - 2", 1)
		}
		if len(w.values) > 1 {
			s += fmt.Sprintf("[%d]", i)
		}
		return s
	}
	if w.kind == "kept" {
		state = func(i int) string { return w.init[i] } // a step reads nothing that it writes
	}
	if w.where != "" {
		fmt.Fprintf(&b, "r.where(%s);\n", w.concrete(strings.ReplaceAll(w.where, "R", red[0].name), state))
	}
	of := []string{"x", "y", "z"}[:w.pure]
	if w.kind == "keyed" || w.kind == "scan" {
		of = append(slices.Clone(of), "q")
	}
	if w.kind != "kept" {
		fmt.Fprintf(&b, "f(%s) = {%s};\n", strings.Join(of, ", "), strings.Join(w.init, ", "))
	}
	var values []string
	for _, v := range w.values {
		values = append(values, w.concrete(v, state))
	}
	until := ""
	if w.until != "" {
		until = " until " + w.concrete(strings.ReplaceAll(w.until, "R", red[0].name), state)
	}
	fmt.Fprintf(&b, "f(%s) = {%s}%s;\n", strings.Join(args, ", "), strings.Join(values, ", "), until)
	b.WriteString(w.tailText())
	for _, d := range w.schedule {
		b.WriteString(d + "\n")
	}
	return b.String()
}

// tailText defines a function that reads f.
func (w *whole) tailText() string {
	at := make([]string, w.pure)
	for i := range at {
		at[i] = []string{"x", "y", "z"}[i]
	}
	first := ""
	if len(w.values) > 1 || w.until != "" {
		first = "[0]"
	}
	switch {
	case w.tail == "same" && w.kind == "reduce", w.tail == "same" && w.kind == "columns":
		args := strings.Join(at, ", ")
		return fmt.Sprintf("g(%s) = f(%s)%s;\n", args, args, first)
	case w.tail == "sum" && w.kind == "columns" && w.pure == 1:
		return fmt.Sprintf("RDom t(0, %d);\ng() = %s;\ng() = max(g(), f(t)%s);\n", w.size[0][0], w.init[0], first)
	}
	return ""
}

// features lists what the program has, for the table of pairs.
func (w *whole) features() []string {
	if w.source != "" {
		return nil
	}
	all := map[string]bool{w.kind: true, "mode " + w.mode: true, "assume " + w.assume: true}
	add := func(is bool, name string) {
		if is {
			all[name] = true
		}
	}
	for _, d := range w.declarations() {
		if d.name[0] == 'x' {
			all["state "+class(d.t)] = true
		}
		add(d.t == ir.Bool && d.name[0] != 'x', "bool input")
	}
	add(len(w.values) > 1, "tuple")
	add(w.red > 1, "domain of 2 or 3")
	add(w.pure > 1, "function of 2 or 3")
	add(w.where != "", "where")
	add(w.until != "", "until")
	add(len(w.names) > 0, "names in use")
	add(w.given != "", "given")
	add(w.tailText() != "", "second function")
	text := w.text()
	add(strings.Contains(strings.Join(w.values, " "), "p") && strings.Contains(w.types, "p:i32"), "coordinate as value")
	add(slices.Contains(w.size[0], 0) || slices.Contains(w.size[1], 0), "no elements")
	for _, name := range []string{"split", "fuse", "reorder", "tile", "parallel", "vectorize", "unroll", "rfactor", "scan", "compute_at"} {
		add(strings.Contains(text, "."+name+"("), name)
	}
	return slices.Sorted(maps.Keys(all))
}

func class(t ir.Type) string {
	switch {
	case t.IsFloat():
		return "float"
	case t == ir.Bool:
		return "bool"
	case t.Bits() < 32:
		return "narrow"
	}
	return "integer"
}
