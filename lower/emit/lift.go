package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/internal/access"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Steps compose in their order, one waiting for the other. A kernel of steps therefore cuts its
// run into parts, takes these side by side, each from the step that changes nothing, and
// composes them at the end.
//
//	(a, b) = (a*c, b*c + in[i])   →   (a0, b0) and (a1, b1) over the halves of in, then composed

// chainsOf is the number of parts of a run of steps; less than 2 where the run is not cut. Many
// parameters leave no registers for several chains.
func chainsOf(p *plan.Plan, k *run) int {
	n := k.nest
	if n.Buffer.Steps == "" || n.Role != plan.Intermediate || n.Buffer.Seen || len(k.where) > 0 || len(n.Operator) != len(k.types) {
		return 0
	}
	start := firstValues(p, n.Buffer)
	if len(start) != len(k.types) || slices.ContainsFunc(start, func(e ir.Expr) bool { return !e.IsClosed() }) {
		return 0
	}
	own := true
	ir.Walk(n.Operator, func(e ir.Expr) {
		if e.NumArgs() == 0 && e.Op() != ir.Const && !isOperand(e) || access.IsRead(e) {
			own = own && slices.ContainsFunc(k.scalars, func(s scalar) bool { return s.expr == e })
		}
	})
	switch {
	case !own || len(k.types) > 4:
		return 0
	case len(k.types) > 2:
		return 2
	}
	return 4
}

func isOperand(e ir.Expr) bool {
	return e.Op() == ir.Var && (e.Kind() == ir.State || e.Kind() == ir.Leaf)
}

// chain writes the state and the reads of one part.
type chain struct {
	k      *run
	number int
	names  []string // of the parameters
	parts  []string // of the streams
}

// uniform reports for each parameter whether it is the same in all parts, which are equally
// long: it depends on no element.
func (k *run) uniform() []bool {
	out := make([]bool, len(k.values))
	for i := range out {
		out[i] = true
	}
	for changed := true; changed; {
		changed = false
		for i, v := range k.values {
			reads := k.first && access.Mentions(v, k.loop.Var)
			for _, s := range k.streams {
				reads = reads || access.Mentions(v, s.call)
			}
			for j := range k.values {
				reads = reads || !out[j] && v.States()>>j&1 != 0
			}
			if out[i] && reads {
				out[i], changed = false, true
			}
		}
	}
	return out
}

// writeChains writes the chains over whole parts; the elements behind them are left to the caller.
func (g *generator) writeChains(k *run, count int) {
	lead := k.streams[0].name
	g.file.printf("if n := len(%s) / %d; n >= 16 {\n", lead, count)
	uniform := k.uniform()
	start := firstValues(g.plan, k.nest.Buffer)
	chains := make([]*chain, count)
	for j := range chains {
		c := &chain{k: k, number: j}
		var fresh, values []string
		for i := range k.types {
			if uniform[i] && j > 0 {
				c.names = append(c.names, chains[0].names[i])
				continue
			}
			name := g.name(fmt.Sprintf("%c%d", 'p'+j, i))
			c.names, fresh = append(c.names, name), append(fresh, name)
			values = append(values, (&exprWriter{use: g.use}).typed(start[i]))
		}
		if len(fresh) > 0 {
			g.file.printf("%s := %s\n", strings.Join(fresh, ", "), strings.Join(values, ", "))
		}
		for _, s := range k.streams {
			part := g.name(fmt.Sprintf("%s%d", s.name, j))
			c.parts = append(c.parts, part)
			g.file.printf("%s := %s[%s:][:n]\n", part, s.name, []string{"0", "n", "2*n", "3*n"}[j])
		}
		chains[j] = c
	}
	g.file.printf("for i := range n {\n")
	for _, c := range chains {
		values, names := k.values, c.names
		if c.number+1 < count { // those that all share are updated last, by the last part
			values = slices.Clone(values)
			for i := range values {
				if uniform[i] {
					values[i] = values[i].Pool().X(i, values[i].Type())
				}
			}
		}
		g.scopedBody(c.writer(g), values, names)
	}
	g.file.printf("}\n")
	for _, c := range chains {
		g.scopedBody(c.composer(g), k.nest.Operator, k.states())
	}
	for _, s := range k.streams {
		g.file.printf("%s = %s[%d*n:]\n", s.name, s.name, count)
	}
	if k.first {
		g.file.printf("first += %d*n\n", count)
	}
	g.file.printf("}\n")
}

// scopedBody is body in a block of its own, where it declares variables.
func (g *generator) scopedBody(w *exprWriter, values []ir.Expr, state []string) {
	file := g.file
	g.file = newUnit()
	declares := g.body(w, nil, values, state)
	text := g.file.b.String()
	if g.file = file; declares {
		text = "{\n" + text + "}\n"
	}
	g.file.printf("%s", text)
}

// writer writes the step of a chain.
func (c *chain) writer(g *generator) *exprWriter {
	return &exprWriter{use: g.use, temp: map[ir.Expr]string{}, leaf: func(e ir.Expr) string {
		switch s := c.k.streamOf(e); {
		case s >= 0:
			return c.parts[s] + "[i]"
		case e == c.k.loop.Var && c.number == 0:
			return "int32(first + i)"
		case e == c.k.loop.Var:
			return fmt.Sprintf("int32(first + %d*n + i)", c.number)
		case isOperand(e):
			return c.names[e.Index()]
		}
		return c.scalar(e)
	}}
}

func (c *chain) scalar(e ir.Expr) string {
	return c.k.scalars[slices.IndexFunc(c.k.scalars, func(s scalar) bool { return s.expr == e })].name
}

// composer writes the composition of what is composed so far and a chain.
func (c *chain) composer(g *generator) *exprWriter {
	return &exprWriter{use: g.use, temp: map[ir.Expr]string{}, leaf: func(e ir.Expr) string {
		switch {
		case isOperand(e) && e.Kind() == ir.State:
			return c.k.states()[e.Index()]
		case isOperand(e):
			return c.names[e.Index()]
		}
		return c.scalar(e)
	}}
}
