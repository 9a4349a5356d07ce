package scalar

import (
	"fmt"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
)

// extentOf gives the value of in.width() and the like.
func (n *Names) extentOf(c ir.Expr) func() (int64, error) {
	name, what, _ := strings.Cut(c.Name(), ".")
	dim, last := 0, int64(0)
	switch what {
	case "left", "top":
		return func() (int64, error) { return 0, nil }
	case "right":
		last = 1
	case "bottom":
		dim, last = 1, 1
	case "height":
		dim = 1
	case "channels":
		dim = 2
	}
	m := n.Arrays[name]
	return func() (int64, error) {
		if m == nil || dim >= len(m.Dims) {
			return 0, fmt.Errorf("%s is not known: %s has no dimension %d", c, name, dim+1)
		}
		return int64(m.Dims[dim].Extent) - last, nil
	}
}
