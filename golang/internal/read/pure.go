package read

import (
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/ssa"
)

// Purity tells which functions have no effect: they write nothing that is seen outside, and what they give depends on
// their arguments and on memory alone. They may panic.
type Purity struct {
	memo map[*ssa.Function]bool
}

// library lists pure functions of other packages. Those that take functions are left out.
var library = regexp.MustCompile(`^(` +
	`math\.[A-Z]\w*|math/cmplx\.[A-Z]\w*|math/bits\.[A-Z]\w*` +
	`|unicode\.(Is[A-Z]?\w*|To(Lower|Upper|Title)|SimpleFold)` +
	`|unicode/utf8\.(Decode(Last)?Rune(InString)?|FullRune(InString)?|RuneCount(InString)?|RuneLen|RuneStart|Valid(Rune|String)?)` +
	`|\(encoding/binary\.(little|big)Endian\)\.Uint(16|32|64)` +
	`|strings\.(HasPrefix|HasSuffix|Contains|ContainsRune|ContainsAny|Index|IndexByte|IndexRune|IndexAny|LastIndex|LastIndexByte|Count|EqualFold|Compare)` +
	`|bytes\.(Equal|HasPrefix|HasSuffix|Contains|ContainsRune|ContainsAny|Index|IndexByte|IndexRune|IndexAny|LastIndex|LastIndexByte|Count|EqualFold|Compare)` +
	`)$`)

// Has reports whether calls of a function have no effect. A function of another package is pure only if
// it is listed.
func (p *Purity) Has(f *ssa.Function) bool {
	if known, ok := p.memo[f]; ok {
		return known
	}
	if p.memo == nil {
		p.memo = map[*ssa.Function]bool{}
	}
	p.memo[f] = false // a recursive function is not known to end
	pure := library.MatchString(f.RelString(nil))
	if f.Blocks != nil && !pure {
		pure = f.Recover == nil && len(f.FreeVars) == 0 && p.body(f)
	}
	p.memo[f] = pure
	return pure
}

func (p *Purity) body(f *ssa.Function) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if !p.instruction(i) {
				return false
			}
		}
	}
	return true
}

func (p *Purity) instruction(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Field, *ssa.FieldAddr, *ssa.Index, *ssa.IndexAddr, *ssa.Slice,
		*ssa.Lookup, *ssa.Extract, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.DebugRef:
		return true
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

func isChannel(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Chan)
	return ok
}
