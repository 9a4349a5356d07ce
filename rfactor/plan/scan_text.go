package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// lines prints the tiles of a scan as a program, below the loops around it.
//
//	for tile of 4096 steps of r in 1..n parallel:
//	  total = in(r)
//	  for r in tile, from its second step on:
//	    total = x0 + in(r), where x0 is total
//	  …
func (sc *Scan) lines(s *Stage, loop Loop, indent string) (lines []Line) {
	say := func(depth int, format string, args ...any) {
		text := indent + strings.Repeat("  ", depth) + fmt.Sprintf(format, args...)
		lines = append(lines, Line{text, Place{Stage: s, Loop: sc.Var, Body: depth > 0}})
	}
	parallel := ""
	if sc.Parallel {
		parallel = " parallel"
	}
	say(0, "for each tile of %d steps of %s in %s%s:", sc.Tile, sc.Var, loop.Span, parallel)
	steps := fmt.Sprintf("for each %s of the tile", sc.Var)
	for _, w := range s.Where {
		steps += fmt.Sprintf(", if %s", w)
	}
	for n, p := range sc.Passes {
		state, total := "state", "total"
		if len(sc.Passes) > 1 {
			state, total = fmt.Sprintf("state%d", n), fmt.Sprintf("total%d", n)
			say(1, "// pass %d of %d, over %s", n+1, len(sc.Passes), components(p.Components))
		}
		x, y := p.operands(sc, state, total)
		if p.InOrder {
			say(1, "take %s before the tile", state)
			say(1, "%s:", steps)
			say(2, "%s = %s // kept in a buffer of the tile", state, list(substAll(p.Update, x, y)))
			say(1, "publish %s behind the tile", state)
			continue
		}
		say(1, "%s:", steps)
		tree := ""
		if sc.Lanes > 1 {
			tree = fmt.Sprintf(", by a tree in blocks of %d", sc.Lanes)
		}
		say(2, "%s = %s at the first, then %s%s", total, list(p.Inject), list(p.next(total)), tree)
		say(1, "take %s before the tile, publish %s behind it", state, list(substAll(p.Apply, x, y)))
		if sc.Keep == nil && !sc.Reads(p) {
			continue
		}
		step := substAll(p.Update, x[:len(p.Components)], y[:len(p.Components)])
		if sc.Lanes > 1 {
			step = substAll(p.Apply, x, y)
		}
		say(1, "%s:", steps)
		note := ""
		if len(sc.Passes) > 1 {
			note = " // kept in a buffer of the tile"
		}
		say(2, "%s = %s%s", state, list(step), note)
	}
	if sc.Keep != nil && len(sc.Passes) > 1 {
		say(1, "%s:", steps)
	}
	return append(lines, sc.kept(s, indent)...)
}

// Reads reports whether a later pass reads what a pass computes.
func (sc *Scan) Reads(p *Pass) bool {
	return slices.ContainsFunc(sc.Passes, func(q *Pass) bool {
		return slices.ContainsFunc(q.Reads, func(r Reading) bool { return slices.Contains(p.Components, r.Component) })
	})
}

// kept prints what is written.
func (sc *Scan) kept(s *Stage, indent string) []Line {
	say := func(format string, args ...any) Line {
		return Line{indent + fmt.Sprintf(format, args...), Place{Stage: s, Body: true}}
	}
	if sc.Keep == nil {
		return []Line{say("%s(%s) = the state behind the last tile; the first starts from %s", s.Buffer.Name, list(s.Index), list(sc.Start))}
	}
	var values []string
	for _, k := range sc.Keep {
		if k.State >= 0 {
			values = append(values, sc.name(k.State))
			continue
		}
		var x, names []ir.Expr
		for i, t := range sc.State {
			x = append(x, k.Value.Pool().X(i, t))
			names = append(names, label(k.Value.Pool(), "before:"+sc.name(i), t))
		}
		values = append(values, substAll([]ir.Expr{k.Value}, x, names)[0].String())
	}
	return []Line{
		say("    %s(%s) = %s", s.Buffer.Name, list(s.Index), strings.Join(values, ", ")),
		say("the first tile starts from %s", list(sc.Start)),
	}
}

// name is how a component of the state is printed.
func (sc *Scan) name(component int) string {
	for n, p := range sc.Passes {
		if i := slices.Index(p.Components, component); i >= 0 {
			state := "state"
			if len(sc.Passes) > 1 {
				state = fmt.Sprintf("state%d", n)
			}
			if len(p.Components) > 1 {
				state += fmt.Sprintf("[%d]", i)
			}
			return state
		}
	}
	return ""
}

// operands are the variables of Apply and Update, and the names that are printed for them: of the state and the total.
func (p *Pass) operands(sc *Scan, state, total string) (vars, names []ir.Expr) {
	pool := p.Update[0].Pool()
	add := func(v ir.Expr, name string, i, n int) {
		if n > 1 {
			name += fmt.Sprintf("[%d]", i)
		}
		vars, names = append(vars, v), append(names, label(pool, name, v.Type()))
	}
	for i, c := range p.Components {
		add(pool.X(i, sc.State[c]), state, i, len(p.Components))
	}
	for i := range p.Components {
		for _, e := range p.Apply {
			for _, v := range ir.Vars(e) {
				if v.Kind() == ir.State && v.Index() == i && !slices.Contains(vars, v) { // wider
					add(v, state, i, len(p.Components))
				}
			}
		}
	}
	for i, t := range p.Types {
		add(pool.Y(i, t), total, i, len(p.Types))
	}
	return vars, names
}

// next is the total of one step more.
func (p *Pass) next(total string) []ir.Expr {
	pool := p.Inject[0].Pool()
	x, _ := pool.Operands(p.Types)
	var names []ir.Expr
	for i, t := range p.Types {
		name := total
		if len(p.Types) > 1 {
			name += fmt.Sprintf("[%d]", i)
		}
		names = append(names, label(pool, name, t))
	}
	return substAll(p.Next, x, names)
}

// label is a variable that is printed, and never evaluated.
func label(pool *ir.Pool, name string, t ir.Type) ir.Expr {
	return pool.Placeholder(ir.Param, name, 0, t)
}

func components(list []int) string {
	var names []string
	for _, c := range list {
		names = append(names, fmt.Sprintf("x%d", c))
	}
	return strings.Join(names, ", ")
}
