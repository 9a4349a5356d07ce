package read

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/panics"
)

// Facts remembers what is known of functions by their full names, for the packages that call them. The zero Facts is
// ready for use, by several goroutines.
type Facts struct {
	mutex sync.Mutex
	known map[string]Fact
}

// Fact is what is known of a function.
type Fact struct {
	Pure   bool
	Strict bool     // pure on its way to a panic, too
	Ends   bool     // every call of it ends, or panics
	Panics []string // how a call may panic
	Words  bool     // it may load values of several words, or look into a map
	Body   *Body    // nil where it has none in the notation
}

// Of returns what is known of a function by its name.
func (fs *Facts) Of(name string) Fact {
	fs.mutex.Lock()
	defer fs.mutex.Unlock()
	return fs.known[name]
}

// Add records what is known of a function.
func (fs *Facts) Add(name string, fact Fact) {
	fs.mutex.Lock()
	defer fs.mutex.Unlock()
	if fs.known == nil {
		fs.known = map[string]Fact{}
	}
	fs.known[name] = fact
}

// Purity tells which functions of a package, and of those that it imports, have no effect: they write nothing that is
// seen outside, and what they give depends on their arguments and on memory alone. They may panic.
type Purity struct {
	facts  *Facts
	sizes  types.Sizes
	memo   map[*ssa.Function]bool
	ends   map[*ssa.Function]bool
	panics map[*ssa.Function][]string
	words  map[*ssa.Function]bool
	bodies map[*ssa.Function]*Body
	memory map[*ssa.Function]*memory
	strict bool
}

// memoryOf returns what the values of a function point to.
func (p *Purity) memoryOf(f *ssa.Function) *memory {
	if p.memory[f] == nil {
		p.memory[f] = newMemory(f, p.Has)
	}
	return p.memory[f]
}

// NewPurity returns what facts tell of the functions of other packages; nil facts tell nothing.
func NewPurity(facts *Facts, sizes types.Sizes) *Purity {
	if facts == nil {
		facts = &Facts{}
	}
	return &Purity{facts: facts, sizes: sizes, memo: map[*ssa.Function]bool{}, ends: map[*ssa.Function]bool{},
		panics: map[*ssa.Function][]string{}, words: map[*ssa.Function]bool{}, bodies: map[*ssa.Function]*Body{}, memory: map[*ssa.Function]*memory{}}
}

// NewStrictPurity calls no function pure that has an effect on its way to a panic: for those who run a step twice.
func NewStrictPurity(facts *Facts, sizes types.Sizes) *Purity {
	p := NewPurity(facts, sizes)
	p.strict = true
	return p
}

// Record makes facts of the functions of a package.
func (p *Purity) Record(functions []*ssa.Function) {
	strict := NewStrictPurity(p.facts, p.sizes)
	for _, f := range functions {
		if f.Parent() == nil && p.Has(f) {
			p.facts.Add(f.RelString(nil), Fact{true, strict.Has(f), p.Ends(f), p.Panics(f), p.Words(f), p.Body(f)})
		}
	}
}

// library lists pure functions of other packages. Those that take functions are left out.
var library = regexp.MustCompile(`^(` +
	`math\.[A-Z]\w*|math/cmplx\.[A-Z]\w*|math/bits\.[A-Z]\w*` +
	`|unicode\.(Is[A-Z]?\w*|To(Lower|Upper|Title)|SimpleFold)` +
	`|unicode/utf8\.(Decode(Last)?Rune(InString)?|FullRune(InString)?|RuneCount(InString)?|RuneLen|RuneStart|Valid(Rune|String)?)` +
	`|\(encoding/binary\.(little|big)Endian\)\.Uint(16|32|64)` +
	`|strings\.(HasPrefix|HasSuffix|Contains|ContainsRune|ContainsAny|Index|IndexByte|IndexRune|IndexAny|LastIndex|LastIndexByte|Count|EqualFold|Compare)` +
	`|bytes\.(Equal|HasPrefix|HasSuffix|Contains|ContainsRune|ContainsAny|Index|IndexByte|IndexRune|IndexAny|LastIndex|LastIndexByte|Count|EqualFold|Compare)` +
	`|cmp\.(Compare|Less)|slices\.(Contains|Index|Equal|Max|Min|IsSorted)` +
	`)$`)

// Has reports whether calls of a function have no effect. A function without a body is pure only if it is listed, or if
// the facts of its package say so.
func (p *Purity) Has(f *ssa.Function) bool {
	if known, ok := p.memo[f]; ok {
		return known
	}
	p.memo[f] = false // a recursive function is not known to end
	name := f.RelString(nil)
	if origin := f.Origin(); origin != nil && origin != f {
		p.memo[f] = library.MatchString(name) || p.Has(origin)
		return p.memo[f]
	}
	pure := library.MatchString(name)
	switch {
	case pure:
	case isAtomic(f): // its body is not what runs
	case f.Blocks != nil:
		pure = f.Recover == nil && len(f.FreeVars) == 0 && p.body(f)
	default:
		fact := p.facts.Of(name)
		pure = fact.Pure && (fact.Strict || !p.strict)
	}
	p.memo[f] = pure
	return pure
}

// panicking lists the functions of library that may panic, with the way.
var panicking = []struct {
	name *regexp.Regexp
	way  string
}{
	{regexp.MustCompile(`^math/bits\.(Div|Rem)`), "division"},
	{regexp.MustCompile(`^\(encoding/binary\.`), "bounds"},
	{regexp.MustCompile(`^unicode\.Is(OneOf)?$`), "nil"},
	{regexp.MustCompile(`^slices\.(Contains|Index|Equal)$`), "comparison"}, // of interfaces
	{regexp.MustCompile(`^slices\.(Max|Min)$`), "panic"},                   // of nothing
}

// Ends reports whether every call of a pure function ends, or panics: it has no loop but those whose bound is known, calls only such
// functions, and waits for nothing, not even on its way to a panic.
func (p *Purity) Ends(f *ssa.Function) bool {
	if known, ok := p.ends[f]; ok {
		return known
	}
	p.ends[f] = false // a recursive function is not known to end
	name := f.RelString(nil)
	ends := library.MatchString(name)
	switch origin := f.Origin(); {
	case ends:
	case origin != nil && origin != f:
		ends = p.Ends(origin)
	case f.Blocks == nil:
		ends = p.facts.Of(name).Ends
	default:
		ends = loops.Ends(f)
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				ends = ends && p.passes(i)
			}
		}
	}
	p.ends[f] = ends
	return ends
}

// passes reports whether an instruction surely ends: it waits for no channel, and calls only functions that end.
func (p *Purity) passes(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Select, *ssa.Send:
		return false
	case *ssa.UnOp:
		return i.Op != token.ARROW
	case ssa.CallInstruction:
		switch f := i.Common().Value.(type) {
		case *ssa.Builtin:
			return true
		case *ssa.Function:
			return p.Ends(f)
		}
		return false
	}
	return true
}

// Panics names the ways in which a call of a pure function may panic.
func (p *Purity) Panics(f *ssa.Function) (list []string) {
	if known, ok := p.panics[f]; ok {
		return known
	}
	p.panics[f] = nil
	defer func() { p.panics[f] = list }()
	name := f.RelString(nil)
	for _, known := range panicking {
		if known.name.MatchString(name) {
			return []string{known.way}
		}
	}
	switch origin := f.Origin(); {
	case library.MatchString(name):
		return nil
	case origin != nil && origin != f:
		return p.Panics(origin)
	case f.Blocks == nil:
		return p.facts.Of(name).Panics
	}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			for _, way := range panics.Of(i, p.Panics) {
				if !slices.Contains(list, way) {
					list = append(list, way)
				}
			}
		}
	}
	return list
}

// isAtomic reports whether a function belongs to a package in which a load is more than a load: others write what it sees.
func isAtomic(f *ssa.Function) bool {
	if f.Pkg == nil {
		return false
	}
	path := f.Pkg.Pkg.Path()
	return path == "sync/atomic" || path == "internal/runtime/atomic"
}

// body reports whether no way through a function has an effect. Ways that end in a panic may do what they want: of a loop
// that panics nothing is claimed.
func (p *Purity) body(f *ssa.Function) bool {
	doomed, allocates := panics.Doomed(f), false
	for _, b := range f.Blocks {
		if doomed[b] && !p.strict {
			continue
		}
		for _, i := range b.Instrs {
			if !p.instruction(i) {
				return false
			}
			if _, ok := i.(*ssa.Alloc); ok {
				allocates = true
			}
		}
	}
	return !allocates || givesNumbers(f.Signature.Results())
}

// givesNumbers reports whether results hold no address: a function that makes variables gives other addresses in each
// call.
func givesNumbers(results *types.Tuple) bool {
	var plain func(t types.Type) bool
	plain = func(t types.Type) bool {
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return false
		}
		switch t := t.Underlying().(type) {
		case *types.Basic:
			return t.Kind() != types.UnsafePointer
		case *types.Array:
			return plain(t.Elem())
		case *types.Struct:
			for f := range t.Fields() {
				if !plain(f.Type()) {
					return false
				}
			}
			return true
		}
		return false
	}
	for v := range results.Variables() {
		if !plain(v.Type()) {
			return false
		}
	}
	return true
}

func (p *Purity) instruction(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Field,
		*ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.Lookup, *ssa.Extract, *ssa.If, *ssa.Jump,
		*ssa.Return, *ssa.DebugRef, *ssa.Alloc:
		return true
	case *ssa.Store:
		return isOwn(i.Addr)
	case *ssa.Range: // of a map, in no order
		_, isMap := i.X.Type().Underlying().(*types.Map)
		return !isMap
	case *ssa.Next:
		return i.IsString
	case *ssa.UnOp:
		return i.Op != token.ARROW
	case *ssa.Call:
		switch f := i.Call.Value.(type) {
		case *ssa.Builtin:
			switch f.Name() {
			case "len", "cap": // others may send to a channel meanwhile
				return !isChannel(i.Call.Args[0])
			case "min", "max", "real", "imag", "complex":
				return true
			}
		case *ssa.Function:
			return p.Has(f)
		}
	}
	return false
}

// isOwn reports whether an address lies in a variable that the function itself makes.
func isOwn(address ssa.Value) bool {
	return loops.LocalOf(address) != nil
}

func isChannel(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}
