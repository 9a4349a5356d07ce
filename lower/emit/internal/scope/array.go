package scope

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/ir/program"
	"github.com/rfactor-go/rfactor/lower/kernel"
)

// Array is how emitted code reaches the elements of an input or a buffer.
type Array struct {
	Name    string   // as the program says
	Parts   []string // the Go name of each component
	Types   []ir.Type
	Pix     string    // what follows the name of a view: ".Pix"
	Mins    []ir.Expr // of a buffer's dimensions; of inputs none: they start at 0
	Extents []string  // Go expressions of type int
	Strides []string  // of the dimensions after the first

	Elements string // how many are allocated; empty for the product of the extents
}

// at is the Go text of an element, its coordinates given as coords gives them.
func (a *Array) at(part int, index []string) string {
	if len(index) == 0 {
		return a.Parts[part]
	}
	return fmt.Sprintf("%s%s[%s]", a.Parts[part], a.Pix, a.Offset(index))
}

// Restride computes the strides of a buffer from its extents.
func (a *Array) Restride() {
	for d := range a.Strides {
		switch {
		case d == 0 || a.Strides[d-1] == "1":
			a.Strides[d] = a.Extents[d]
		case a.Extents[d] == "1":
			a.Strides[d] = a.Strides[d-1]
		default:
			a.Strides[d] = a.Strides[d-1] + "*" + a.Extents[d]
		}
	}
}

// Offset is the place of an element, its coordinates given as coords gives them.
func (a *Array) Offset(index []string) string {
	var terms []string
	for i, x := range slicesBackward(index) {
		if i == 0 {
			if x != "0" || len(index) == 1 {
				terms = append(terms, x)
			}
			continue
		}
		if x == "0" {
			continue
		}
		terms = append(terms, x+"*"+a.Strides[i-1])
	}
	if len(terms) == 0 {
		return "0"
	}
	return strings.Join(terms, " + ")
}

// Size is how many elements each part has, as Go.
func (a *Array) Size() string {
	if a.Elements != "" {
		return a.Elements
	}
	return a.Strides[len(a.Strides)-1]
}

// slicesBackward numbers the elements from the last one down.
func slicesBackward(list []string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := len(list) - 1; i >= 0; i-- {
			if !yield(i, list[i]) {
				return
			}
		}
	}
}

// inputArray is how an input is reached: a slice, a view, or the value itself where it has
// no dimension.
func inputArray(in *program.Input, name string) *Array {
	a := &Array{Name: in.Name, Types: in.Types}
	for i := range in.Types {
		part := name
		if len(in.Types) > 1 {
			part += strconv.Itoa(i)
		}
		a.Parts = append(a.Parts, part)
	}
	switch first := a.Parts[0]; in.Dims {
	case 0:
	case 1:
		a.Extents = []string{"len(" + first + ")"}
	case 2:
		a.Pix, a.Extents, a.Strides = ".Pix", []string{first + ".Width", first + ".Height"}, []string{first + ".Stride"}
	default:
		a.Pix = ".Pix"
		for d := range in.Dims {
			a.Extents = append(a.Extents, fmt.Sprintf("%s.Extent[%d]", first, d))
			if d > 0 {
				a.Strides = append(a.Strides, fmt.Sprintf("%s.Stride[%d]", first, d))
			}
		}
	}
	return a
}

// goInputType is the type of a component of an input as a parameter.
func goInputType(dims int, t ir.Type) string {
	switch dims {
	case 0:
		return kernel.GoType[t]
	case 1:
		return "[]" + kernel.GoType[t]
	case 2:
		return "Image[" + kernel.GoType[t] + "]"
	}
	return fmt.Sprintf("Array%d[%s]", dims, kernel.GoType[t])
}

// ViewType declares a view of that many dimensions.
func ViewType(dims int) string {
	if dims == 2 {
		return `
// Image is a view of a two-dimensional array: the element (x, y) is Pix[y*Stride+x].
type Image[T any] struct {
	Pix                   []T
	Stride, Width, Height int
}

func (m Image[T]) check(name string) error {
	switch {
	case m.Width < 0 || m.Height < 0 || m.Width > math.MaxInt32 || m.Height > math.MaxInt32:
		return fmt.Errorf("%s: %d by %d elements: extents must be in 0..%d", name, m.Width, m.Height, math.MaxInt32)
	case m.Width == 0 || m.Height == 0:
		return nil
	case m.Stride < m.Width || len(m.Pix) < m.Width || (len(m.Pix)-m.Width)/m.Stride < m.Height-1:
		return fmt.Errorf("%s: %d by %d elements with a stride of %d do not fit into %d", name, m.Width, m.Height, m.Stride, len(m.Pix))
	}
	return nil
}
`
	}
	return strings.ReplaceAll(`
// ArrayN is a view of an array of N dimensions: the element (i0, i1, …) is
// Pix[i0 + i1*Stride[1] + …]. Stride[0] is 1.
type ArrayN[T any] struct {
	Pix            []T
	Extent, Stride [N]int
}

func (m ArrayN[T]) check(name string) error {
	last, empty := 0, false
	for d, n := range m.Extent {
		if n < 0 || n > math.MaxInt32 {
			return fmt.Errorf("%s: dimension %d has %d elements: extents must be in 0..%d", name, d, n, math.MaxInt32)
		}
		empty = empty || n == 0
	}
	if empty {
		return nil
	}
	for d, n := range m.Extent {
		if m.Stride[d] < 0 || d == 0 && m.Stride[d] != 1 || n > 1 && m.Stride[d] > (len(m.Pix)-1-last)/(n-1) {
			return fmt.Errorf("%s: dimension %d with %d elements and a stride of %d does not fit into %d", name, d, n, m.Stride[d], len(m.Pix))
		}
		last += (n - 1) * m.Stride[d]
	}
	if len(m.Pix) <= last {
		return fmt.Errorf("%s: its extents need %d elements, and it has %d", name, last+1, len(m.Pix))
	}
	return nil
}
`, "N", strconv.Itoa(dims))
}
