package emit

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// A tile is so many rows by so many vectors: with a vector for what does not move along a row and two
// for the streams these are as many as the 15 vector registers that Go has on amd64 without AVX-512.
func (d *dense) tileRows() int {
	switch c := len(d.nest.Buffer.Types); {
	case c == 1 && len(d.uniforms) == 1:
		return 5
	case c == 1:
		return 4
	case c == 2:
		return 2
	}
	return 1
}

const (
	tileVectors  = 2
	plainRows    = 2 // of a tile without vectors
	plainColumns = 4
	unrolled     = 4 // steps of the loops over k that are written out
)

// lines writes lines.
type lines struct{ strings.Builder }

func (l *lines) f(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// list is f of each of n numbers, with commas between.
func list(n int, f func(int) string) string {
	var words []string
	for i := range n {
		words = append(words, f(i))
	}
	return strings.Join(words, ", ")
}

// portable writes the loops over tiles and rows, and both in plain Go.
func (d *dense) portable(g *generator) {
	decls, names := d.params()
	args := strings.Join(names, ", ")
	b := &lines{}
	if d.tiles {
		d.blocks(b, decls)
		d.plainTile(b)
	}
	d.sweeps(b, decls)
	d.plainSweep(b)
	b.f("\n// %sPortable updates h rows of w elements with n steps, from row y and step k on.", d.name)
	b.f("// The functions give a row of the result, what a row has in common at some steps, and a row that is read.")
	b.f("func %sPortable(%s) {", d.name, declared(decls))
	if d.tiles {
		b.f("if h >= %d {\n%sTiles(%s, %d, %d, 1, %sEach, %sTilePortable)\nreturn\n}", plainRows, d.name, args, plainRows, plainColumns, d.name, d.name)
	}
	b.f("%sSweeps(%s, %sSweepPortable)\n}", d.name, args, d.name)
	g.file.printf("%s", b.String())
}

// blocks writes the loops over tiles. Steps and columns are taken in blocks, whose operands are copied
// to where a tile reads them one behind another.
func (d *dense) blocks(b *lines, decls []string) {
	t, us, ss, cs := goTypes[d.t], len(d.uniforms), len(d.streams), len(d.nest.Buffer.Types)
	b.f(`
// %[1]sTiles updates tiles of rows by columns. A value that a row has in common is repeated in so many
// lanes. Each element gets its values in the order of the steps.
func %[1]sTiles(%[2]s, rows, columns, lanes int, each func(to []%[3]s, stride int, from []%[3]s), tile func(c [][]%[3]s, at int, a, b []%[3]s)) {
	const steps, wide = 512, 1024
	if w <= 0 || h <= 0 || n <= 0 {
		return
	}
	depth := min(n, steps)
	width := min((w+columns-1)/columns*columns, wide)
	size := rows*%[4]d*depth*lanes
	scratch, ok := %[1]sScratch.Get().(*[]%[3]s)
	if total := depth + size + %[5]d*depth*(width+columns); !ok || len(*scratch) < total {
		fresh := make([]%[3]s, total)
		scratch = &fresh
	}
	defer %[1]sScratch.Put(scratch)
	values, left, right := (*scratch)[:depth], (*scratch)[depth:][:size], (*scratch)[depth+size:]
	c, edge := make([][]%[3]s, %[6]d*rows), make([][]%[3]s, %[6]d*rows)
	for i := range edge {
		edge[i] = make([]%[3]s, columns)
	}
	for x := 0; x < w; x += width {
		width := min(width, w-x)
		for from := 0; from < n; from += depth {
			count := min(depth, n-from)
			for i := range count {`, d.name, declared(decls), t, us, ss, cs)
	for s := range ss {
		b.f(`for at, row := i*columns*%[1]d+%[2]d*columns, b%[2]d(y, k+from+i)[x:][:width]; len(row) > 0; at += columns * %[1]d * count {
			row = row[copy(right[at:at+columns], row):]
		}`, ss, s)
	}
	b.f("}\nfor top := 0; top < h; top += rows {\nm := min(rows, h-top)\nfor r := range m {")
	for u := range us {
		b.f("a%[1]d(y+top+r, k+from, values[:count])\neach(left[(%[1]d*rows+r)*lanes:], %[2]d*rows*lanes, values[:count])", u, us)
	}
	for c := range cs {
		b.f("c[%[1]d*rows+r] = c%[1]d(y + top + r)[x:][:width]", c)
	}
	b.f(`}
			a := left[:rows*%[1]d*count*lanes]
			for at := 0; at < width; at += columns {
				b := right[at*%[2]d*count:][:columns*%[2]d*count]
				if m == rows && width-at >= columns {
					tile(c, at, a, b)
					continue
				}
				for r := range m {`, us, ss)
	for c := range cs {
		b.f("copy(edge[%[1]d*rows+r], c[%[1]d*rows+r][at:])", c)
	}
	b.f("}\ntile(edge, 0, a, b)\nfor r := range m {")
	for c := range cs {
		b.f("copy(c[%[1]d*rows+r][at:], edge[%[1]d*rows+r])", c)
	}
	b.f("}\n}\n}\n}\n}\n}")
	b.f("\n// %[1]sScratch keeps copies of operands for the next call: fresh memory costs more than copying.\nvar %[1]sScratch sync.Pool // of *[]%[2]s", d.name, t)
	b.f("\n// %[1]sEach puts values so far apart.\nfunc %[1]sEach(to []%[2]s, stride int, from []%[2]s) {\nfor i, v := range from {\nto[i*stride] = v\n}\n}", d.name, t)
}

// accumulator is the name of an element of a tile.
func accumulator(comp, row, column int) string { return fmt.Sprintf("x%d_%d_%d", comp, row, column) }

// plainTile writes a tile whose elements are variables.
func (d *dense) plainTile(b *lines) {
	t, us, ss, cs := goTypes[d.t], len(d.uniforms), len(d.streams), len(d.nest.Buffer.Types)
	b.f("\n// %sTilePortable updates %d rows of %d elements.", d.name, plainRows, plainColumns)
	b.f("func %sTilePortable(c [][]%s, at int, a, b []%s) {", d.name, t, t)
	each := func(f func(comp, row, column int)) {
		for comp := range cs {
			for r := range plainRows {
				for v := range plainColumns {
					f(comp, r, v)
				}
			}
		}
	}
	row := func(comp, r int) string { return fmt.Sprintf("c%d_%d", comp, r) }
	for comp := range cs {
		for r := range plainRows {
			b.f("%s := c[%d][at:][:%d]", row(comp, r), comp*plainRows+r, plainColumns)
		}
	}
	each(func(comp, r, v int) { b.f("%s := %s[%d]", accumulator(comp, r, v), row(comp, r), v) })
	b.f("for len(a) >= %d && len(b) >= %d {", plainRows*us, plainColumns*ss)
	for r := range plainRows {
		for v := range plainColumns {
			w := d.plainWriter(func(comp int) string { return accumulator(comp, r, v) })
			for u, e := range d.uniforms {
				w.temp[e] = fmt.Sprintf("a[%d]", u*plainRows+r)
			}
			for s, e := range d.streams {
				w.temp[e.Call] = fmt.Sprintf("b[%d]", s*plainColumns+v)
			}
			d.assignAll(b, func(i int) string { return w.typed(d.nest.values[i]) }, func(i int) string { return accumulator(i, r, v) })
		}
	}
	b.f("a, b = a[%d:], b[%d:]\n}", plainRows*us, plainColumns*ss)
	each(func(comp, r, v int) { b.f("%s[%d] = %s", row(comp, r), v, accumulator(comp, r, v)) })
	b.f("}")
}

// assignAll writes the update of all components of one element.
func (d *dense) assignAll(b *lines, value, state func(comp int) string) {
	n := len(d.nest.values)
	left, right := list(n, state), list(n, value)
	if left != right {
		b.f("%s = %s", left, right)
	}
}

// sweeps writes the loop over rows, some steps at once.
func (d *dense) sweeps(b *lines, decls []string) {
	t, us, ss, cs := goTypes[d.t], len(d.uniforms), len(d.streams), len(d.nest.Buffer.Types)
	b.f(`
// %[1]sSweeps updates rows in parts that stay in the nearest cache, with a few steps at once.
func %[1]sSweeps(%[2]s, sweep func(%[3]s []%[4]s, a []%[4]s, b [][]%[4]s)) {
	const steps, wide = 16, 2048
	if w <= 0 || h <= 0 || n <= 0 {
		return
	}
	var a [steps * %[5]d]%[4]s
	var b [steps * %[6]d][]%[4]s`, d.name, declared(decls), list(cs, func(i int) string { return fmt.Sprintf("x%d", i) }), t, max(us, 1), ss)
	if us > 0 {
		b.f("var values [steps]%s", t)
	}
	b.f("for row := y; row < y+h; row++ {\nfor x := 0; x < w; x += wide {\nwidth := min(wide, w-x)")
	for c := range cs {
		b.f("x%[1]d := c%[1]d(row)[x:][:width]", c)
	}
	b.f("for from := 0; from < n; from += steps {\ncount := min(steps, n-from)")
	for u := range us {
		b.f("a%[1]d(row, k+from, values[:count])\nfor i, v := range values[:count] {\na[i*%[2]d+%[1]d] = v\n}", u, us)
	}
	b.f("for i := range count {")
	for s := range ss {
		b.f("b[i*%[2]d+%[1]d] = b%[1]d(row, k+from+i)[x:][:width]", s, ss)
	}
	b.f("}\nsweep(%s, a[:count*%d], b[:count*%d])\n}\n}\n}\n}", list(cs, func(i int) string { return fmt.Sprintf("x%d", i) }), us, ss)
}

// sweepHead begins the loop over groups of so many steps, with the values and rows of a group.
func (d *dense) sweepHead(b *lines, group int, uniform func(text string) string) {
	us, ss := len(d.uniforms), len(d.streams)
	b.f("for ; len(b) >= %[1]d; a, b = a[%[2]d:], b[%[1]d:] {", group*ss, group*us)
	for i := range group {
		for u := range us {
			b.f("y%d_%d := %s", u, i, uniform(fmt.Sprintf("a[%d]", i*us+u)))
		}
		for s := range ss {
			b.f("b%d_%d := b[%d][:len(c0)]", s, i, i*ss+s)
		}
	}
}

// plainPoint updates the element number i of a row with a group of steps.
func (d *dense) plainPoint(b *lines, group int, uniform func(text string) string) {
	cs := len(d.nest.Buffer.Types)
	b.f("%s := %s", list(cs, d.stateName), list(cs, func(c int) string { return fmt.Sprintf("c%d[i]", c) }))
	w := d.plainWriter(d.stateName)
	for i := range group {
		for u, e := range d.uniforms {
			w.temp[e] = uniform(fmt.Sprintf("%d_%d", u, i))
		}
		for s, e := range d.streams {
			w.temp[e.Call] = fmt.Sprintf("b%d_%d[i]", s, i)
		}
		d.assignAll(b, func(c int) string { return w.typed(d.nest.values[c]) }, d.stateName)
	}
	b.f("%s = %s", list(cs, func(c int) string { return fmt.Sprintf("c%d[i]", c) }), list(cs, d.stateName))
}

func (d *dense) sweepParams() string {
	t := goTypes[d.t]
	return fmt.Sprintf("%s, a []%s, b [][]%s", list(len(d.nest.Buffer.Types), func(i int) string { return fmt.Sprintf("c%d []%s", i, t) }), t, t)
}

// resliced lets the compiler know that all components have rows of one length.
func (d *dense) resliced(b *lines) {
	for c := 1; c < len(d.nest.Buffer.Types); c++ {
		b.f("c%[1]d = c%[1]d[:len(c0)]", c)
	}
}

func (d *dense) plainSweep(b *lines) {
	b.f("\n// %sSweepPortable updates a row with steps in their order.", d.name)
	b.f("func %sSweepPortable(%s) {", d.name, d.sweepParams())
	d.resliced(b)
	for _, group := range []int{unrolled, 1} {
		d.sweepHead(b, group, func(text string) string { return text })
		b.f("for i := range c0 {")
		d.plainPoint(b, group, func(at string) string { return "y" + at })
		b.f("}\n}")
	}
	b.f("}")
}

// vector writes the file's part on package simd.
func (d *dense) vector(g *generator) {
	b := &lines{}
	decls, names := d.params()
	args := strings.Join(names, ", ")
	v := simdVectors(d.t)
	b.f("\n// %[1]sDense is %[1]sPortable on vectors: each lane has an element of its own.", d.name)
	b.f("func %sDense(%s) {\nvar v simd.%s\nif simd.Emulated() {\n%sPortable(%s)\nreturn\n}\ndefer endVectors()", d.name, declared(decls), vecTypes[d.t], d.name, args)
	if d.tiles {
		b.f("if h >= %d {\n%sTiles(%s, %d, %d*v.Len(), v.Len(), %sSpread, %s)\nreturn\n}", min(d.tileRows(), 3), d.name, args, d.tileRows(), tileVectors, d.name, d.tileName())
	}
	b.f("if w < v.Len() {\n%sPortable(%s)\nreturn\n}\n%sSweeps(%s, %sSweep)\n}", d.name, args, d.name, args, d.name)
	if d.tiles {
		b.f("\n// %[1]sSpread puts values so far apart, each in all lanes of a vector.\nfunc %[1]sSpread(to []%[2]s, stride int, from []%[2]s) {\nfor i, v := range from {\n%[3]s(v).Store(to[i*stride:])\n}\n}", d.name, goTypes[d.t], v.broadcast)
		d.vectorTile(b, v, d.name+"Tile")
	}
	d.vectorSweep(b, v)
	g.file.printf("%s", b.String())
}

// vectorTile writes a tile whose elements are in vector registers.
func (d *dense) vectorTile(b *lines, v vectors, name string) {
	t, us, ss, cs, rows := goTypes[d.t], len(d.uniforms), len(d.streams), len(d.nest.Buffer.Types), d.tileRows()
	b.f("\n// %s updates %d rows of %d vectors.", name, rows, tileVectors)
	b.f("func %s(c [][]%s, at int, a, b []%s) {", name, t, t)
	if v.portable {
		b.f("var v simd.%s\nl := v.Len()", vecTypes[d.t])
	} else {
		b.f("const l = %s", v.lanes)
	}
	offset := func(i int) string {
		switch i {
		case 0:
			return ""
		case 1:
			return "l:"
		}
		return fmt.Sprintf("%d*l:", i)
	}
	part := func(of string, i int) string {
		if i == 0 {
			return of
		}
		return of + "[" + offset(i) + "]"
	}
	each := func(f func(comp, row, column int)) {
		for comp := range cs {
			for r := range rows {
				for j := range tileVectors {
					f(comp, r, j)
				}
			}
		}
	}
	for comp := range cs {
		for r := range rows {
			b.f("c%d_%d := c[%d][at:]", comp, r, comp*rows+r)
		}
	}
	each(func(comp, r, j int) {
		b.f("%s := %s(%s)", accumulator(comp, r, j), v.load, part(fmt.Sprintf("c%d_%d", comp, r), j))
	})
	body, w := &lines{}, d.vecWriter(v, d.stateName)
	for _, group := range []int{unrolled, 1} {
		body.f("for len(a) >= %d*l && len(b) >= %d*l {", group*us*rows, group*ss*tileVectors)
		for i := range group {
			body.f("{")
			for s := range ss {
				for j := range tileVectors {
					body.f("b%d_%d := %s(%s)", s, j, v.load, part("b", (i*ss+s)*tileVectors+j))
				}
			}
			for r := range rows {
				for u := range us {
					body.f("y%d_%d := %s(%s)", u, r, v.load, part("a", (i*us+u)*rows+r))
				}
				for j := range tileVectors {
					state := func(comp int) string { return accumulator(comp, r, j) }
					w.leaf = func(e ir.Expr) string {
						switch name := d.leaf(e, state); {
						case name == "" || name[0] == 'x':
							return name
						case name[0] == 'y':
							return fmt.Sprintf("%s_%d", name, r)
						default:
							return fmt.Sprintf("%s_%d", name, j)
						}
					}
					d.assignAll(body, func(i int) string { return w.vec(d.nest.values[i]) }, state)
				}
			}
			body.f("}")
		}
		body.f("a, b = a[%d*l:], b[%d*l:]\n}", group*us*rows, group*ss*tileVectors)
	}
	for _, h := range w.hoisted {
		b.f("%s", h)
	}
	b.WriteString(body.String())
	each(func(comp, r, j int) {
		b.f("%s.Store(%s)", accumulator(comp, r, j), part(fmt.Sprintf("c%d_%d", comp, r), j))
	})
	b.f("}")
}

func (d *dense) vectorSweep(b *lines, v vectors) {
	cs := len(d.nest.Buffer.Types)
	b.f("\n// %[1]sSweep is %[1]sSweepPortable on vectors.", d.name)
	b.f("func %sSweep(%s) {\nvar v simd.%s\nl := v.Len()", d.name, d.sweepParams(), vecTypes[d.t])
	d.resliced(b)
	w := d.vecWriter(v, d.stateName)
	body := &lines{}
	for _, group := range []int{unrolled, 1} {
		d.sweepHead(body, group, func(text string) string { return text })
		for i := range group {
			for u := range d.uniforms {
				body.f("v%d_%d := %s(y%d_%d)", u, i, v.broadcast, u, i)
			}
		}
		body.f("i := 0\nfor ; i <= len(c0)-l; i += l {")
		for c := range cs {
			body.f("x%[1]d := %[2]s(c%[1]d[i:])", c, v.load)
		}
		for i := range group {
			w.leaf = func(e ir.Expr) string {
				switch name := d.leaf(e, d.stateName); {
				case name == "" || name[0] == 'x':
					return name
				case name[0] == 'y':
					return fmt.Sprintf("v%s_%d", name[1:], i)
				default:
					return fmt.Sprintf("%s(%s_%d[i:])", v.load, name, i)
				}
			}
			d.assignAll(body, func(c int) string { return w.vec(d.nest.values[c]) }, d.stateName)
		}
		for c := range cs {
			body.f("x%[1]d.Store(c%[1]d[i:])", c)
		}
		body.f("}\nfor ; i < len(c0); i++ {")
		d.plainPoint(body, group, func(at string) string { return "y" + at })
		body.f("}\n}")
	}
	for _, h := range w.hoisted {
		b.f("%s", h)
	}
	b.WriteString(body.String())
	b.f("}")
}

// tileName is the tile that the file on package simd calls.
func (d *dense) tileName() string {
	if d.hasArch() {
		return d.name + "TileOf(v.Len())"
	}
	return d.name + "Tile"
}

// hasArch reports whether a tile is written in the types of archsimd, too, which
// compile to a loop that is a third quicker: each operation of package simd leaves marks among the
// instructions.
func (d *dense) hasArch() bool {
	w := d.vecWriter(simdVectors(d.t), d.stateName)
	if !d.tiles || !d.writes(w) || len(w.hoisted) > 0 {
		return false
	}
	has := true
	var visit func(e ir.Expr)
	visit = func(e ir.Expr) {
		if d.leaf(e, d.stateName) != "" {
			return
		}
		has = has && (e.Op() == ir.Add || e.Op() == ir.Sub || e.Op() == ir.Mul)
		for i := range e.NumArgs() {
			visit(e.Arg(i))
		}
	}
	for _, v := range d.nest.values {
		visit(v)
	}
	return has
}

// arch is tiles of vectors of known width, for amd64, and what stands in for them elsewhere.
func (d *dense) arch() (amd64, other string) {
	if !d.hasArch() {
		return "", ""
	}
	t := goTypes[d.t]
	b := &lines{}
	b.f("\n// %[1]sTileOf is the tile for vectors of so many lanes.\nfunc %[1]sTileOf(lanes int) func(c [][]%[2]s, at int, a, b []%[2]s) {\nswitch lanes {", d.name, t)
	widths := []int{512, 256}
	for _, bits := range widths {
		b.f("case %d:\nreturn %sTile%d", bits/d.t.Bits(), d.name, bits)
	}
	b.f("}\nreturn %sTile\n}", d.name)
	for _, bits := range widths {
		name := fmt.Sprintf("%sx%d", strings.TrimSuffix(vecTypes[d.t], "s"), bits/d.t.Bits())
		d.vectorTile(b, vectors{load: "archsimd.Load" + name, lanes: fmt.Sprint(bits / d.t.Bits())}, fmt.Sprintf("%sTile%d", d.name, bits))
	}
	return b.String(), fmt.Sprintf("\nfunc %[1]sTileOf(int) func(c [][]%[2]s, at int, a, b []%[2]s) { return %[1]sTile }\n", d.name, t)
}
