package dense

import (
	"fmt"

	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// sweeps writes the loop over rows, some steps at once.
func (d *Stage) sweeps(b *scope.Lines, decls []scope.Param) {
	t, us, ss, cs := kernel.GoType[d.T], len(d.Uniforms), len(d.Streams), len(d.Nest.Buffer.Types)
	b.F(`
// %[1]sSweeps updates rows in parts that stay in the nearest cache, with a few steps at once.
func %[1]sSweeps(%[2]s, sweep func(%[3]s []%[4]s, a []%[4]s, b [][]%[4]s)) {
	const steps, wide = 16, 2048
	if w <= 0 || h <= 0 || n <= 0 {
		return
	}
	var a [steps * %[5]d]%[4]s
	var b [steps * %[6]d][]%[4]s`, d.Name, scope.Declared(decls), scope.List(cs, func(i int) string { return fmt.Sprintf("x%d", i) }), t, max(us, 1), ss)
	if us > 0 {
		b.F("var values [steps]%s", t)
	}
	b.F("for row := y; row < y+h; row++ {\nfor x := 0; x < w; x += wide {\nwidth := min(wide, w-x)")
	for c := range cs {
		b.F("x%[1]d := c%[1]d(row)[x:][:width]", c)
	}
	b.F("for from := 0; from < n; from += steps {\ncount := min(steps, n-from)")
	for u := range us {
		b.F("for i, v := range a%[1]d(row, k+from, values[:count]) {\na[i*%[2]d+%[1]d] = v\n}", u, us)
	}
	b.F("for i := range count {")
	for s := range ss {
		b.F("b[i*%[2]d+%[1]d] = b%[1]d(row, k+from+i)[x:][:width]", s, ss)
	}
	b.F("}\nsweep(%s, a[:count*%d], b[:count*%d])\n}\n}\n}\n}", scope.List(cs, func(i int) string { return fmt.Sprintf("x%d", i) }), us, ss)
}

// sweepHead begins the loop over groups of so many steps, with the values and rows of a group.
func (d *Stage) sweepHead(b *scope.Lines, group int, uniform func(text string) string) {
	us, ss := len(d.Uniforms), len(d.Streams)
	b.F("for ; len(b) >= %[1]d; a, b = a[%[2]d:], b[%[1]d:] {", group*ss, group*us)
	for i := range group {
		for u := range us {
			b.F("y%d_%d := %s", u, i, uniform(fmt.Sprintf("a[%d]", i*us+u)))
		}
		for s := range ss {
			b.F("b%d_%d := b[%d][:len(c0)]", s, i, i*ss+s)
		}
	}
}

// plainPoint updates the element number i of a row with a group of steps.
func (d *Stage) plainPoint(b *scope.Lines, group int, uniform func(text string) string) {
	cs := len(d.Nest.Buffer.Types)
	b.F("%s := %s", scope.List(cs, d.stateName), scope.List(cs, func(c int) string { return fmt.Sprintf("c%d[i]", c) }))
	w := d.plainWriter(d.stateName)
	for i := range group {
		for u, e := range d.Uniforms {
			w.Temp[e] = uniform(fmt.Sprintf("%d_%d", u, i))
		}
		for s, e := range d.Streams {
			w.Temp[e.Call] = fmt.Sprintf("b%d_%d[i]", s, i)
		}
		d.assignAll(b, func(c int) string { return w.Typed(d.Nest.Values[c]) }, d.stateName)
	}
	b.F("%s = %s", scope.List(cs, func(c int) string { return fmt.Sprintf("c%d[i]", c) }), scope.List(cs, d.stateName))
}

func (d *Stage) sweepParams() string {
	t := kernel.GoType[d.T]
	return fmt.Sprintf("%s, a []%s, b [][]%s", scope.List(len(d.Nest.Buffer.Types), func(i int) string { return fmt.Sprintf("c%d []%s", i, t) }), t, t)
}

// resliced lets the compiler know that all components have rows of one length.
func (d *Stage) resliced(b *scope.Lines) {
	for c := 1; c < len(d.Nest.Buffer.Types); c++ {
		b.F("c%[1]d = c%[1]d[:len(c0)]", c)
	}
}

func (d *Stage) plainSweep(b *scope.Lines) {
	b.F("\n// %sSweepPortable updates a row with steps in their order.", d.Name)
	b.F("func %sSweepPortable(%s) {", d.Name, d.sweepParams())
	d.resliced(b)
	for _, group := range []int{unrolled, 1} {
		d.sweepHead(b, group, func(text string) string { return text })
		b.F("for i := range c0 {")
		d.plainPoint(b, group, func(at string) string { return "y" + at })
		b.F("}\n}")
	}
	b.F("}")
}

func (d *Stage) vectorSweep(b *scope.Lines) {
	cs := len(d.Nest.Buffer.Types)
	b.F("\n// %[1]sSweep is %[1]sSweepPortable on vectors.", d.Name)
	b.F("func %sSweep(%s) {\nvar v %s\nl := v.Len()", d.Name, d.sweepParams(), kernel.Simd.Vector(d.T))
	d.resliced(b)
	load := func(from string) string { return kernel.Simd.Load(d.T, from) }
	w := &kernel.Printer{Target: kernel.Simd, Use: d.use}
	body := &scope.Lines{}
	for _, group := range []int{unrolled, 1} {
		d.sweepHead(body, group, func(text string) string { return text })
		for i := range group {
			for u := range d.Uniforms {
				body.F("v%d_%d := %s", u, i, kernel.Simd.Broadcast(d.T, fmt.Sprintf("y%d_%d", u, i)))
			}
		}
		body.F("i := 0\nfor ; i <= len(c0)-l; i += l {")
		for c := range cs {
			body.F("x%d := %s", c, load(fmt.Sprintf("c%d[i:]", c)))
		}
		for i := range group {
			w.Leaf = func(v *kernel.Value) string {
				switch v.Op {
				case kernel.State:
					return d.stateName(int(v.Imm))
				case kernel.Load:
					return load(fmt.Sprintf("b%d_%d[i:]", v.Imm, i))
				}
				return fmt.Sprintf("v%d_%d", v.Imm, i)
			}
			d.assignAll(body, func(c int) string { return w.Text(d.lanes[c]) }, d.stateName)
		}
		for c := range cs {
			body.F("x%[1]d.Store(c%[1]d[i:])", c)
		}
		body.F("}\nendVectors()\nfor ; i < len(c0); i++ {")
		d.plainPoint(body, group, func(at string) string { return "y" + at })
		body.F("}\n}")
	}
	for _, h := range w.Hoisted {
		b.F("%s", h)
	}
	b.WriteString(body.String())
	b.F("}")
}
