package read

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rfactor-go/rfactor/golang/internal/loops"
	"github.com/rfactor-go/rfactor/ir"
)

// scan looks at an instruction of the loop: whether a step may have it, and what else is said of it.
func (r *reader) scan(i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Phi, *ssa.Convert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Field, *ssa.FieldAddr,
		*ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.SliceToArrayPointer, *ssa.TypeAssert, *ssa.Extract, *ssa.If, *ssa.Jump, *ssa.DebugRef, *ssa.Lookup:
	case *ssa.BinOp:
		r.scanBinary(i)
	case *ssa.UnOp:
		if i.Op == token.ARROW {
			r.stop(Channel, i.Pos(), "receive")
		}
	case *ssa.Next:
		r.scanNext(i)
	case *ssa.Range: // for an inner loop
		if isMap(i.X.Type()) {
			r.stop(Nested, i.Pos(), "it ranges over a map")
		}
	case *ssa.Call:
		r.scanCall(i)
	case *ssa.Store: // see stores
	case *ssa.Return:
		if !r.isYield() {
			r.stop(Unread, i.Pos(), "")
		}
	case *ssa.MapUpdate:
		r.stop(Scatter, i.Pos(), "map")
	case *ssa.Send, *ssa.Select, *ssa.MakeChan:
		r.stop(Channel, i.Pos(), "")
	case *ssa.Go, *ssa.Defer, *ssa.RunDefers:
		r.stop(Goroutine, i.Pos(), "")
	case *ssa.Alloc:
		if r.isArguments(i) || r.isTemporary(i) {
			break
		}
		r.stop(Allocation, i.Pos(), i.Comment)
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeClosure:
		r.stop(Allocation, i.Pos(), "")
	case *ssa.MultiConvert:
		r.stop(TypeParam, i.Pos(), "conversion")
	default:
		r.stop(Unread, i.Pos(), "")
	}
}

func isMap(t types.Type) bool {
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// scanBinary notes products that may be fused with sums.
func (r *reader) scanBinary(i *ssa.BinOp) {
	switch i.Op {
	case token.MUL: // of complex numbers it is products and sums
		if r.isComplex(i.Type()) {
			r.out.Contract = true
		}
	case token.ADD, token.SUB:
		if r.isFloating(i.Type()) && r.hasProduct() {
			r.out.Contract = true
		}
	}
}

func (r *reader) isFloating(t types.Type) bool {
	b, ok := r.out.Actual(t).Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// hasProduct reports whether the loop multiplies floats, or calls what may do so: a call may be inlined. An explicit conversion around a product
// is not told apart: it leaves no instruction.
func (r *reader) hasProduct() bool {
	for _, b := range r.out.Blocks() {
		for _, i := range b.Instrs {
			switch i := i.(type) {
			case *ssa.BinOp:
				if i.Op == token.MUL && r.isFloating(i.Type()) {
					return true
				}
			case *ssa.Call:
				if f, ok := i.Call.Value.(*ssa.Function); ok && r.purity.mayMultiply(f) {
					return true
				}
			}
		}
	}
	return false
}

// mayMultiply reports whether a float that a function gives may be a product, or hold one.
func (p *Purity) mayMultiply(f *ssa.Function) (may bool) {
	if library.MatchString(f.RelString(nil)) {
		return false
	}
	if b := p.Body(f); b != nil {
		ir.Walk(b.Results, func(e ir.Expr) { may = may || isProduct(e) })
		return may
	}
	for v := range f.Signature.Results().Variables() {
		b, isBasic := v.Type().Underlying().(*types.Basic)
		may = may || !isBasic || isTypeParam(v.Type()) || b.Info()&(types.IsFloat|types.IsComplex) != 0
	}
	return may
}

func isProduct(e ir.Expr) bool { return e.Op() == ir.Mul && e.Type().IsFloat() }

// scanNext takes the steps of a string or a map in the header: there is one in every step of the loop.
func (r *reader) scanNext(i *ssa.Next) {
	if r.innerOf(i.Block()) != nil {
		if !i.IsString {
			r.stop(Nested, i.Pos(), "it ranges over a map")
		}
		return
	}
	if !i.IsString {
		r.out.OverMap = true
	}
	if i.Block() != r.out.Header || r.out.Holds(i.Iter) || len(*i.Iter.Referrers()) != 1 {
		r.stop(Unread, i.Pos(), "iterator")
	}
}

// inTemporary reports whether an address lies in a variable that each step makes anew.
func (r *reader) inTemporary(address ssa.Value) bool {
	a := loops.LocalOf(address)
	return a != nil && r.out.Holds(a)
}

func (r *reader) scanCall(i *ssa.Call) {
	switch f := i.Call.Value.(type) {
	case *ssa.Builtin:
		switch f.Name() {
		case "min", "max", "real", "imag", "complex":
			return
		case "len", "cap":
			if isChannel(i.Call.Args[0]) {
				r.stop(Channel, i.Pos(), f.Name())
			}
			return
		case "append":
			if !r.appended[i] {
				r.stop(Compaction, i.Pos(), "append")
			}
			return
		}
	case *ssa.Function:
		if r.purity.Has(f) {
			if !r.purity.Ends(f) {
				r.mayNotEnd(r.shortCallee(f))
			}
			return
		}
	}
	if r.isPromised(i) {
		r.out.Promised = true
		return
	}
	r.stop(UnknownCall, i.Pos(), r.callee(i))
}

// isPromised reports whether a call is one that a comment may say is pure: of a function, a function value or a method.
func (r *reader) isPromised(i *ssa.Call) bool {
	_, isBuiltin := i.Call.Value.(*ssa.Builtin)
	return r.promised && !isBuiltin
}

// shortCallee names a function as the package does.
func (r *reader) shortCallee(f *ssa.Function) string {
	name := f.RelString(nil)
	if f.Pkg == nil {
		return name
	}
	if f.Pkg == r.out.Func.Pkg {
		return f.RelString(f.Pkg.Pkg)
	}
	return strings.ReplaceAll(name, f.Pkg.Pkg.Path(), f.Pkg.Pkg.Name())
}

// callee names what is called.
func (r *reader) callee(i *ssa.Call) string {
	if i.Call.IsInvoke() {
		return "method " + i.Call.Method.Name() + " of an interface"
	}
	switch f := i.Call.Value.(type) {
	case *ssa.Builtin:
		return f.Name()
	case *ssa.Function:
		return r.shortCallee(f)
	}
	return "a function value"
}

// instruction is the value of an instruction of the loop that is no phi.
func (r *reader) instruction(v ssa.Value) value {
	switch v := v.(type) {
	case *ssa.BinOp:
		return r.binary(v)
	case *ssa.UnOp:
		return r.unary(v)
	case *ssa.Convert:
		return r.convert(v)
	case *ssa.ChangeType:
		if a := r.value(v.X); a.expr.IsValid() && a.expr.Type() == r.scalar(v.Type()) {
			return a
		}
		return r.compose(v, "change "+types.TypeString(v.Type(), nil), false, v.X)
	case *ssa.ChangeInterface:
		return r.compose(v, "interface "+types.TypeString(v.Type(), nil), false, v.X)
	case *ssa.MakeInterface:
		return r.compose(v, "make "+types.TypeString(v.Type(), nil)+" of "+types.TypeString(v.X.Type(), nil), false, v.X)
	case *ssa.TypeAssert:
		return r.compose(v, "assert "+types.TypeString(v.Type(), nil), false, v.X)
	case *ssa.SliceToArrayPointer:
		return r.compose(v, "array "+types.TypeString(v.Type(), nil), false, v.X)
	case *ssa.Field:
		return r.fieldOf(r.value(v.X), v.Field, v)
	case *ssa.FieldAddr:
		return r.compose(v, "address of field "+itoa(v.Field), false, v.X)
	case *ssa.Index:
		return r.compose(v, "index", true, v.X, v.Index)
	case *ssa.IndexAddr:
		return r.compose(v, "address of index", false, v.X, v.Index)
	case *ssa.Slice:
		return r.compose(v, "slice", false, v.X, v.Low, v.High, v.Max)
	case *ssa.Lookup:
		return r.compose(v, "lookup "+types.TypeString(v.Type(), nil), true, v.X, v.Index)
	case *ssa.Next:
		return value{number: r.number("next"), kind: counted}
	case *ssa.Extract:
		return r.extract(v)
	case *ssa.Call:
		return r.call(v)
	}
	return r.opaque(v, key(v), onInput)
}

// extract takes the runes of a string, and the keys and values of a map, for inputs, and whether there is one, and where
// in a string, for counted.
func (r *reader) extract(v *ssa.Extract) value {
	next, isNext := v.Tuple.(*ssa.Next)
	if c, ok := v.Tuple.(*ssa.Call); ok && r.value(c).kind == onState {
		if got, ok := r.inline(c, v.Index); ok {
			return got
		}
		r.stop(CallOnState, c.Pos(), r.callee(c))
	}
	return r.compose(v, "extract "+itoa(v.Index), isNext && (v.Index == 2 || v.Index == 1 && !next.IsString), v.Tuple)
}

// unary reads operators of one operand.
func (r *reader) unary(v *ssa.UnOp) value {
	a := r.value(v.X)
	t := r.scalar(v.Type())
	if v.Op == token.MUL {
		if c := r.cellOf(a.id()); c != nil && types.Identical(c.Type, v.Type()) {
			return r.loadCell(v, c)
		}
		if c := r.wholeCell(v.X); c != nil && c.Part >= Field {
			return r.fieldOfCell(v, c)
		} else if c != nil {
			if got, ok := r.derive(v); ok {
				return got
			}
			return r.composeOf(v, key(v), onState)
		}
		if temporary, path := r.temporaryOf(v.X); temporary != nil {
			return r.loadTemporary(v, temporary, path)
		}
	}
	if v.Op == token.SUB && a.parts != nil && r.isComplex(v.Type()) {
		return r.pair(ir.NegOf(a.parts[0].expr), ir.NegOf(a.parts[1].expr), a.kind)
	}
	if v.Op != token.MUL && a.expr.IsValid() && t != ir.Invalid {
		switch v.Op {
		case token.SUB:
			return value{expr: ir.NegOf(a.expr), kind: a.kind}
		case token.NOT:
			return value{expr: ir.NotOf(a.expr), kind: a.kind}
		case token.XOR:
			return value{expr: ir.Make(ir.BitNot, a.expr), kind: a.kind}
		}
	}
	return r.compose(v, "unary "+v.Op.String()+" "+types.TypeString(v.Type(), nil), v.Op == token.MUL, v.X)
}
