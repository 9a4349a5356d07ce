// Package rewrite lets a loop that is a reduction, a search, a scan or a histogram run in parallel where it is long.
//
//	for _, v := range a { s += v }   →   s = par.Reduce(len(a), 1<<16, s, 0, func(lo, hi, s int) int { … }, func(x, y int) int { return x + y })
//
// Package par cuts the steps into contiguous blocks. Each goroutine runs the loop as it is written, from an identity of
// the operator, and the results are merged in the order of the blocks. A loop of few steps runs as before.
//
// A loop is rewritten only where nobody can tell the difference. Of refuses every other loop, and says why:
// the values that live out of it are its state; a step writes nothing, but elements on which no other step depends, and calls only functions
// that have no effect and end; whether a step panics does not depend on the state. A search may panic, and what it does at its end is done
// once, by the code that was there: search.go, scan.go and histogram.go say more. If a block panics, what was computed is thrown away and the whole loop runs
// serially: it panics in the caller, at the step and with the value of the original loop.
package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/read"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Package is where loops are rewritten.
type Package struct {
	Fset   *token.FileSet
	Types  *types.Package
	Info   *types.Info
	Sizes  types.Sizes
	Pure   func(*ssa.Function) bool          // calls have no effect
	Ends   func(*ssa.Function) bool          // every call ends, or panics
	Panics func(*ssa.Function) []string      // how a call may panic
	Words  func(*ssa.Function) bool          // a call may load values of several words
	Read   func(name string) ([]byte, error) // reads a source file
	Par    string                            // the path of package par

	names map[string]bool // of tests that were given
}

// Loop is a loop with the answer to its update.
type Loop struct {
	*loops.Loop
	File                                     *ast.File
	States                                   []*ssa.Phi  // what x0, x1, … are
	Parts                                    []read.Part // which part of it each is; a complex phi is two components
	Cells                                    bool        // some components are variables in memory
	Stores                                   bool        // a step stores something, and …
	StoresState, Compacts, Scatters, Rereads bool        // … what is said of that in package read
	Counted                                  bool        // how often it runs depends on counters and invariants alone
	OverMap                                  bool
	Floats                                   bool            // some counter is a float
	Search                                   bool            // it carries nothing, and what it reads decides where it ends
	Histogram                                *read.Histogram // it adds to elements of a table; otherwise nil
	Ahead                                    bool            // a comment says that nobody writes what steps behind its end read
	Promised                                 bool            // a comment says of calls that they have no effect, end and do not panic
	Assumes                                  []string
	Granted                                  ir.Assume // what a comment at the loop allows
	Answer                                   *rfactor.Answer
	Title                                    string // names the operator for the reader
}

// Rewrite is a loop that can be replaced: by a call of a function of package par.
type Rewrite struct {
	Name string // of its test
	File string // the source file
	Pos  token.Pos

	loop                   *Loop
	pkg                    *Package
	source                 []byte
	header                 header
	exits                  []region          // of a search: what ends the loop
	stores                 []*ast.AssignStmt // of a scan: the statements that store
	table                  *types.Var        // of a histogram, and …
	added                  ast.Node          // … the statement that adds to it
	edits                  []PosEdit         // changes to the text of the source that is written
	keyInBody, valueInBody bool              // the body, but for what ends the loop, mentions the variables of the header
	states                 []*types.Var      // of a complex one there are two components
	components             []component
	outer                  []*types.Var // what the loop reads besides
	types                  *typeNames
	merge                  string   // statements that return the operator of x and y
	start                  []string // identity
	hasLocals              bool     // the loop uses types, constants or functions of the function
	usesMath               bool     // merge or start mention package math
	own                    string   // the function that calls package par; empty where the call stands in the place of the loop
	params                 []*types.Var
	flags                  []string   // of a loop that assigns its state alone: the variable that says so of each variable
	list                   *types.Var // what is ranged over, where it is computed before; otherwise nil
	grain                  int64      // steps of a block
	least                  int64      // steps from which on the loop runs in blocks
}

// component is what a component of the state is in the function.
type component struct {
	variable int // in states
	part     read.Part
}

// ParPath is the path of the package that the replacement imports.
func (r *Rewrite) ParPath() string { return r.pkg.Par }

// Function is that of package par which the replacement calls.
func (r *Rewrite) Function() string {
	switch {
	case r.loop.Search:
		return "Find"
	case r.loop.Histogram != nil:
		return "Histogram"
	case len(r.stores) > 0:
		return "Scan"
	}
	return "Reduce"
}

// refusal is the reason why a loop is left as it is.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// Of returns how a loop is replaced, and otherwise an error that says why it is not.
func (p *Package) Of(l *Loop) (*Rewrite, error) {
	r := &Rewrite{loop: l, pkg: p}
	checks := []func() error{r.checkFile, r.checkAnswer, r.readHeader, r.findStores, r.checkStoredBounds, r.checkBody, r.checkVariables, r.checkEffects, r.checkPanics, r.findGrain, r.writeOperator}
	if l.Search {
		checks = []func() error{r.checkFile, r.checkSearch, r.readHeader, r.findExits, r.checkBody, r.checkVariables, r.checkEffects, r.checkAhead, r.findGrain, r.checkNames}
	}
	if l.Histogram != nil {
		checks = []func() error{r.checkFile, r.checkHistogram, r.readHeader, r.findTable, r.checkStoredBounds, r.checkBody, r.checkVariables, r.checkEffects, r.findGrain, r.writeTable}
	}
	if l.isLast() {
		checks = []func() error{r.checkFile, r.checkLast, r.checkPromises, r.readHeader, r.checkBody, r.checkVariables, r.checkEffects, r.checkPanics, r.findGrain, r.writeLast}
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return nil, err
		}
	}
	if p.names == nil {
		p.names = map[string]bool{}
	}
	for n := 1; r.Name == "" || p.names[r.Name]; n++ {
		r.Name = "rfactor" + nameOf(l.Func)
		if n > 1 {
			r.Name += fmt.Sprint(n)
		}
	}
	p.names[r.Name] = true
	r.findOwn()
	return r, nil
}

// checkFile refuses files that are not written by hand, or not read by all.
func (r *Rewrite) checkFile() error {
	if r.loop.File == nil || r.loop.Stmt == nil {
		return refuse("the loop is made of gotos")
	}
	at := r.pkg.Fset.PositionFor(r.loop.Stmt.Pos(), false)
	r.File, r.Pos = at.Filename, r.loop.Stmt.Pos()
	switch {
	case strings.HasSuffix(at.Filename, ".cgo1.go"): // what cgo made of a file stands in for it
		return refuse("the file uses cgo")
	case ast.IsGenerated(r.loop.File):
		return refuse("the file is generated")
	case r.pkg.Fset.Position(r.Pos) != at:
		return refuse("the file has line directives")
	case strings.HasSuffix(at.Filename, "_test.go"):
		return refuse("the file is a test")
	}
	for _, d := range r.loop.File.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Pos() <= r.Pos && r.Pos < d.End() && d.Doc != nil {
			for _, c := range d.Doc.List {
				if strings.HasPrefix(c.Text, "//go:") && c.Text != "//go:noinline" {
					return refuse("the function has a directive %s", c.Text)
				}
			}
		}
	}
	for _, i := range r.loop.File.Imports {
		if i.Path.Value == `"C"` {
			return refuse("the file uses cgo")
		}
	}
	if v := r.version(); v != "" && olderThan(v, 18) {
		return refuse("the code is written for %s: package par has type parameters, of go1.18", v)
	}
	var err error
	if r.source, err = r.pkg.Read(at.Filename); err != nil {
		return refuse("%v", err)
	}
	if start, end := r.offset(r.loop.Stmt.Pos()), r.offset(r.loop.Stmt.End()); end > len(r.source) || !strings.HasPrefix(string(r.source[start:]), "for") {
		return refuse("the source is not what was parsed")
	}
	return nil
}

// version is that of the language for the file.
func (r *Rewrite) version() string {
	if v := r.pkg.Info.FileVersions[r.loop.File]; v != "" {
		return v
	}
	return r.pkg.Types.GoVersion()
}

func olderThan(version string, minor int) bool {
	var n int
	_, err := fmt.Sscanf(version, "go1.%d", &n)
	return err != nil || n < minor
}

func (r *Rewrite) offset(pos token.Pos) int { return r.pkg.Fset.PositionFor(pos, false).Offset }

// text is a piece of the source, with the changes of r.edits in it.
func (r *Rewrite) text(from, to token.Pos) string {
	var inside []Edit
	edits := r.edits
	if r.list != nil {
		x := r.header.to
		edits = slices.DeleteFunc(slices.Clone(edits), func(e PosEdit) bool { return x.Pos() <= e.Pos && e.End <= x.End() })
		edits = append(edits, PosEdit{x.Pos(), x.End(), r.list.Name()})
	}
	for _, e := range edits {
		if from <= e.Pos && e.End <= to {
			inside = append(inside, Edit{r.offset(e.Pos) - r.offset(from), r.offset(e.End) - r.offset(from), e.Text})
		}
	}
	return string(apply(r.source[r.offset(from):r.offset(to)], inside))
}

func (r *Rewrite) textOf(n ast.Node) string { return r.text(n.Pos(), n.End()) }

// grantable are the assumptions that a comment at a loop may grant for a fix. Those on overflow are promises about the
// serial loop.
const grantable = ir.Reassoc | ir.NNaN | ir.NSZ

// checkAnswer refuses answers that need more than what is granted at the loop.
func (r *Rewrite) checkAnswer() error {
	l, a := r.loop, r.loop.Answer
	switch {
	case l.OverMap:
		return refuse("a map has no slices")
	case !l.Counted:
		return refuse("what is read, or the state, decides where the loop ends")
	case a.Status == rfactor.Lifted:
		return refuse("the operator is on parameters of steps")
	case a.Status != rfactor.Associative:
		return refuse("there is no operator")
	case len(a.Given) > 0:
		return refuse("the answer relies on an invariant of the state")
	case l.Cells:
		return refuse("the state is a variable in memory")
	case l.Stores && !l.isScan():
		return refuse("a step stores")
	case a.Operator.Identity == nil:
		return refuse("the operator has no identity")
	case a.Assumes&grantable != 0 && readsLess(a):
		return refuse("under %s the operator reads less than the loop", a.Assumes)
	}
	for _, name := range l.Assumes {
		if name == "contract" {
			if l.Granted&ir.Reassoc == 0 {
				return refuse("products may be fused with sums: that takes //rfactor:assume reassoc at the loop")
			}
			continue
		}
		if name == "pure" { // the comment promises it
			continue
		}
		as, err := ir.ParseAssume(name)
		if err != nil || as&^grantable != 0 {
			return refuse("the answer assumes %s", name)
		}
		if as&^l.Granted != 0 {
			return refuse("the answer assumes %s: that takes //rfactor:assume %s at the loop", name, name)
		}
	}
	return nil
}

// readsLess reports whether an answer ignores a state or an input of the update.
func readsLess(a *rfactor.Answer) bool {
	x, _, _ := a.Operator.Operands()
	after := a.Operator.Apply(x, a.Inject)
	for i, e := range a.Update {
		if after[i] == x[i] && e != x[i] {
			return true
		}
	}
	read := ir.Vars(after...)
	return slices.ContainsFunc(ir.Vars(a.Update...), func(v ir.Expr) bool { return !slices.Contains(read, v) })
}

// nameOf is the name of the function around a loop, and of its receiver's type, with an upper-case letter first.
func nameOf(f *ssa.Function) string {
	for f.Parent() != nil {
		f = f.Parent()
	}
	name := f.Name()
	if recv := f.Signature.Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = upper(n.Obj().Name()) + upper(name)
		}
	}
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, name)
	return upper(name)
}

func upper(s string) string {
	c := []rune(s)
	if len(c) > 0 {
		c[0] = unicode.ToUpper(c[0])
	}
	return string(c)
}

// fresh returns a name that the loop does not use, and no result of the function has.
func (r *Rewrite) fresh(name string) string {
	used := map[string]bool{}
	ast.Inspect(r.loop.Stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, v := range slices.Concat(r.states, r.outer) {
		used[v.Name()] = true
	}
	for v := range r.loop.Func.Signature.Results().Variables() { // a return without values mentions them
		used[v.Name()] = true
	}
	for i := 0; ; i++ {
		candidate := name
		if i > 0 {
			candidate = fmt.Sprint(name, i)
		}
		if !used[candidate] {
			return candidate
		}
	}
}
