package read

import (
	"github.com/rfactor-go/rfactor/llvm/internal/syntax"
)

// fieldsOf lists the scalars of what the parameters of a combiner point to: the fields of the largest struct that it takes
// apart, or the one scalar that it loads.
func (r *reader) fieldsOf(f *syntax.Func) []Field {
	var best *syntax.Type
	size := int64(0)
	consider := func(t *syntax.Type) {
		if s, ok := t.Size(); ok && t.Kind == syntax.Struct && s > size {
			best, size = t, s
		}
	}
	var scalar *syntax.Type
	for _, p := range f.Params {
		if t := p.Type.Elem; t != nil {
			consider(t)
			scalar = t
		}
	}
	for in := range r.withCallees(f) {
		switch in.Op {
		case "getelementptr":
			consider(in.Type)
		case "load", "store":
			if _, ok := r.scalar(in.Type); ok && (scalar == nil || scalar.Kind != syntax.Struct) {
				scalar = in.Type
			}
		}
	}
	if best != nil {
		fields, _ := r.flatten(best, 0, nil, 0)
		return fields
	}
	if t, ok := r.scalar(scalar); ok {
		return []Field{{0, t}}
	}
	return nil
}

// withCallees yields the instructions of a function and of those that it calls.
func (r *reader) withCallees(f *syntax.Func) func(yield func(*syntax.Inst) bool) {
	return func(yield func(*syntax.Inst) bool) {
		seen := map[string]bool{"@" + f.Name: true}
		for work := []*syntax.Func{f}; len(work) > 0; work = work[1:] {
			for _, b := range work[0].Blocks {
				for _, in := range b.Insts {
					if !yield(in) {
						return
					}
					for _, g := range r.module.Funcs {
						if "@"+g.Name == in.Callee && !seen[in.Callee] && len(seen) < maxCalls {
							seen[in.Callee] = true
							work = append(work, g)
						}
					}
				}
			}
		}
	}
}

// flatten lists the scalars within a type; it is not ok where something else is there.
func (r *reader) flatten(t *syntax.Type, at int64, fields []Field, depth int) ([]Field, bool) {
	n := len(t.Elems)
	if t.Kind == syntax.Array {
		n = t.Len
	}
	if depth > maxDepth || n > maxFields {
		return nil, false
	}
	if t.Kind != syntax.Struct && t.Kind != syntax.Array {
		if s, ok := r.scalar(t); ok {
			return append(fields, Field{at, s}), true
		}
		return nil, false
	}
	for i := range n {
		elem := element(t, i)
		by, ok := t.Offset(i)
		if t.Kind == syntax.Array {
			by, ok = elem.Size()
			by *= int64(i)
		}
		if ok {
			fields, ok = r.flatten(elem, at+by, fields, depth+1)
		}
		if !ok {
			return nil, false
		}
	}
	return fields, true
}
