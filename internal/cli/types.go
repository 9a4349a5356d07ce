package cli

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
)

// NamesOf names types.
func NamesOf(types []ir.Type) []string {
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = t.String()
	}
	return out
}

// TypeNames names the types of the language.
func TypeNames() (names []string) {
	for t := ir.Bool; t <= ir.F64; t++ {
		names = append(names, t.String())
	}
	return names
}

// ParseType reads a type. The error says which there are.
func ParseType(s string) (ir.Type, error) {
	t := program.ParseType(s)
	if t == ir.Invalid {
		return t, CheckChoice("type", s, TypeNames())
	}
	return t, nil
}

// ParseTypes reads the types of a tuple, such as i32,bool.
func ParseTypes(s string) (types []ir.Type, err error) {
	for name := range strings.SplitSeq(s, ",") {
		t, err := ParseType(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		types = append(types, t)
	}
	if len(types) > ir.MaxState {
		return nil, fmt.Errorf("%d components, more than %d", len(types), ir.MaxState)
	}
	return types, nil
}
