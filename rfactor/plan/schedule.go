package plan

import (
	"slices"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// directives lists the directives of a schedule by their names. It is no variable: one is there, with what it names, in programs that run plans and
// make none, such as the playground's matcher.
func directives() map[string]func(*scheduler, *target, *nest, *program.Directive) *ir.Error {
	return map[string]func(*scheduler, *target, *nest, *program.Directive) *ir.Error{
		program.Split:       (*scheduler).split,
		program.Fuse:        (*scheduler).fuse,
		program.Reorder:     (*scheduler).reorder,
		program.Tile:        (*scheduler).tile,
		program.RFactor:     (*scheduler).rfactor,
		program.Scan:        (*scheduler).scan,
		program.Parallel:    (*scheduler).runs,
		program.Vectorize:   (*scheduler).runs,
		program.Unroll:      (*scheduler).runs,
		program.Atomic:      (*scheduler).atomic,
		program.ComputeRoot: (*scheduler).computeRoot,
		program.ComputeAt:   (*scheduler).computeAt,
	}
}

// scansOn lists the directives that may name a loop that is scanned.
var scansOn = map[string]bool{program.Scan: true, program.Parallel: true, program.Vectorize: true, program.Unroll: true}

func (s *scheduler) applyAll(ds []*program.Directive) *ir.Error {
	for _, d := range ds {
		if err := s.apply(d); err != nil {
			return err
		}
	}
	return nil
}

// apply applies one directive.
func (s *scheduler) apply(d *program.Directive) *ir.Error {
	t := s.target(d.Func)
	if t == nil {
		return s.errorf(d, "there is no function %s yet: an rfactor before this must make it", d.Func)
	}
	n := t.first
	if d.Stage >= 0 {
		if d.Stage >= len(t.updates) {
			return s.errorf(d, "%s has no update(%d)", d.Func, d.Stage)
		}
		n = t.updates[d.Stage]
	}
	for s.instead[n] != nil {
		n = s.instead[n]
	}
	do := directives()[d.Name]
	if do == nil {
		return s.errorf(d, "this directive is not known")
	}
	if n.def != nil && n.def.Place != nil {
		return s.applyPlaces(n, d)
	}
	if n.scan != nil && !scansOn[d.Name] && slices.ContainsFunc(d.Args, func(a program.Arg) bool { return a.Name == n.scan.Var.Name() }) {
		return s.errorf(d, "%s is scanned in tiles of %d, whose loops are the scan's", n.scan.Var, n.scan.Tile)
	}
	return do(s, t, n, d)
}

// errorf is an error at a directive, which it names.
func (s *scheduler) errorf(d *program.Directive, format string, args ...any) *ir.Error {
	return s.prog.Source.Errorf(d.Pos, d.Name+": "+format, args...)
}

// find is the loop of a nest that an argument names.
func (s *scheduler) find(n *nest, d *program.Directive, name string) (*axis, *ir.Error) {
	a := n.axis(name)
	if name == "" {
		return nil, s.errorf(d, "expected the name of a loop; those of %s are %s", stageName(d), list(varsOf(n.axes)))
	}
	if a == nil {
		if len(n.axes) == 0 {
			return nil, s.errorf(d, "%s has no loop %s, and no others: it mentions no reduction variable", stageName(d), name)
		}
		return nil, s.errorf(d, "%s has no loop %s; its loops are %s", stageName(d), name, list(varsOf(n.axes)))
	}
	return a, nil
}

func stageName(d *program.Directive) string {
	if d.Stage < 0 {
		return d.Func
	}
	return (&program.Definition{Func: &program.Func{Name: d.Func}, Stage: d.Stage}).String()
}

// newVar makes the variable of a new loop. What it replaces may have the same name.
func (s *scheduler) newVar(n *nest, d *program.Directive, kind ir.VarKind, name string, replaced ...*axis) (ir.Expr, *ir.Error) {
	if name == "" {
		return ir.Expr{}, s.errorf(d, "expected the name of a new variable")
	}
	for _, a := range n.axes {
		if a.v.Name() != name {
			continue
		}
		for _, r := range replaced {
			if a == r {
				return a.v, nil
			}
		}
		return ir.Expr{}, s.errorf(d, "%s is already the name of a loop of %s", name, stageName(d))
	}
	if s.isParam(name) {
		return ir.Expr{}, s.errorf(d, "%s is a parameter of the program", name)
	}
	return s.pool.Var(kind, name, 0, ir.I32), nil
}

// free returns a variable for a new loop of a nest, with more of the suffix in its name as long as a loop or a parameter has it.
func (s *scheduler) free(n *nest, kind ir.VarKind, name, suffix string) ir.Expr {
	for n.axis(name) != nil || s.isParam(name) {
		name += suffix
	}
	return s.pool.Var(kind, name, 0, ir.I32)
}

// isParam reports whether the program has a parameter of that name.
func (s *scheduler) isParam(name string) bool {
	return slices.ContainsFunc(s.prog.Params, func(p *program.Parameter) bool { return p.Name == name })
}

// factorOf is an argument that is a positive literal.
func (s *scheduler) factorOf(d *program.Directive, i int) (ir.Expr, *ir.Error) {
	if v := d.Args[i].Value; v.IsValid() && v.Op() == ir.Const && v.Int() > 0 {
		return v, nil
	}
	return ir.Expr{}, s.errorf(d, "argument %d must be a positive number", i+1)
}

// runs sets how a loop runs; with a second argument, of its slices of that many iterations.
func (s *scheduler) runs(t *target, n *nest, d *program.Directive) *ir.Error {
	how := How(d.Name)
	a, err := s.find(n, d, d.Args[0].Name)
	if err != nil {
		return err
	}
	if n.scan != nil && n.scan.Var == a.v {
		return s.runTiles(n, d, how)
	}
	if how != Unrolled && !a.pure && n.def != nil && n.def.Recurrence() != nil {
		return s.errorf(d, "the iterations of %s read what earlier ones wrote; scan(%s, 65536) makes tiles of them, which can run so", a.v, a.v)
	}
	if len(d.Args) == 2 {
		if a, err = s.slice(n, d, a, how); err != nil {
			return err
		}
	}
	if how != Unrolled && !a.pure {
		return s.errorf(d, "the iterations of %s update the same elements of %s, one after another; rfactor(%s, u) gives each its own partial result, so that u can run so",
			a.v, d.Func, a.v)
	}
	a.how = how
	return nil
}

// slice splits a loop for a directive with a factor: parallel runs the outer part, lanes
// and unrolling are about the inner one.
func (s *scheduler) slice(n *nest, d *program.Directive, a *axis, how How) (*axis, *ir.Error) {
	factor, err := s.factorOf(d, 1)
	if err != nil {
		return nil, err
	}
	kind := ir.Param
	if !a.pure {
		kind = ir.Coord
	}
	outer, inner := n.split(a, a.v, s.free(n, kind, a.v.Name()+"i", "i"), factor)
	if how == InParallel {
		return outer, nil
	}
	return inner, nil
}

func (s *scheduler) atomic(t *target, n *nest, d *program.Directive) *ir.Error {
	return s.errorf(d, "several goroutines that update one element at once are not supported; rfactor gives each its own partial result, which needs no atomic operation")
}

// computeRoot computes a function apart from its readers, which is the default.
func (s *scheduler) computeRoot(t *target, n *nest, d *program.Directive) *ir.Error {
	t.buffer.At = nil
	return nil
}

// computeAt places an intermediate buffer inside a pure loop of the function that reads it.
func (s *scheduler) computeAt(t *target, n *nest, d *program.Directive) *ir.Error {
	consumer := s.target(d.Args[0].Name)
	switch {
	case t.buffer.Output:
		return s.errorf(d, "%s is a result of the program, it can only be computed at the root", d.Func)
	case consumer == nil:
		return s.errorf(d, "there is no function %s", d.Args[0].Name)
	}
	path := between(consumer, t)
	if path == nil {
		return s.errorf(d, "%s does not read %s", consumer.buffer.Name, d.Func)
	}
	a := path[0].axis(d.Args[1].Name)
	if a == nil || !a.pure {
		return s.errorf(d, "%s is no pure loop of %s; use compute_root", d.Args[1].Name, consumer.buffer.Name)
	}
	for _, n := range path[1:] {
		if !isDim(s.owner(n), a.v) {
			return s.errorf(d, "%s has no dimension %s of its own; use compute_root", n.buffer.Name, a.v)
		}
		n.buffer.At = &At{Buffer: consumer.buffer, Var: a.v}
	}
	return nil
}

// between is the updates from that of the consumer to that of a function that it reads,
// perhaps through others; nil where it does not.
func between(consumer, t *target) []*nest {
	for _, n := range consumer.updates {
		for _, b := range n.before {
			if b == t {
				return []*nest{n, t.updates[0]}
			}
			if rest := between(b, t); rest != nil {
				return append([]*nest{n}, rest...)
			}
		}
	}
	return nil
}

// isDim reports whether a variable alone indexes a dimension of a function.
func isDim(t *target, v ir.Expr) bool {
	for _, u := range t.vars {
		if u == v {
			return true
		}
	}
	return false
}
