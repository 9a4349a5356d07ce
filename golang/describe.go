package golang

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// describe writes a value much as the source does: a[i], t.n, f(x). What has no name is "…".
func describe(v ssa.Value) string { return describeTo(v, 6) }

func describeTo(v ssa.Value, depth int) string {
	if depth == 0 {
		return "…"
	}
	deeper := func(v ssa.Value) string { return describeTo(v, depth-1) }
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return "nil"
		}
		return v.Value.String()
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global, *ssa.Function, *ssa.Builtin:
		return v.Name()
	case *ssa.Phi:
		if v.Comment == "rangeindex" {
			return "i"
		}
		return named(v.Comment)
	case *ssa.Alloc:
		return named(v.Comment)
	case *ssa.UnOp:
		if v.Op.String() == "*" {
			if _, ok := v.X.(*ssa.Parameter); ok {
				return "*" + v.X.Name()
			}
			return deeper(v.X)
		}
		return v.Op.String() + deeper(v.X)
	case *ssa.BinOp:
		if phi, ok := v.X.(*ssa.Phi); ok && phi.Comment == "rangeindex" {
			return "i"
		}
		return fmt.Sprintf("(%s %s %s)", deeper(v.X), v.Op, deeper(v.Y))
	case *ssa.IndexAddr:
		return deeper(v.X) + "[" + deeper(v.Index) + "]"
	case *ssa.Index:
		return deeper(v.X) + "[" + deeper(v.Index) + "]"
	case *ssa.Lookup:
		return deeper(v.X) + "[" + deeper(v.Index) + "]"
	case *ssa.FieldAddr:
		return deeper(v.X) + "." + fieldName(v.X.Type(), v.Field)
	case *ssa.Field:
		return deeper(v.X) + "." + fieldName(v.X.Type(), v.Field)
	case *ssa.Convert:
		return types.TypeString(v.Type(), (*types.Package).Name) + "(" + deeper(v.X) + ")"
	case *ssa.ChangeType:
		return deeper(v.X)
	case *ssa.Call:
		return describeCall(v, depth)
	case *ssa.Extract:
		if _, ok := v.Tuple.(*ssa.Next); ok {
			return []string{"ok", "i", "rune"}[v.Index]
		}
		return deeper(v.Tuple)
	}
	return "…"
}

func named(comment string) string {
	if comment == "" || strings.ContainsAny(comment, " &|") {
		return "…"
	}
	return comment
}

func describeCall(v *ssa.Call, depth int) string {
	var args []string
	for _, a := range v.Call.Args {
		args = append(args, describeTo(a, depth-1))
	}
	name := "…"
	switch f := v.Call.Value.(type) {
	case *ssa.Builtin:
		name = f.Name()
	case *ssa.Function:
		name = f.Name()
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// fieldName returns the name of a field of a struct, or of the struct that a pointer points to.
func fieldName(t types.Type, i int) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if s, ok := t.Underlying().(*types.Struct); ok && i < s.NumFields() {
		return s.Field(i).Name()
	}
	return "…"
}
