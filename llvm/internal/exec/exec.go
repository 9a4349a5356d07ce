// Package exec executes functions of LLVM IR, to compare loops with what was read of them. It shares no code with the reader.
//
//	%t = add nsw i32 %s, %a   →   the sum, or poison where it overflows
//
// Poison is followed as the language reference says. What is undefined behaviour ends the run with ErrUndefined, and what is
// not known here with ErrUnknown, so that a result is that of every correct compiler.
package exec

import (
	"errors"
	"fmt"

	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// ErrUndefined is the error of a run that has undefined behaviour, ErrUnknown that of one that cannot be executed here.
var (
	ErrUndefined = errors.New("undefined behaviour")
	ErrUnknown   = errors.New("not executed")
)

// Value is a scalar. Floats have the bits of their own width, pointers an address.
type Value struct {
	Bits   uint64
	Poison bool
}

// Memory is what pointers point to: a row of bytes whose first one has the address Base.
type Memory []byte

// Base is the address of the first byte of memory.
const Base = 1 << 16

// Frame is a function that runs. Values of instructions that have not run yet are missing.
type Frame struct {
	Func   *syntax.Func
	Values map[string]Value
	memory Memory
}

// maxBlocks bounds the blocks of a run.
const maxBlocks = 100_000

// Run executes a function, and returns its result. It calls enter, which may change values, with each block whose phis have run.
func Run(f *syntax.Func, args []Value, memory Memory, enter func(*Frame, *syntax.Block)) (result Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, ok := p.(stuck)
			if !ok {
				panic(p)
			}
			err = s.err
		}
	}()
	fr := &Frame{Func: f, Values: map[string]Value{}, memory: memory}
	for i, p := range f.Params {
		fr.Values[p.Name] = args[i]
	}
	from, at := "", f.Blocks[0]
	for range maxBlocks {
		n := fr.phis(from, at)
		if enter != nil {
			enter(fr, at)
		}
		for _, in := range at.Insts[n:] {
			switch in.Op {
			case "ret":
				return fr.result(in), nil
			case "br", "switch":
				from, at = at.Name, fr.next(in)
			case "unreachable":
				undefined()
			default:
				if v, ok := fr.step(in); ok && in.Res != "" {
					fr.Values[in.Res] = v
				}
			}
		}
	}
	return Value{}, fmt.Errorf("%w: more than %d blocks", ErrUnknown, maxBlocks)
}

// stuck is the panic that ends a run.
type stuck struct{ err error }

func undefined() { panic(stuck{ErrUndefined}) }

func unknown(format string, args ...any) {
	panic(stuck{fmt.Errorf("%w: "+format, append([]any{ErrUnknown}, args...)...)})
}

// phis gives all phis of a block their values at once, and returns how many there are.
func (fr *Frame) phis(from string, b *syntax.Block) (n int) {
	var values []Value
	for _, in := range b.Insts {
		if in.Op != "phi" {
			break
		}
		for i, label := range in.Labels {
			if label == from {
				values = append(values, fr.flagged(in, fr.value(in.Args[i])))
				break
			}
		}
		if n++; len(values) != n {
			unknown("a phi without %s", from)
		}
	}
	for i, v := range values {
		fr.Values[b.Insts[i].Res] = v
	}
	return n
}

// next is the block that a terminator goes to.
func (fr *Frame) next(in *syntax.Inst) *syntax.Block {
	if len(in.Args) == 0 {
		return fr.Func.Named[in.Labels[0]]
	}
	on := fr.value(in.Args[0])
	if on.Poison {
		undefined()
	}
	if in.Op == "br" {
		return fr.Func.Named[in.Labels[1-on.Bits&1]]
	}
	for i, v := range in.Args[1:] {
		if fr.value(v).Bits == on.Bits {
			return fr.Func.Named[in.Labels[i+1]]
		}
	}
	return fr.Func.Named[in.Labels[0]]
}

func (fr *Frame) result(in *syntax.Inst) Value {
	if len(in.Args) == 0 {
		return Value{}
	}
	v := fr.value(in.Args[0])
	if v.Poison && fr.Func.RetIs["noundef"] {
		undefined()
	}
	return v
}

// value is that of an operand.
func (fr *Frame) value(v syntax.Value) Value {
	switch v.Kind {
	case syntax.Local:
		known, ok := fr.Values[v.Text]
		if !ok {
			unknown("%s has no value", v.Text)
		}
		return known
	case syntax.Int:
		return Value{Bits: v.Bits & mask(width(v.Type))}
	case syntax.Float:
		return ofFloat(v.Type, toDouble(v.Bits))
	case syntax.Null:
		return Value{}
	}
	if v.Kind == syntax.Undefined && v.Text == "poison" {
		return Value{Poison: true}
	}
	unknown("a value %s", v.Text)
	return Value{}
}

// width is that of a scalar in bits.
func width(t *syntax.Type) int {
	switch {
	case t.Kind == syntax.Integer && t.Bits <= 64:
		return t.Bits
	case t.Kind == syntax.FloatType:
		return 32
	case t.Kind == syntax.DoubleType, t.Kind == syntax.Pointer:
		return 64
	}
	unknown("a type %s", t)
	return 0
}

func mask(bits int) uint64 { return ^uint64(0) >> (64 - bits) }

// signed is a number of some bits with its sign.
func signed(v uint64, bits int) int64 { return int64(v<<(64-bits)) >> (64 - bits) }

// load reads a scalar from memory.
func (fr *Frame) load(in *syntax.Inst) Value {
	at := fr.value(in.Args[0])
	size, n := uint64(width(in.Type)+7)/8, uint64(len(fr.memory))
	if at.Poison || at.Bits < Base || at.Bits-Base > n || n-(at.Bits-Base) < size {
		undefined()
	}
	var v Value
	for i := range size {
		v.Bits |= uint64(fr.memory[at.Bits-Base+i]) << (8 * i)
	}
	v.Bits &= mask(width(in.Type))
	return v
}

// address is what getelementptr computes.
func (fr *Frame) address(in *syntax.Inst) Value {
	at := fr.value(in.Args[0])
	t := in.Type
	for i, v := range in.Args[1:] {
		index := fr.value(v)
		at.Poison = at.Poison || index.Poison
		n := signed(index.Bits, width(v.Type))
		if i > 0 && t.Kind == syntax.Struct {
			by, ok := t.Offset(int(n))
			if !ok {
				unknown("a field of %s", t)
			}
			at.Bits, t = at.Bits+uint64(by), t.Elems[n]
			continue
		}
		if i > 0 {
			t = t.Elem
		}
		size, ok := t.Size()
		if !ok {
			unknown("the size of %s", t)
		}
		at.Bits += uint64(n * size)
	}
	return at
}
