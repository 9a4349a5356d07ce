package scope

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/lower/internal/gosrc"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Unit is one emitted file while it is written.
type Unit struct {
	Pieces []piece
	At     plan.Place // of what is written now
	Apart  bool       // an empty line comes before what is written next, unless it is the first
	From   int        // where in the file the unit begins
}

// piece is a part of a text, and the place of the plan that it stems from.
type piece struct {
	Text string
	At   plan.Place
}

// NewUnit is an empty file.
func NewUnit() *Unit { return &Unit{} }

// Printf writes text, which stems from the place At.
func (u *Unit) Printf(format string, args ...any) { u.write(piece{fmt.Sprintf(format, args...), u.At}) }

func (u *Unit) write(pieces ...piece) {
	if u.Apart && len(u.Pieces) > 0 {
		u.Pieces = append(u.Pieces, piece{"\n", u.At})
	}
	u.Apart = false
	u.Pieces = append(u.Pieces, pieces...)
}

// Add appends what was written to another unit.
func (u *Unit) Add(v *Unit) { u.write(v.Pieces...) }

// String returns the text of all pieces.
func (u *Unit) String() string {
	var b strings.Builder
	for _, p := range u.Pieces {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Begin begins a file.
func (g *Scope) Begin() { g.File, g.Used = NewUnit(), gosrc.Uses{} }

// SliceHead writes the loop of a goroutine over its slice [lo, hi) of what begins at first.
func (u *Unit) SliceHead(v, first string) {
	from, to := "lo", "hi"
	switch {
	case first[0] == '-':
		from, to = "lo - "+first[1:], "hi - "+first[1:]
	case first != "0":
		from, to = "lo + "+first, "hi + "+first
	}
	u.Printf("for %s := %s; %s < %s; %s++ {\n", v, from, v, to, v)
}
