package read

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/golang/internal/panics"
	"github.com/rfactor-go/rfactor/ir"
)

// Body is a function of scalars in the notation: it has no loop, and loads nothing.
//
//	func clamp(x, lo, hi int) int { if x < lo { return lo }; return min(x, hi) }   →   select(k0 < k1, k1, min(k0, k2))
//
// A parameter or a result that is a struct of numbers stands for these, one after the other.
type Body struct {
	Params  []ir.Expr // the zero Expr of one on which nothing depends
	Results []ir.Expr
}

// maxBody bounds the blocks and the size of a body: matching takes longer the larger an update is.
const maxBody = 64

// Body returns a function in the notation, nil where that cannot be.
func (p *Purity) Body(f *ssa.Function) *Body {
	if known, ok := p.bodies[f]; ok {
		return known
	}
	p.bodies[f] = nil
	if !p.Has(f) || f.Origin() != nil || f.TypeParams().Len() > 0 {
		return nil
	}
	b := p.facts.Of(f.RelString(nil)).Body
	if f.Blocks != nil {
		b = p.newBody(f)
	}
	p.bodies[f] = b
	return b
}

// newBody reads a function as if it were one step of a loop that carries nothing.
func (p *Purity) newBody(f *ssa.Function) (b *Body) {
	if len(f.Blocks) > maxBody {
		return nil
	}
	whole := loops.Whole(f)
	if !whole.Acyclic {
		return nil
	}
	r := newReader(whole, p.sizes, p)
	r.exact, r.split = true, true
	defer func() {
		if recover() != nil { // an unforeseen form of code
			b = nil
		}
	}()
	b = &Body{}
	doomed := panics.Doomed(f)
	for _, block := range f.Blocks {
		if doomed[block] {
			continue
		}
		for _, i := range block.Instrs {
			if _, ok := i.(*ssa.Return); !ok {
				r.scan(i)
			}
		}
	}
	for i := range f.Signature.Results().Len() {
		b.Results = append(b.Results, r.result(i)...)
	}
	if len(r.out.Obstacles) > 0 || len(b.Results) == 0 {
		return nil
	}
	for _, e := range b.Results {
		if !e.IsValid() || e.Size() > maxBody {
			return nil
		}
	}
	type place struct {
		value ssa.Value
		part  Part
	}
	found := map[place]ir.Expr{}
	for _, l := range r.out.Leaves {
		found[place{l.Values[0], l.Part}] = l.Var
	}
	params := 0
	for _, x := range f.Params {
		for _, part := range partsOf(x.Type()) {
			e := found[place{x, part}]
			b.Params = append(b.Params, e)
			if e.IsValid() {
				params++
			}
		}
	}
	if params != len(r.out.Leaves) { // it loads something
		return nil
	}
	return b
}

// result is a result of a function, chosen by the branches on the way to where it returns; a struct is the numbers in it.
func (r *reader) result(i int) []ir.Expr {
	w := walk{r: r, memo: map[*ssa.BasicBlock]*value{}, returns: true, returned: i}
	v := w.at(r.out.Header)
	if v == nil {
		return []ir.Expr{{}} // it always panics
	}
	return r.flat(*v)
}

// inline is a result of a call of a function that has a body; false where it has none.
func (r *reader) inline(call *ssa.Call, i int) (value, bool) {
	f, ok := call.Call.Value.(*ssa.Function)
	if !ok {
		return value{}, false
	}
	b := r.purity.Body(f)
	if b == nil {
		return value{}, false
	}
	k, args, params := invariant, map[ir.Expr]ir.Expr{}, b.Params
	for _, x := range call.Call.Args {
		n := len(partsOf(x.Type()))
		mine := params[:n]
		params = params[n:]
		if !slices.ContainsFunc(mine, ir.Expr.IsValid) {
			continue
		}
		a := r.value(x)
		numbers := r.flat(a)
		if len(numbers) != n || n == 1 && r.isTokenType(x.Type()) && r.spread(a).parts == nil {
			return value{}, false
		}
		k = max(k, a.kind)
		for j, e := range numbers {
			switch {
			case !mine[j].IsValid():
			case !e.IsValid() || e.Type() != mine[j].Type():
				return value{}, false
			default:
				args[mine[j]] = e
			}
		}
	}
	results := f.Signature.Results()
	first := 0
	for j := range i {
		first += len(partsOf(results.At(j).Type()))
	}
	t := results.At(i).Type()
	made := r.pool.Map(b.Results[first:first+len(partsOf(t))], func(e ir.Expr) ir.Expr { return args[e] })
	ir.Walk(made, func(e ir.Expr) {
		r.out.Contract = r.out.Contract || isProduct(e) || e.Type().IsFloat() && r.hasProduct()
	})
	if len(partsOf(t)) == 1 && partsOf(t)[0] == All {
		return value{expr: made[0], kind: k}, true
	}
	return r.structOf(t, func(part Part, _ ir.Type) value { return value{expr: made[part-Field], kind: k} }), true
}
