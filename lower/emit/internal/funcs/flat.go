package funcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/lower/emit/internal/scope"
	"github.com/rfactor-go/rfactor/lower/internal/loopnest"
	"github.com/rfactor-go/rfactor/lower/kernel"
	"github.com/rfactor-go/rfactor/rfactor/plan"
)

// Flat joins the runs of nested loops where nothing lies between them in the array: one long run,
// in which a place tells the coordinates.
//
//	for y: kernel(in.Pix[y*in.Stride:][:w])   →   if in.Stride == w { kernel(in.Pix[:w*h]) }
type Flat struct {
	Loops []plan.Loop // the innermost first
}

// Others returns the scalars of k that are not variables of the joined loops.
func (f *Flat) Others(k *Run) []scalar {
	return slices.DeleteFunc(slices.Clone(k.Scalars), func(s scalar) bool { return slices.Contains(loopnest.VarsOfLoops(f.Loops), s.Expr) })
}

// Params returns the parameters and results of the function. A non-empty from adds an int parameter of that name.
func (f *Flat) Params(k *Run, from string) string {
	var l, results []string
	for i, t := range k.Types {
		l = append(l, fmt.Sprintf("x%d %s", i, kernel.GoType[t]))
		results = append(results, kernel.GoType[t])
	}
	if from != "" {
		l = append(l, from+" int")
	}
	for _, s := range f.Others(k) {
		l = append(l, s.Name+" "+kernel.GoType[s.Expr.Type()])
	}
	for j := range f.Loops {
		l = append(l, fmt.Sprintf("extent%d int", j))
	}
	s := k.Streams[0]
	l = append(l, s.Name+" []"+kernel.GoType[s.Call.Type()])
	return scope.Bracket(l) + " " + scope.Bracket(results)
}

// Arguments is what the function is called with; from is empty where it has no such parameter.
func (f *Flat) Arguments(k *Run, states []string, from string) string {
	l := append(slices.Clone(states), from)
	for _, s := range f.Others(k) {
		l = append(l, s.Name)
	}
	for j := range f.Loops {
		l = append(l, fmt.Sprintf("extent%d", j))
	}
	return scope.Bracket(append(l, k.Streams[0].Name))
}

// coordinate is the coordinate of joined loop j at a place, as an int.
func (f *Flat) coordinate(j int, place string) string {
	for i := range j {
		place += fmt.Sprintf("/extent%d", i)
	}
	if j < len(f.Loops)-1 {
		place += fmt.Sprintf("%%extent%d", j)
	}
	return place
}

// Rows writes the function that takes run by run, from some place on.
func (k *Run) Rows(g *scope.Scope) {
	in := k.Streams[0].Name
	args := append(k.States(), k.Flat.coordinate(0, "from"))
	for _, s := range k.Scalars {
		if j := slices.Index(loopnest.VarsOfLoops(k.Flat.Loops), s.Expr); j >= 0 {
			args = append(args, "int32("+k.Flat.coordinate(j, "from")+")")
		} else {
			args = append(args, s.Name)
		}
	}
	args = append(args, in+"[from:end]")
	states := strings.Join(k.States(), ", ")
	g.File.Printf(`
// %[1]sRows is %[1]sPortable on the runs of an array of which the rows lie one behind another.
func %[1]sRows%[2]s {
	for from < len(%[3]s) {
		end := min((from/extent0+1)*extent0, len(%[3]s))
		%[4]s = %[1]sPortable%[5]s
		from = end
	}
	return %[4]s
}
`, k.Name, k.Flat.Params(k, "from"), in, states, scope.Bracket(args))
}

// Frame is the frame of the joined runs.
func (f *Flat) Frame(k *Run) frame {
	args := k.States()
	for _, s := range f.Others(k) {
		args = append(args, s.Name)
	}
	args = append(args, scope.List(len(f.Loops), func(j int) string { return fmt.Sprintf("extent%d", j) }), k.Streams[0].Name)
	return frame{
		name: k.Name + "Flat", portable: k.Name + "FlatVectors", params: f.Params(k, ""), arguments: scope.Bracket(args), plain: k.Name + "Rows",
		about: fmt.Sprintf("is %sRows on vectors", k.Name),
		rest: func(_, from string) string {
			if from == "" {
				from = "0"
			}
			return f.Arguments(k, k.States(), from)
		},
		coordinate: func(e ir.Expr, place string) string {
			if j := slices.Index(loopnest.VarsOfLoops(f.Loops), e); j >= 0 {
				return "int32(" + f.coordinate(j, place) + ")"
			}
			return ""
		},
	}
}
