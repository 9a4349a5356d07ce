package lower

import (
	"errors"

	"github.com/rfactor-go/rfactor/lower/emit"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// SourceOptions say how a package is emitted. The zero value is what most want.
type SourceOptions struct {
	Package string // the name of the package; that of the program's file where it is empty
}

// Source emits a plan as the files of a Go package, by their names.
func Source(p *plan.Plan, opts SourceOptions) (map[string][]byte, error) {
	if p == nil || p.Program == nil {
		return nil, errors.New("lower: Source needs a plan that plan.Factor made")
	}
	return emit.Source(p, opts.Package)
}
