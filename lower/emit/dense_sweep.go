package emit

import (
	"fmt"

	"github.com/rfactor-go/rfactor/lower/kernel"
)

// sweeps writes the loop over rows, some steps at once.
func (d *dense) sweeps(b *lines, decls []param) {
	t, us, ss, cs := kernel.GoType[d.t], len(d.uniforms), len(d.streams), len(d.nest.Buffer.Types)
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
		b.f("for i, v := range a%[1]d(row, k+from, values[:count]) {\na[i*%[2]d+%[1]d] = v\n}", u, us)
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
			w.Temp[e] = uniform(fmt.Sprintf("%d_%d", u, i))
		}
		for s, e := range d.streams {
			w.Temp[e.Call] = fmt.Sprintf("b%d_%d[i]", s, i)
		}
		d.assignAll(b, func(c int) string { return w.Typed(d.nest.values[c]) }, d.stateName)
	}
	b.f("%s = %s", list(cs, func(c int) string { return fmt.Sprintf("c%d[i]", c) }), list(cs, d.stateName))
}

func (d *dense) sweepParams() string {
	t := kernel.GoType[d.t]
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

func (d *dense) vectorSweep(b *lines) {
	cs := len(d.nest.Buffer.Types)
	b.f("\n// %[1]sSweep is %[1]sSweepPortable on vectors.", d.name)
	b.f("func %sSweep(%s) {\nvar v %s\nl := v.Len()", d.name, d.sweepParams(), kernel.Simd.Vector(d.t))
	d.resliced(b)
	load := func(from string) string { return kernel.Simd.Load(d.t, from) }
	w := &kernel.Printer{Target: kernel.Simd, Use: d.use}
	body := &lines{}
	for _, group := range []int{unrolled, 1} {
		d.sweepHead(body, group, func(text string) string { return text })
		for i := range group {
			for u := range d.uniforms {
				body.f("v%d_%d := %s", u, i, kernel.Simd.Broadcast(d.t, fmt.Sprintf("y%d_%d", u, i)))
			}
		}
		body.f("i := 0\nfor ; i <= len(c0)-l; i += l {")
		for c := range cs {
			body.f("x%d := %s", c, load(fmt.Sprintf("c%d[i:]", c)))
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
			body.f("x%[1]d.Store(c%[1]d[i:])", c)
		}
		body.f("}\nendVectors()\nfor ; i < len(c0); i++ {")
		d.plainPoint(body, group, func(at string) string { return "y" + at })
		body.f("}\n}")
	}
	for _, h := range w.Hoisted {
		b.f("%s", h)
	}
	b.WriteString(body.String())
	b.f("}")
}
