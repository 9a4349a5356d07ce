// Package syntax parses the textual IR of LLVM 14 to 22, as far as its readers ask: functions with their
// blocks and instructions, struct types, attributes, and metadata.
//
//	%5 = add nsw i32 %4, 1, !dbg !12   →   Inst{Res: "%5", Op: "add", Flags: nsw, Args: %4 and 1}
//
// Pointers may be typed or opaque. An instruction that is not known is kept with the values that it uses, so
// that what does not depend on it can be read all the same. What is no IR at all is an *ir.Error with its place.
package syntax

import "github.com/rfactor-go/rfactor/ir"

// Module is a source of IR.
type Module struct {
	Source   *ir.Source
	Funcs    []*Func
	structs  map[string]*Type
	attrs    map[string]map[string]bool
	declared map[string]string // the group of attributes of a declaration, by name with @
	metadata map[string][]token
}

// Func is a function with a body.
type Func struct {
	Name   string // without @
	Ret    *Type
	Params []Param
	Blocks []*Block // the entry first
	Attrs  map[string]bool
	Pos    ir.Pos
	End    ir.Pos            // behind the closing brace
	Dbg    string            // the DISubprogram; empty where there is none
	RetIs  map[string]bool   // attributes of the result, such as noundef
	Defs   map[string]*Inst  // by result
	Named  map[string]*Block // by label, with %
}

// Param is a parameter.
type Param struct {
	Name  string // with %
	Type  *Type
	Attrs map[string]bool
}

// Block is a basic block; its last instruction is a terminator.
type Block struct {
	Name  string // with %
	Index int
	Insts []*Inst
	Pos   ir.Pos
}

// Last returns the terminator of a block; nil of an empty one.
func (b *Block) Last() *Inst {
	if len(b.Insts) == 0 {
		return nil
	}
	return b.Insts[len(b.Insts)-1]
}

// Inst is an instruction. Which fields are set depends on Op.
type Inst struct {
	Res    string // with %; empty where there is no result
	Op     string
	Flags  map[string]bool
	Type   *Type // of the result; of a store that of what is stored, of an alloca and a getelementptr the element
	Pred   string
	Args   []Value
	Labels []string // of a phi, a branch or a switch: the default first
	Callee string   // with @; empty of an unknown one
	Attrs  map[string]bool
	Meta   map[string]string // !range → !5
	Uses   []string          // all local values of an instruction that is not known
	Pos    ir.Pos
	Text   string // the first word and what follows, for obstacles
}

// ValueKind says what a value is.
type ValueKind uint8

// The kinds of values.
const (
	Local     ValueKind = iota // %x
	Global                     // @x
	Int                        // 12, true, false
	Float                      // 1.0, 0x…
	Null                       // null, zeroinitializer, none
	Undefined                  // undef, poison
	Other                      // a constant expression, an aggregate, metadata
)

// Value is an operand with its type.
type Value struct {
	Kind ValueKind
	Type *Type
	Text string // %x, @x, 12, poison
	Bits uint64 // of an Int its two's complement, of a Float the IEEE bits of a double
	Wide bool   // an Int that does not fit into 64 bits
	Pos  ir.Pos
}
