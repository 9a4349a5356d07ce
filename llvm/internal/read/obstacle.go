package read

import (
	"fmt"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// Kind names a kind of obstacle. The list is closed, and docs/llvm.md explains each of its kinds.
type Kind string

// The kinds of obstacles.
const (
	Store        Kind = "store"
	Order        Kind = "ordered effect" // volatile, atomic, fences
	UnknownCall  Kind = "unknown call"
	CallOnState  Kind = "call on the state"
	StateAddress Kind = "load at an address of the state"
	StateExit    Kind = "end that depends on the state"
	StateType    Kind = "type of the state"
	Undefined    Kind = "undef or poison"
	Freeze       Kind = "freeze"
	Division     Kind = "division that may be by zero"
	Shift        Kind = "shift that may be past the width"
	NaNOperand   Kind = "maximum that may meet NaN"
	FloatToInt   Kind = "float to integer of the state"
	Memory       Kind = "memory that is not a field"
	Nested       Kind = "nested loop"
	NoState      Kind = "no state"
	TooMany      Kind = "too many components"
	Unread       Kind = "unread instruction" // whatever is not named above
)

// Kinds lists the kinds of obstacles in the order of the documentation.
var Kinds = []Kind{Store, Order, UnknownCall, CallOnState, StateAddress, StateExit, StateType, Undefined, Freeze, Division, Shift, NaNOperand,
	FloatToInt, Memory, Nested, NoState, TooMany, Unread}

// Obstacle is what stops the reader at a place of a loop or of a function.
type Obstacle struct {
	Kind   Kind
	Detail string // names the callee, the type, the instruction; may be empty
	Pos    ir.Pos
	Dbg    string // where !dbg says that it is
}

// String returns the kind and the detail.
func (o *Obstacle) String() string {
	if o.Detail == "" {
		return string(o.Kind)
	}
	return fmt.Sprintf("%s (%s)", o.Kind, o.Detail)
}

func stop(kind Kind, in *syntax.Inst, format string, args ...any) *Obstacle {
	return &Obstacle{kind, fmt.Sprintf(format, args...), in.Pos, in.Meta["!dbg"]}
}
