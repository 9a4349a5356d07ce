package read

import (
	"go/token"
	"slices"
)

// Kind names a kind of obstacle. The list is closed, and docs/golang.md explains each of its kinds.
type Kind string

// The kinds of obstacles.
const (
	Store        Kind = "store beside the reduction" // to an address that is counted
	Scatter      Kind = "scattered store"            // to an address that depends on what is read
	Compaction   Kind = "compaction"                 // to an address that depends on the state, and append
	Scalar       Kind = "scalar in memory"           // to an address that is the same in every step
	UnknownCall  Kind = "unknown call"
	CallOnState  Kind = "call on the state"
	MapOrder     Kind = "range over a map"
	OverFunction Kind = "range over a function" // which calls the body as it likes
	Channel      Kind = "channel"
	Goroutine    Kind = "go or defer"
	Allocation   Kind = "allocation"
	StateType    Kind = "type of the state"
	StateAddress Kind = "load at an address of the state"
	StateToInt   Kind = "float to integer of the state"
	Nested       Kind = "nested loop" // that depends on the state, writes, or is left in several ways
	Endless      Kind = "endless loop"
	Goto         Kind = "cycle of gotos"
	TooMany      Kind = "too many components"
	TypeParam    Kind = "type parameter"
	Unread       Kind = "unread instruction" // whatever is not named above
)

// Kinds lists the kinds of obstacles in the order of the documentation.
var Kinds = []Kind{Store, Scatter, Compaction, Scalar, UnknownCall, CallOnState, MapOrder, OverFunction, Channel, Goroutine, Allocation,
	StateType, StateAddress, StateToInt, Nested, Endless, Goto, TooMany, TypeParam, Unread}

// Obstacle is what stops the reader at a place of a loop.
type Obstacle struct {
	Kind   Kind
	Detail string // names the callee, the type, the instruction; may be empty
	Pos    token.Pos
}

// String returns the kind and the detail.
func (o Obstacle) String() string {
	if o.Detail == "" {
		return string(o.Kind)
	}
	return string(o.Kind) + " (" + o.Detail + ")"
}

// stop records an obstacle, once.
func (r *reader) stop(kind Kind, pos token.Pos, detail string) {
	o := Obstacle{kind, detail, pos}
	if !slices.Contains(r.out.Obstacles, o) {
		r.out.Obstacles = append(r.out.Obstacles, o)
	}
}
