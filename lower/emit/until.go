package emit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/internal/folds"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/funcs"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel/forms"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// untilPlanner looks for the runs of loops that end early.
type untilPlanner struct{ *generator }

// endsEarly looks for the runs of an early end; it leaves none where lanes cannot look for the end.
func (g *untilPlanner) endsEarly(k *funcs.Run) {
	u := &funcs.Until{}
	cond, open := k.Nest.Stage.Opened()
	if open == nil {
		if cond, open = k.Nest.Stage.Watched(); open != nil {
			cond, u.Watch = g.watches(k, cond, open)
		}
	}
	if open == nil || !cond.IsValid() || !slices.Equal(k.Nest.Values, k.Nest.Stage.Values) {
		return
	}
	pool := k.Loop.Var.Pool()
	u.Hits = g.counting(k, "Ends", *open, cond)
	if u.Hits == nil {
		return
	}
	u.Cond, _ = folds.Counted(u.Hits.Serial.Each().To[0].Arg(1))
	u.Hits.Finds(u.Cond)
	flag := k.Nest.Ends.Component
	if u.Watch != nil && u.Hits.Vector == nil {
		return
	}
	watched := func(v ir.Expr) bool {
		return slices.ContainsFunc(u.Watch, func(w funcs.Watched) bool { return open.Values[w.Scan.State] == v })
	}
	if slices.ContainsFunc(open.Values, func(v ir.Expr) bool { return v != pool.X(flag, ir.Bool) && v.States() != 0 && !watched(v) }) {
		if u.Open = g.partOf(k, "Open", *open); u.Open == nil {
			return
		}
	}
	if u.Watch != nil {
		g.asksVectors = true
		if u.Open != nil || u.ScansAll(k) { // else the step before the end needs the state before it
			u.Reach = g.reaches(k, u, open)
		}
	}
	k.Until, k.Vector, k.Form, k.Why = u, nil, "", "it ends early, and its steps before the end have functions of their own"
}

// partOf is a run that this one calls, which does another stage on the same elements; nil where that does not step through what it reads.
func (g *generator) partOf(k *funcs.Run, name string, s plan.Stage) *funcs.Run {
	n := *k.Nest
	n.Stage, n.Where, n.Values = &s, s.Where, s.Values
	r := &funcs.Run{Nest: &n, Loop: k.Loop, Types: s.Buffer.Types, Of: k, Name: g.unused(k.Name + name)}
	if !r.FindStreams(&n, len(n.Loops)-1) {
		return nil
	}
	r.NameArguments(&g.Scope)
	r.Build(g.Plan)
	r.NameParts(g.named)
	return r
}

// counting is such a run that counts the elements of a stage at which a condition holds.
func (g *generator) counting(k *funcs.Run, name string, s plan.Stage, cond ir.Expr) *funcs.Run {
	pool := k.Loop.Var.Pool()
	return g.partOf(k, name, folding(s, ir.AddOf(pool.X(0, ir.I32), ir.SelectOf(cond, pool.Int(ir.I32, 1), pool.Int(ir.I32, 0)))))
}

// folding is a stage with the steps of another one that folds other values.
func folding(s plan.Stage, values ...ir.Expr) plan.Stage {
	s.Operator, s.Inject, s.From, s.Places, s.Scan = nil, nil, nil, nil, nil
	s.Buffer, s.Values = &plan.Buffer{Name: s.Buffer.Name}, values
	for _, v := range values {
		s.Buffer.Types = append(s.Buffer.Types, v.Type())
	}
	return s
}

// watches makes scans of the components that a condition reads, and puts reads of their states into it; it is invalid where lanes have no such scan.
func (g *untilPlanner) watches(k *funcs.Run, cond ir.Expr, open *plan.Stage) (out ir.Expr, watch []funcs.Watched) {
	pool, d := cond.Pool(), len(k.Nest.Loops)-1
	for i, v := range open.Values {
		if cond.States()>>i&1 == 0 {
			continue
		}
		t := v.Type()
		fold, ok := folds.Of(v, i)
		if !ok || fold.Op == ir.Const || fold.Leaf.States() != 0 {
			return ir.Expr{}, nil
		}
		n := *k.Nest
		n.Values = []ir.Expr{ir.Make(fold.Op, pool.X(0, t), fold.Leaf), fold.Leaf}
		r := &funcs.Scan{Output: -1, State: i, Op: fold.Op, Run: &funcs.Run{Nest: &n, Loop: k.Loop, Types: []ir.Type{t}, Avoid: funcs.ScanNames, Name: k.Name + "States"}}
		if len(watch) > 0 {
			r.Name += strconv.Itoa(i)
		}
		if !r.FindStreams(&n, d) || !canScan(fold.Op, t) || t.IsFloat() && fold.Op != ir.Min && fold.Op != ir.Max {
			return ir.Expr{}, nil
		}
		r.NameArguments(&g.Scope)
		step := []ir.Expr{ir.Make(fold.Op, pool.X(0, t), pool.Y(0, t))}
		r.Steps = &forms.Steps{Inject: r.Built(nil, n.Values[1:]).Each().To, Combine: step, Apply: step}
		if r.Plan(n.Values[:1]); r.Vector == nil {
			return ir.Expr{}, nil
		}
		w := funcs.Watched{Scan: r, Array: "states" + strconv.Itoa(i)}
		for k.Names()[w.Array] {
			w.Array += "_"
		}
		read := func(name, part string) ir.Expr {
			name += k.Name + strconv.Itoa(i)
			g.Arrays[name] = &scope.Array{Name: name, Parts: []string{part}, Types: []ir.Type{t}}
			return pool.Call(t, name, 0, k.Loop.Var)
		}
		w.Before, w.After = read("before.", w.Array), read("after.", "after"+strconv.Itoa(i))
		cond = ir.Subst(cond, []ir.Expr{v}, []ir.Expr{w.After})
		cond = ir.Subst(cond, []ir.Expr{pool.X(i, t)}, []ir.Expr{w.Before})
		watch = append(watch, w)
	}
	return cond, watch
}

// nearEnd is how many of many more elements are looked through before anything else: goroutines take longer to begin, and so does asking how many
// processors there are.
const nearEnd = 4096

// near writes what returns where a run ends among its first elements. Elsewhere these steps are done again.
func (g *kernelWriter) near(n *loopnest.Nest, k *funcs.Run) {
	if k.Until.Watch != nil || len(n.Loops) != 1 || len(n.Buffer.Dims) > 0 {
		return
	}
	args := slices.Clone(k.States())
	target := g.Target(n)
	copy(args, target)
	if k.First {
		args = append(args, g.GoInt(k.Loop.Span.Min))
	}
	for _, s := range k.Scalars {
		args = append(args, g.Leaf(s.Expr, nil))
	}
	for _, s := range k.Streams {
		args = append(args, k.RunText(&g.Scope, n, s, strconv.Itoa(nearEnd), false))
	}
	results, _ := g.Results()
	g.File.Printf("if %s >= %d { // an end that is near\n", g.GoInt(k.Loop.Span.Extent), 32*nearEnd)
	g.File.Printf("if %s := %sUntil%s; %s {\nreturn %s, nil\n}\n}\n", strings.Join(target, ", "), k.Name, scope.Bracket(args), funcs.EndedOf(n.Ends, target), strings.Join(results, ", "))
}

// reaches is nil where the loop does not end by comparisons of one sum of integers with what stays the same.
func (g *untilPlanner) reaches(k *funcs.Run, u *funcs.Until, open *plan.Stage) *funcs.Reach {
	w := u.Watch[0]
	t := w.Scan.Types[0]
	if len(u.Watch) > 1 || w.Scan.Op != ir.Add {
		return nil
	}
	low, high := funcs.Bounds(u.Cond.Pool(), t)
	possible := folds.Possible(u.Cond, u.IsState, u.Same, low, high)
	if !possible.IsValid() {
		return nil
	}
	pool := k.Loop.Var.Pool()
	fold, _ := folds.Of(open.Values[w.Scan.State], w.Scan.State)
	s := folding(*open, ir.AddOf(pool.X(0, t), fold.Leaf), ir.Make(ir.Min, pool.X(1, t), fold.Leaf), ir.Make(ir.Max, pool.X(2, t), fold.Leaf))
	r := &funcs.Reach{Run: g.partOf(k, "Reach", s), Possible: possible}
	if r.Run == nil || r.Run.Vector == nil {
		return nil
	}
	return r
}
