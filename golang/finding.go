package golang

import (
	"context"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/golang/internal/rewrite"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Verdict says what became of a loop.
type Verdict string

// The verdicts. Of the first two, Operator says by what.
const (
	Reduction Verdict = "reduction" // its state has an associative operator
	Lift      Verdict = "lift"      // its steps compose
	Refused   Verdict = "refused"   // it was read, and no operator was found
	Stopped   Verdict = "stopped"   // it was not read: see Obstacles
	Histogram Verdict = "histogram" // it carries nothing, and adds to elements of a table by Operator, where what it reads says
	Search    Verdict = "search"    // it carries nothing, and ends at the first step that does not let it go on: see Update
)

// Finding is what there is to say of an innermost loop that carries values.
type Finding struct {
	Pos          token.Position `json:"pos"`
	EndLine      int            `json:"endLine,omitempty"` // the last line of the loop; 0 of a loop by goto
	Func         string         `json:"func"`
	Source       string         `json:"source,omitempty"` // the line at Pos
	Category     string         `json:"category"`         // one of Categories
	Verdict      Verdict        `json:"verdict"`
	State        []string       `json:"state,omitempty"`        // the variables x0, x1, …
	Update       []string       `json:"update,omitempty"`       // over the state and texts of the source
	Operator     []string       `json:"operator,omitempty"`     // over x0, … and y0, …; of a lift, on parameters
	Inject       []string       `json:"inject,omitempty"`       // what y0, … are, in texts of the source
	Apply        []string       `json:"apply,omitempty"`        // of a lift: what parameters p0, … do to the state
	Names        []string       `json:"names,omitempty"`        // of the operators in the table, or of the families of the lift
	Identity     []string       `json:"identity,omitempty"`     // on some side, as Side says
	Side         string         `json:"side,omitempty"`         // two, left, right, middle
	Laws         []string       `json:"laws,omitempty"`         // commutative, idempotent
	Assumes      []string       `json:"assumes,omitempty"`      // what the claim relies on beyond the machine's arithmetic
	Exit         string         `json:"exit,omitempty"`         // counted, input or state: what decides how often the loop runs
	Panics       []string       `json:"panics,omitempty"`       // how a step may panic
	Elsewhere    []string       `json:"elsewhere,omitempty"`    // of these: what steps in another order, or past the end, do where the loop does not, or the other way round
	Endless      []string       `json:"endless,omitempty"`      // what in a step is not known to end: functions, inner loops
	OverMap      bool           `json:"overMap,omitempty"`      // it ranges over a map, and gives the same in every order; also of a refusal
	OverFunction bool           `json:"overFunction,omitempty"` // it ranges over a function, in the order in which that calls the body
	Outer        bool           `json:"outer,omitempty"`        // there are loops in its body, which are inputs
	Stores       string         `json:"stores,omitempty"`       // elements: a step stores some beside; prefixes: they depend on the state
	Places       string         `json:"places,omitempty"`       // where it stores them if not at counted places: compacted, scattered
	Rereads      bool           `json:"rereads,omitempty"`      // and what it stores may depend on what was stored before
	Plain        bool           `json:"plain,omitempty"`        // sums, products, extrema and logic of single variables
	Code         string         `json:"code,omitempty"`         // of a refusal
	Reason       string         `json:"reason,omitempty"`       // of a refusal
	Obstacles    []Stop         `json:"obstacles,omitempty"`    // of a loop that was not read, in the order in which they were met
	Time         int64          `json:"time,omitempty"`         // by a profile: nanoseconds in the loop and in what it calls
	Fix          string         `json:"fix,omitempty"`          // of an answer: the function that can run the loop in parallel, or "refused: " and why

	at     token.Pos
	fix    *rewrite.Rewrite // nil where Fix is a refusal
	home   *Package         // of the loop
	vendor string           // the file of package par, where the fix writes it
}

// Categories are what findings are sorted into: the first of order, float, search and scan that is so, and else reduce.
//
//	order    it ranges over a map, and whether the order changes the result is the question
//	float    the claim needs an assumption on floats
//	search   what is read, or the state, decides where the loop ends
//	scan     steps store what depends on the state, or where it says
//	reduce   anything else
var Categories = []string{"reduce", "search", "scan", "order", "float"}

func (f *Finding) categorize() {
	isOrder := f.OverMap || slices.ContainsFunc(f.Obstacles, func(o Stop) bool { return o.Kind == string(read.MapOrder) })
	onFloats := []string{"reassoc", "contract", "nnan", "nsz", "ninf"}
	switch {
	case isOrder:
		f.Category = "order"
	case slices.ContainsFunc(f.Assumes, func(name string) bool { return slices.Contains(onFloats, name) }):
		f.Category = "float"
	case f.Exit == "input" || f.Exit == "state":
		f.Category = "search"
	case f.Stores == "prefixes" || f.Places == "compacted":
		f.Category = "scan"
	default:
		f.Category = "reduce"
	}
}

// Stop is an obstacle with its position.
type Stop struct {
	Kind   string         `json:"kind"`
	Detail string         `json:"detail,omitempty"`
	Pos    token.Position `json:"pos"`
}

// Obstacles lists the kinds of obstacles, which docs/golang.md explains.
func Obstacles() (kinds []string) {
	for _, k := range read.Kinds {
		kinds = append(kinds, string(k))
	}
	return kinds
}

// Summary counts the loops of packages.
type Summary struct {
	Loops      int // natural loops
	Innermost  int
	Carried    int // innermost ones that carry more than inductions
	Outer      int // loops around others that were read
	Read       int // innermost and outer ones of which an update was read
	Answered   int // of which an operator or a lift was found
	Lifted     int
	Histograms int // innermost ones that carry nothing, and add to elements of a table
	Searches   int // innermost ones that carry nothing, and search
}

// Add adds the counts of another summary.
func (s *Summary) Add(t Summary) {
	s.Loops += t.Loops
	s.Innermost += t.Innermost
	s.Carried += t.Carried
	s.Outer += t.Outer
	s.Read += t.Read
	s.Answered += t.Answered
	s.Lifted += t.Lifted
	s.Searches += t.Searches
	s.Histograms += t.Histograms
}

// Inspector inspects packages, and remembers what it answered to updates. The zero Inspector is ready for use, by
// several goroutines at once.
type Inspector struct {
	Strict bool // accepts no answer that needs variables of different names to be apart (noalias)

	Par string // the path of package par for fixes; an empty one is internal/par of the module

	answers answers
}

// Inspect reads the innermost loops of a package and matches them. Loops that a comment tells it to ignore are
// counted and not reported. The error is the context's, or says that the package has no SSA form.
func (in *Inspector) Inspect(ctx context.Context, p *Package) (list []*Finding, sum Summary, err error) {
	notes := directivesOf(p)
	all, seen, err := readLoops(p, notes)
	if err != nil {
		return nil, sum, err
	}
	sum.Loops = seen
	fixer, namers := newFixer(p, in.Par), map[*ssa.Function]*namer{}
	for _, l := range all {
		if l.Innermost {
			sum.Innermost++
		} else {
			sum.Outer++
		}
		if !l.Carried && !l.Search && l.Histogram == nil {
			continue
		}
		if l.Innermost && l.Carried {
			sum.Carried++
		}
		d := notes.at(p.Fset.Position(l.Pos()))
		d.ignore = d.ignore || fixer.isParallel(l)
		n := namers[l.Func]
		if n == nil {
			n = newNamer(l.Func, p.Info)
			namers[l.Func] = n
		}
		n.loop = l.Loop
		f, a, err := in.finding(ctx, p, l, n, d)
		if err != nil {
			return nil, sum, err
		}
		f.Source = fixer.line(f.Pos)
		f.categorize()
		if !d.ignore && (f.Verdict == Reduction || f.Verdict == Lift || f.Verdict == Search || f.Verdict == Histogram) {
			fixer.fix(f, l, a, d)
		}
		if f.Verdict != Stopped && f.Verdict != Search && l.Histogram == nil {
			sum.Read++
		}
		switch f.Verdict {
		case Search:
			sum.Searches++
		case Histogram:
			sum.Histograms++
		case Lift:
			sum.Lifted++
			sum.Answered++
		case Reduction:
			sum.Answered++
		}
		if !d.ignore {
			list = append(list, f)
		}
	}
	return list, sum, nil
}

// finding matches a loop that carries values, under the assumptions that are granted at it.
func (in *Inspector) finding(ctx context.Context, p *Package, l *read.Loop, n *namer, d directive) (*Finding, *rfactor.Answer, error) {
	allowed := d.granted | ir.DefaultAssumptions
	around := l.Func
	for read.IsYield(around) {
		around = around.Parent()
	}
	f := &Finding{Pos: p.Fset.Position(l.Pos()), at: l.Pos(), Func: around.RelString(p.Types), OverFunction: l.Yield, Endless: l.Endless, Outer: !l.Innermost}
	if l.Stmt != nil {
		f.EndLine = p.Fset.Position(l.Stmt.End()).Line
	}
	for i, phi := range l.States {
		f.State = append(f.State, l.Parts[i].Text(phi.Type(), lengthText(phi.Type(), l.Update != nil && l.Parts[i] != read.Token, named(phi.Comment))))
	}
	for _, c := range l.Cells {
		f.State = append(f.State, c.Part.Text(c.Type, lengthText(c.Type, l.Update != nil && c.Part != read.Token, n.location(c.Addresses[0]))))
	}
	for _, d := range l.Derived {
		f.State = append(f.State, n.describe(d.Values[0]))
	}
	f.notePanics(l, n)
	if l.Histogram != nil {
		f.fillHistogram(l, n)
		if in.Strict && l.NoAlias {
			f.refuseNoAlias()
		}
		return f, nil, nil
	}
	if l.Search {
		f.Verdict, f.Exit, f.Plain = Search, "input", true
		f.Update = []string{n.condition(l)}
		if l.Promised {
			f.Assumes = []string{"pure"}
		}
		return f, nil, nil
	}
	if l.Update == nil {
		if g, err := in.ofInstances(ctx, p, l, n, d); g != nil || err != nil {
			return g, nil, err
		}
		f.Verdict = Stopped
		for _, o := range l.Obstacles {
			pos := o.Pos
			if !pos.IsValid() {
				pos = l.Pos()
			}
			f.Obstacles = append(f.Obstacles, Stop{string(o.Kind), o.Detail, p.Fset.Position(pos)})
		}
		return f, nil, nil
	}
	u, was := canonical(l.Update)
	a, err := in.answers.match(ctx, u, allowed, d.named)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, err
		}
		f.Verdict, f.Code, f.Reason = Refused, "failed", err.Error()
		return f, nil, nil
	}
	switch {
	case l.StoresState:
		f.Stores = "prefixes"
	case l.Stores:
		f.Stores = "elements"
	}
	switch {
	case l.Scatters:
		f.Places = "scattered"
	case l.Compacts:
		f.Places = "compacted"
	}
	f.Rereads = l.Stores && l.Rereads
	f.Exit = []string{"counted", "input", "state"}[l.Exit]
	words := n.words(l, u, was)
	tokens, ok := tokensOf(l, a, was)
	if !ok {
		f.Verdict, f.Code, f.Reason = Refused, "token", "the operator that was found computes with a value that is no number"
		return f, a, nil
	}
	f.fill(a, words, tokens)
	f.assume(a, l)
	f.orderOfMap(ctx, l, u, was, words, allowed)
	if in.Strict && slices.Contains(f.Assumes, "noalias") {
		f.refuseNoAlias()
	}
	return f, a, nil
}

// ofInstances is what holds of a generic loop whichever type its parameter is; nil where the operator is not the same for all.
func (in *Inspector) ofInstances(ctx context.Context, p *Package, l *read.Loop, n *namer, d directive) (f *Finding, err error) {
	var plain, other []string // the injects of the first type, and of those for which they differ
	for _, instance := range l.Instances {
		g, _, err := in.finding(ctx, p, instance, n, d)
		switch {
		case err != nil:
			return nil, err
		case g.Code == "noalias":
			return g, nil
		case g.Verdict != Reduction && g.Verdict != Lift || f != nil && !f.agrees(g):
			return nil, nil
		case f == nil:
			f, plain = g, slices.Clone(g.Inject)
			continue
		case !slices.Equal(plain, g.Inject) && other == nil:
			other = g.Inject
			for i, text := range other {
				if text != plain[i] {
					f.Inject[i] = plain[i] + ", of other types " + text
				}
			}
		case !slices.Equal(plain, g.Inject) && !slices.Equal(other, g.Inject):
			return nil, nil
		}
		f.Assumes, f.Panics, f.Elsewhere, f.Endless = union(f.Assumes, g.Assumes), union(f.Panics, g.Panics), union(f.Elsewhere, g.Elsewhere), union(f.Endless, g.Endless)
		f.Laws = slices.DeleteFunc(f.Laws, func(law string) bool { return !slices.Contains(g.Laws, law) })
		if !slices.Equal(f.Identity, g.Identity) {
			f.Identity, f.Side = nil, ""
		}
	}
	return f, nil
}

// agrees reports whether two findings claim the same operator.
func (f *Finding) agrees(g *Finding) bool {
	return f.Verdict == g.Verdict && f.OverMap == g.OverMap && f.Exit == g.Exit && slices.Equal(f.Operator, g.Operator) && len(f.Inject) == len(g.Inject) && slices.Equal(f.Apply, g.Apply) &&
		slices.Equal(f.Names, g.Names)
}

// union is a list with what it lacks of another.
func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

func (f *Finding) refuseNoAlias() {
	f.Verdict, f.Code, f.Reason = Refused, "noalias", "what it stores may be what it loads under another name, and -strict takes no two names to be apart"
}

// fillHistogram says what a loop adds to which element.
func (f *Finding) fillHistogram(l *read.Loop, n *namer) {
	h := l.Histogram
	is := map[token.Token][2]string{token.ADD: {"sum", "0"}, token.MUL: {"product", "1"}, token.OR: {"bit_or", "0"}, token.XOR: {"bit_xor", "0"}}[h.Op]
	value := n.describe(h.Value)
	if h.Minus {
		value = "-(" + value + ")"
	}
	f.Verdict, f.Exit, f.Plain, f.Stores, f.Places = Histogram, "counted", true, "elements", "scattered"
	f.State = []string{n.location(h.Store.Addr)}
	f.Operator, f.Inject, f.Names = []string{"x0 " + h.Op.String() + " y0"}, []string{value}, []string{is[0]}
	f.Identity, f.Side, f.Laws = []string{is[1]}, "two", []string{"commutative"}
	if l.NoAlias {
		f.Assumes = append(f.Assumes, "noalias")
	}
	if l.Promised {
		f.Assumes = append(f.Assumes, "pure")
	}
}

// notePanics lists how steps may panic, each way once, and where the state or the end of a search decides about it.
func (f *Finding) notePanics(l *read.Loop, n *namer) {
	for _, way := range l.Panics {
		if !slices.Contains(f.Panics, way.Kind) {
			f.Panics = append(f.Panics, way.Kind)
		}
		if !way.Decided && l.Exit == read.Counted {
			continue
		}
		text := way.Kind
		if v, ok := way.At.(ssa.Value); ok {
			if where := n.describe(v); !strings.Contains(where, "…") {
				text += " of " + where
			}
		}
		if !slices.Contains(f.Elsewhere, text) {
			f.Elsewhere = append(f.Elsewhere, text)
		}
	}
}

// assume lists what a claim relies on. A float that is counted up rounds in every step, and
// a product may be fused with a sum where the language permits that.
func (f *Finding) assume(a *rfactor.Answer, l *read.Loop) {
	if f.Verdict == Refused {
		return
	}
	assumes := a.Assumes
	if l.Floats {
		assumes |= ir.Reassoc
	}
	f.Assumes = assumes.Names()
	for _, g := range a.Given {
		f.Assumes = append(f.Assumes, g.String())
	}
	if l.NoAlias {
		f.Assumes = append(f.Assumes, "noalias")
	}
	if l.Promised {
		f.Assumes = append(f.Assumes, "pure")
	}
	if l.Contract && slices.ContainsFunc(a.Types, ir.Type.IsFloat) {
		f.Assumes = append(f.Assumes, "contract")
	}
}

// lengthText writes what a component is that a slice or a string gives: its length.
func lengthText(t types.Type, isNumber bool, text string) string {
	switch u := t.Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		isNumber = isNumber && u.Info()&types.IsString != 0
	default:
		isNumber = false
	}
	if isNumber {
		return "len(" + text + ")"
	}
	return text
}
