// Package rewrite replaces a loop that is a reduction by a call of a function that computes it in parallel.
//
//	for _, v := range a { s += v }   →   s = rfactorSum(0, len(a), s, a)
//
// The function cuts the steps into contiguous slices. Each goroutine runs the loop as it is written, from an identity of
// the operator, and the results are merged in the order of the slices. A loop of few steps runs as before.
//
// A loop is rewritten only where nobody can tell the difference. Of refuses every other loop, and says why:
// the values that live out of it are its state; a step writes nothing and calls nothing with an effect; whether a step panics
// does not depend on the state. If a slice panics, what was computed is thrown away and the whole loop runs
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
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/rfactor"
)

// Package is where loops are rewritten.
type Package struct {
	Fset  *token.FileSet
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	Pure  func(*ssa.Function) bool
	Read  func(name string) ([]byte, error) // reads a source file
	Taken func(file string) bool            // reports whether there is a file of that name

	names map[string]bool // of functions that were given
}

// Loop is a loop with the answer to its update.
type Loop struct {
	*loops.Loop
	File    *ast.File
	States  []*ssa.Phi // what x0, x1, … are
	Cells   bool       // some components are variables in memory
	Stores  bool
	Counted bool // how often it runs depends on counters and invariants alone
	OverMap bool
	Floats  bool // some counter is a float
	Assumes []string
	Granted ir.Assume // what a comment at the loop allows
	Answer  *rfactor.Answer
	Title   string // names the operator for the reader
}

// Rewrite is a loop that can be replaced.
type Rewrite struct {
	Name string // of the function
	File string // the source file
	Pos  token.Pos

	loop      *Loop
	pkg       *Package
	source    []byte
	header    header
	continues bool // a step may end by continue
	keyInBody bool // the body mentions the counter
	states    []*types.Var
	outer     []*types.Var // what the loop reads besides
	types     *typeNames
	merge     []string
	start     []string // identity
	needs     string   // helpers of merge and start
}

// refusal is the reason why a loop is left as it is.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }

// Of returns how a loop is replaced, and otherwise an error that says why it is not.
func (p *Package) Of(l *Loop) (*Rewrite, error) {
	r := &Rewrite{loop: l, pkg: p}
	for _, check := range []func() error{r.checkFile, r.checkAnswer, r.readHeader, r.checkBody, r.checkVariables, r.checkEffects, r.checkPanics, r.writeOperator, r.chooseName} {
		if err := check(); err != nil {
			return nil, err
		}
	}
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
	if v := r.version(); v != "" && (!strings.HasPrefix(v, "go1.") || olderThan(v, 22)) {
		return refuse("the code is written for %s: goroutines over slices need go1.22", v)
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

// text is a piece of the source.
func (r *Rewrite) text(from, to token.Pos) string {
	return string(r.source[r.offset(from):r.offset(to)])
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
	case l.Stores:
		return refuse("a step stores")
	case a.Operator.Identity == nil:
		return refuse("the operator has no identity")
	}
	for _, name := range l.Assumes {
		if name == "contract" {
			if l.Granted&ir.Reassoc == 0 {
				return refuse("products may be fused with sums: that takes //rfactor:assume reassoc at the loop")
			}
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

// chooseName finds a name that means nothing at the loop and in the package, and of a file that is not there.
func (r *Rewrite) chooseName() error {
	base := "rfactor" + nameOf(r.loop.Func)
	scope := r.pkg.Types.Scope().Innermost(r.Pos)
	if scope == nil {
		scope = r.pkg.Types.Scope()
	}
	for n := 1; n < 1000; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprint(base, n)
		}
		r.Name = name
		free := !r.pkg.names[name] && !r.pkg.Taken(r.GeneratedFile()) && !r.pkg.Taken(r.TestFile())
		for _, used := range []string{name, name + "Slice", name + "Parallel", name + "Guarded", name + "Merge"} {
			_, found := scope.LookupParent(used, r.Pos)
			free = free && found == nil
		}
		if free {
			if r.pkg.names == nil {
				r.pkg.names = map[string]bool{}
			}
			r.pkg.names[name] = true
			return nil
		}
	}
	return refuse("there is no free name")
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

// fresh returns a name that the loop does not use.
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
