package golang

import (
	"fmt"
	"go/types"
)

// maker returns the name of a function that draws values of a type. Functions, interfaces, channels and hidden fields are
// left zero.
func (w *copyWriter) maker(t types.Type) string {
	text := w.typeText(t)
	if name, ok := w.makers[text]; ok {
		return name
	}
	name := fmt.Sprintf("rfMake%d_%d", w.number, len(w.makers))
	w.makers[text] = name
	body := w.makerBody(t, text)
	fmt.Fprintf(&w.code, "func %s(r *RfOverlayRand, depth int) (x %s) {\n%s\treturn x\n}\n\n", name, text, body)
	return name
}

// makerBody is the body of a maker: it sets x. Depth bounds how many pointers, slices and maps lie within one another.
func (w *copyWriter) makerBody(t types.Type, text string) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr:
			return ""
		case info&types.IsBoolean != 0:
			return fmt.Sprintf("\tx = %s(r.Next()%%2 == 0)\n", text)
		case info&types.IsString != 0:
			return fmt.Sprintf("\tx = %s(r.Text())\n", text)
		case info&types.IsInteger != 0:
			return fmt.Sprintf("\tx = %s(r.Int(depth))\n", text)
		case info&types.IsFloat != 0:
			return fmt.Sprintf("\tx = %s(r.Float())\n", text)
		case info&types.IsComplex != 0:
			return fmt.Sprintf("\tx = %s(complex(r.Float(), r.Float()))\n", text)
		}
	case *types.Pointer:
		return fmt.Sprintf("\tif depth > 0 {\n\t\tx = new(%s)\n\t\t*x = %s(r, depth-1)\n\t}\n", w.typeText(u.Elem()), w.maker(u.Elem()))
	case *types.Slice:
		return fmt.Sprintf("\tif depth > 0 {\n\t\tx = make(%s, r.Length())\n\t\tfor i := range x {\n\t\t\tx[i] = %s(r, depth-1)\n\t\t}\n\t}\n", text, w.maker(u.Elem()))
	case *types.Array:
		return fmt.Sprintf("\tfor i := 0; i < len(x) && i < 300; i++ {\n\t\tx[i] = %s(r, depth-1)\n\t}\n", w.maker(u.Elem()))
	case *types.Map:
		return fmt.Sprintf("\tif depth > 0 {\n\t\tx = make(%s)\n\t\tfor i := r.Length(); i > 0; i-- {\n\t\t\tx[%s(r, depth-1)] = %s(r, depth-1)\n\t\t}\n\t}\n", text, w.maker(u.Key()), w.maker(u.Elem()))
	case *types.Struct:
		code := ""
		for f := range u.Fields() {
			if f.Name() != "_" && (f.Exported() || f.Pkg() == w.pkg.Types) {
				code += fmt.Sprintf("\tx.%s = %s(r, depth)\n", f.Name(), w.maker(f.Type()))
			}
		}
		return code
	}
	return ""
}
