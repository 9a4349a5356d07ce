package program

import (
	"maps"
	"slices"

	"github.com/rfactor-go/rfactor/ir"
)

// Words lists names of the notation by what they are, each list in its order: "function", "declaration", "type" and
// "literal". An editor completes them.
func Words() map[string][]string {
	types := slices.Collect(maps.Keys(cTypes))
	for t := ir.Bool; t <= ir.F64; t++ {
		types = append(types, t.String())
	}
	isDeclaration := func(name string) bool { _, ok := declarations[name]; return ok } // Expr is a conversion as well
	words := map[string][]string{
		"function":    slices.DeleteFunc(builtinNames(), isDeclaration),
		"declaration": slices.Collect(maps.Keys(declarations)),
		"type":        types,
		"literal":     append(slices.Collect(maps.Keys(limitNames)), "true", "false"),
	}
	for _, names := range words {
		slices.Sort(names)
	}
	return words
}
