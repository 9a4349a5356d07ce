package program

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// arrange puts functions behind those that they read, and keeps the order of the source otherwise: a function is
// computed whole before another one reads it, wherever it is declared.
func (b *builder) arrange() {
	var out []*Func
	begun := map[*Func]bool{}
	var visit func(f *Func)
	visit = func(f *Func) {
		if begun[f] {
			if !slices.Contains(out, f) {
				b.errorf(f.Pos, "%s reads what is computed from it", f.Name)
			}
			return
		}
		begun[f] = true
		for _, g := range b.prog.needs(f) {
			if visit(g); len(b.errs) > 0 {
				return
			}
		}
		out = append(out, f)
	}
	for _, f := range b.prog.Funcs {
		if visit(f); len(b.errs) > 0 {
			return
		}
	}
	b.prog.Funcs = out
}

// needs lists the functions that have to be computed before f. One that counts places is computed with the function
// whose places it counts.
func (p *Program) needs(f *Func) (out []*Func) {
	if f.Counts != nil {
		return []*Func{f.Counts.Func}
	}
	es := slices.Clone(f.Init)
	for _, d := range f.Updates {
		es = append(append(es, d.Args...), d.Values...)
		if d.Place != nil {
			es = append(es, d.Place.Init...)
		}
		if d.Domain != nil {
			es = append(es, d.Domain.Where...)
			for _, dim := range d.Domain.Dims {
				if dim.Min.IsValid() {
					es = append(es, dim.Min, dim.Extent)
				}
			}
		}
	}
	ir.Walk(es, func(e ir.Expr) {
		if e.Op() != ir.Call {
			return
		}
		g := p.Func(e.Name())
		if g == nil || g == f || g.Counts != nil && g.Counts.Func == f || slices.Contains(out, g) {
			return
		}
		out = append(out, g)
	})
	return out
}
