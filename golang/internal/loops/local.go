package loops

import "golang.org/x/tools/go/ssa"

// LocalOf returns the variable of its function in which an address lies; nil where it is not known.
func LocalOf(address ssa.Value) *ssa.Alloc {
	for {
		switch a := address.(type) {
		case *ssa.FieldAddr:
			address = a.X
		case *ssa.IndexAddr:
			address = a.X
		case *ssa.Alloc:
			return a
		default:
			return nil
		}
	}
}
