package dense

import (
	"fmt"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// A tile is so many rows by so many vectors: with a copy of what does not move along a row and two vectors
// of the streams they fit the 15 vector registers that Go has on amd64 without AVX-512. Sums of products
// are added in four cycles, two at once, so that eight accumulators are needed to keep a processor busy.
func (d *Stage) tileRows() int {
	switch c := len(d.Nest.Buffer.Types); c {
	case 1:
		return 4
	case 2:
		return 2
	}
	return 1
}

const (
	tileVectors  = 2
	plainRows    = 2 // of a tile without vectors
	plainColumns = 4
	unrolled     = 4  // steps of the loops over k that are written out
	archUnrolled = 16 // of those in the types of archsimd: the last step of a loop takes registers that it does not have
)

// blocks writes the loops over bands of tiles. Steps and columns are taken in blocks, whose operands are
// copied to where a tile reads them one behind another: the values of a band and the columns of two
// tiles fit the nearest cache, those of all tiles the next one.
func (d *Stage) blocks(b *scope.Lines, decls []scope.Param) {
	t, us, ss, cs := kernel.GoType[d.T], len(d.Uniforms), len(d.Streams), len(d.Nest.Buffer.Types)
	b.F(`
// %[1]sTile is the size of a tile, and what is done with vectors of so many lanes: spread puts values so far apart, each in
// all lanes; pack puts the columns of a row for one tile after another so far apart; band updates rows by tiles.
type %[1]sTile struct {
	rows, columns, lanes int
	spread func(to []%[3]s, stride int, from []%[3]s)
	pack func(to []%[3]s, stride int, row []%[3]s)
	band func(c [][]%[3]s, width int, a, b []%[3]s)
}

// %[1]sTiles updates bands of rows, each by tiles of columns. Each element gets its values in the order of the steps.
func %[1]sTiles(%[2]s, tile %[1]sTile) {
	rows, columns, lanes := tile.rows, tile.columns, tile.lanes
	const steps, wide = 128, 512
	if w <= 0 || h <= 0 || n <= 0 {
		return
	}
	depth := min(n, steps)
	width := min((w+columns-1)/columns*columns, wide)
	size := rows * %[4]d * depth * lanes
	scratch, ok := %[1]sScratch.Get().(*[]%[3]s)
	if total := depth + size + %[5]d*depth*width; !ok || len(*scratch) < total {
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
			for i := range count {`, d.Name, scope.Declared(decls), t, us, ss, cs)
	for s := range ss {
		b.F("tile.pack(right[(i*%[1]d+%[2]d)*columns:], columns*%[1]d*count, b%[2]d(y, k+from+i)[x:][:width])", ss, s)
	}
	b.F(`}
			a := left[:rows*%d*count*lanes]
			for top := 0; top < h; top += rows {
				m := min(rows, h-top)
				for r := range m {`, us)
	for u := range us {
		b.F("tile.spread(a[(%[1]d*rows+r)*lanes:], %[2]d*rows*lanes, a%[1]d(y+top+r, k+from, values[:count]))", u, us)
	}
	for c := range cs {
		b.F("c[%[1]d*rows+r] = c%[1]d(y + top + r)[x:][:width]", c)
	}
	b.F(`}
				whole := 0
				if m == rows {
					whole = width - width %% columns
					tile.band(c, whole, a, right)
				}
				for at := whole; at < width; at += columns {
					for r := range m {`)
	for c := range cs {
		b.F("copy(edge[%[1]d*rows+r], c[%[1]d*rows+r][at:])", c)
	}
	b.F("}\ntile.band(edge, columns, a, right[at*%d*count:])\nfor r := range m {", ss)
	for c := range cs {
		b.F("copy(c[%[1]d*rows+r][at:], edge[%[1]d*rows+r])", c)
	}
	b.F("}\n}\n}\n}\n}\n}")
	b.F("\n// %[1]sScratch keeps copies of operands for the next call: fresh memory costs more than copying.\nvar %[1]sScratch %[3]s.Pool // of *[]%[2]s", d.Name, t, d.use("sync"))
}

// elements calls f for each element, or vector, of a tile.
func (d *Stage) elements(rows, columns int, f func(comp, row, column int)) {
	for comp := range d.Nest.Buffer.Types {
		for r := range rows {
			for j := range columns {
				f(comp, r, j)
			}
		}
	}
}

// accumulator is the name of an element of a tile.
func accumulator(comp, row, column int) string { return fmt.Sprintf("x%d_%d_%d", comp, row, column) }

// tileText is a tile whose functions end so.
func (d *Stage) tileText(rows int, columns, lanes, suffix string) string {
	return fmt.Sprintf("%[1]sTile{%[2]d, %[3]s, %[4]s, %[1]sSpread%[5]s, %[1]sPack%[5]s, %[1]sBand%[5]s}", d.Name, rows, columns, lanes, suffix)
}

// plainBand writes a band of tiles whose elements are variables, and how its operands are copied.
func (d *Stage) plainBand(b *scope.Lines) {
	t, us, ss, cs := kernel.GoType[d.T], len(d.Uniforms), len(d.Streams), len(d.Nest.Buffer.Types)
	b.F(`
func %[1]sSpreadPortable(to []%[2]s, stride int, from []%[2]s) {
	for i, v := range from {
		to[i*stride] = v
	}
}

func %[1]sPackPortable(to []%[2]s, stride int, row []%[2]s) {
	for at := 0; len(row) > 0; at += stride {
		row = row[copy(to[at:][:%[3]d], row):]
	}
}`, d.Name, t, plainColumns)
	b.F("\n// %sBandPortable updates %d rows by tiles of %d columns.", d.Name, plainRows, plainColumns)
	b.F("func %sBandPortable(c [][]%s, width int, a, b []%s) {", d.Name, t, t)
	b.F("for at := 0; at < width; at += %d {", plainColumns)
	row := func(comp, r int) string { return fmt.Sprintf("c%d_%d", comp, r) }
	for comp := range cs {
		for r := range plainRows {
			b.F("%s := c[%d][at:][:%d]", row(comp, r), comp*plainRows+r, plainColumns)
		}
	}
	d.elements(plainRows, plainColumns, func(comp, r, v int) { b.F("%s := %s[%d]", accumulator(comp, r, v), row(comp, r), v) })
	b.F("for a := a; len(a) >= %d && len(b) >= %d; a, b = a[%d:], b[%d:] {", plainRows*us, plainColumns*ss, plainRows*us, plainColumns*ss)
	for r := range plainRows {
		for v := range plainColumns {
			w := d.plainWriter(func(comp int) string { return accumulator(comp, r, v) })
			for u, e := range d.Uniforms {
				w.Temp[e] = fmt.Sprintf("a[%d]", u*plainRows+r)
			}
			for s, e := range d.Streams {
				w.Temp[e.Call] = fmt.Sprintf("b[%d]", s*plainColumns+v)
			}
			d.assignAll(b, func(i int) string { return w.Typed(d.Nest.Values[i]) }, func(i int) string { return accumulator(i, r, v) })
		}
	}
	b.F("}")
	d.elements(plainRows, plainColumns, func(comp, r, v int) { b.F("%s[%d] = %s", row(comp, r), v, accumulator(comp, r, v)) })
	b.F("}\n}")
}

// vectorTile is a tile of vectors.
func (d *Stage) vectorTile(lanes, suffix string) string {
	return d.tileText(d.tileRows(), fmt.Sprintf("%d*%s", tileVectors, lanes), lanes, suffix)
}

// vectorBand writes a band of tiles whose elements are in vector registers, and how its operands are copied.
func (d *Stage) vectorBand(b *scope.Lines, target *kernel.Target) {
	t, us, ss, cs, rows, suffix := kernel.GoType[d.T], len(d.Uniforms), len(d.Streams), len(d.Nest.Buffer.Types), d.tileRows(), target.Suffix
	unrolled := unrolled
	if target.Bits > 0 {
		unrolled = archUnrolled
	}
	lanes := func() {
		if target.Bits == 0 {
			b.F("var v %s\nl := v.Len()", target.Vector(d.T))
		} else {
			b.F("const l = %d", target.LanesOf(d.T))
		}
	}
	load := func(from string) string { return target.Load(d.T, from) }
	store := func(value, to string) string { return target.Store(d.T, value, to) }
	b.F("\nfunc %[1]sSpread%[2]s(to []%[3]s, stride int, from []%[3]s) {\nat := 0", d.Name, suffix, t)
	for _, group := range []int{4, 1} {
		b.F("for ; len(from) >= %[1]d; from = from[%[1]d:] {", group)
		for i := range group {
			b.F("%s\nat += stride", store(target.Broadcast(d.T, fmt.Sprintf("from[%d]", i)), "to[at:]"))
		}
		b.F("}")
	}
	b.F("endVectors()\n}\n\nfunc %[1]sPack%[2]s(to []%[3]s, stride int, row []%[3]s) {", d.Name, suffix, t)
	lanes()
	b.F("at := 0\nfor ; len(row) >= %[1]d*l; row = row[%[1]d*l:] {\nto := to[at:]", tileVectors)
	for i := range tileVectors {
		b.F("%s", store(load(fmt.Sprintf("row[%d*l:]", i)), fmt.Sprintf("to[%d*l:]", i)))
	}
	b.F("at += stride\n}\nendVectors()\nif len(row) > 0 {\ncopy(to[at:][:%d*l], row)\n}\n}", tileVectors)
	b.F("\n// %sBand%s updates %d rows by tiles of %d vectors.", d.Name, suffix, rows, tileVectors)
	b.F("func %sBand%s(c [][]%s, width int, a, b []%s) {", d.Name, suffix, t, t)
	lanes()
	part := func(of string, i int) string {
		switch i {
		case 0:
			return of
		case 1:
			return of + "[l:]"
		}
		return fmt.Sprintf("%s[%d*l:]", of, i)
	}
	body, w := &scope.Lines{}, &kernel.Printer{Target: target, Use: d.use}
	for _, group := range []int{unrolled, 1} {
		body.F("for len(a) >= %d*l && len(b) >= %d*l {", group*us*rows, group*ss*tileVectors)
		for i := range group {
			body.F("{")
			for s := range ss {
				for j := range tileVectors {
					body.F("b%d_%d := %s", s, j, load(part("b", (i*ss+s)*tileVectors+j)))
				}
			}
			for r := range rows {
				for u := range us {
					body.F("y%d_%d := %s", u, r, load(part("a", (i*us+u)*rows+r)))
				}
				for j := range tileVectors {
					state := func(comp int) string { return accumulator(comp, r, j) }
					w.Leaf = func(v *kernel.Value) string {
						switch v.Op {
						case kernel.State:
							return state(int(v.Imm))
						case kernel.Load:
							return fmt.Sprintf("b%d_%d", v.Imm, j)
						}
						return fmt.Sprintf("y%d_%d", v.Imm, r)
					}
					d.assignAll(body, func(i int) string { return w.Text(d.lanes[i]) }, state)
				}
			}
			body.F("}")
		}
		body.F("a, b = a[%d*l:], b[%d*l:]\n}", group*us*rows, group*ss*tileVectors)
	}
	for _, h := range w.Hoisted {
		b.F("%s", h)
	}
	b.F("for at := 0; at < width; at += %d * l {", tileVectors)
	for comp := range cs {
		for r := range rows {
			b.F("c%d_%d := c[%d][at:]", comp, r, comp*rows+r)
		}
	}
	d.elements(rows, tileVectors, func(comp, r, j int) {
		b.F("%s := %s", accumulator(comp, r, j), load(part(fmt.Sprintf("c%d_%d", comp, r), j)))
	})
	b.F("a := a")
	b.WriteString(body.String())
	d.elements(rows, tileVectors, func(comp, r, j int) {
		b.F("%s", store(accumulator(comp, r, j), part(fmt.Sprintf("c%d_%d", comp, r), j)))
	})
	b.F("}\nendVectors()\n}")
}

// hasArch reports whether a tile is written in the types of archsimd, too, which
// compile to a loop that is a third quicker: each operation of package simd leaves marks among the
// instructions.
func (d *Stage) hasArch() bool {
	has := d.tiles
	for _, v := range d.lanes {
		v.Walk(func(v *kernel.Value) {
			has = has && (v.Op.IsLeaf() || slices.Contains([]kernel.Op{kernel.Op(ir.Add), kernel.Op(ir.Sub), kernel.Op(ir.Mul), kernel.MulAdd}, v.Op))
		})
	}
	return has
}

// Arch is bands of vectors of known width, for amd64, and what stands in for them elsewhere.
func (d *Stage) Arch() (amd64, other string) {
	if !d.hasArch() {
		return "", ""
	}
	b := &scope.Lines{}
	b.F("\n// %[1]sTileOf is the tile of vectors of so many lanes.\nfunc %[1]sTileOf(lanes int) %[1]sTile {\nswitch lanes {", d.Name)
	widths := []*kernel.Target{kernel.Archsimd512, kernel.Archsimd}
	for _, t := range widths {
		b.F("case %d:\nreturn %s", t.LanesOf(d.T), d.vectorTile(fmt.Sprint(t.LanesOf(d.T)), t.Suffix))
	}
	b.F("}\nreturn %s\n}", d.vectorTile("lanes", ""))
	for _, t := range widths {
		d.vectorBand(b, t)
	}
	return b.String(), fmt.Sprintf("\nfunc %[1]sTileOf(lanes int) %[1]sTile { return %[2]s }\n", d.Name, d.vectorTile("lanes", ""))
}
