package forms

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rfactor-go/rfactor/check"
	"github.com/rfactor-go/rfactor/ir"
	"github.com/rfactor-go/rfactor/llvm"
	"github.com/rfactor-go/rfactor/verify/proof"
)

var update = flag.Bool("update", false, "write what the forms are")

// operators are written in every form, or refused.
var operators = []struct{ name, types, exprs, assume string }{
	{"sum", "x:i32,y:i32", "x + y", "none"},
	{"sum_of_bytes", "x:u8,y:u8", "x + y", "none"},
	{"sum_of_doubles", "x:f64,y:f64", "x + y", "reassoc"},
	{"product", "x:i64,y:i64", "x*y", "none"},
	{"greatest", "x:i32,y:i32", "max(x, y)", "none"},
	{"least_float", "x:f32,y:f32", "min(x, y)", "nnan,nsz"},
	{"least_float_exactly", "x:f32,y:f32", "min(x, y)", "none"},
	{"bits", "x:i16,y:i16", "x ^ y", "none"},
	{"any", "x:bool,y:bool", "x || y", "none"},
	{"carry", "x:u8,y:u8", "select(x + y < x, x + y + 1, x + y)", "none"},
	{"affine", "x0:u32,x1:u32,y0:u32,y1:u32", "x0*y0; x1*y0 + y1", "none"},
	{"first_least", "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); select(y0 < x0, y1, x1)", "none"},
	{"span", "x0:i32,x1:i32,y0:i32,y1:i32", "min(x0, y0); max(x1, y1)", "none"},
	{"complex", "x0:f64,x1:f64,y0:f64,y1:f64", "x0*y0 - x1*y1; x0*y1 + x1*y0", "reassoc"},
	{"segmented", "x0:bool,x1:i32,y0:bool,y1:i32", "x0 || y0; select(y0, y1, x1 + y1)", "none"},
	{"modulo", "x:u32,y:u32", "u32((u64(x) + u64(y)) % 7)", "none"},
	{"difference", "x:i32,y:i32", "x - y", "none"},
	{"shifted", "x:i32,y:i32,k:i32", "x + y + k", "none"},
}

func reportOf(t *testing.T, types, exprs, assume string) *check.Report {
	t.Helper()
	op, o, err := check.Parse(types, exprs, check.Texts{})
	if err != nil {
		t.Fatal(err)
	}
	if o.Allowed, err = ir.ParseAssume(assume); err != nil {
		t.Fatal(err)
	}
	r, err := check.Operator(context.Background(), op, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestForms compares what is written with what was written before.
func TestForms(t *testing.T) {
	for _, form := range Names() {
		var b strings.Builder
		for _, op := range operators {
			fmt.Fprintf(&b, "==== %s\n", op.name)
			text, err := Write(form, op.name, reportOf(t, op.types, op.exprs, op.assume))
			if err != nil {
				text = "refused: " + err.Error() + "\n"
			}
			b.WriteString(text)
		}
		golden := filepath.Join("testdata", form+".golden")
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(golden); err != nil || string(want) != b.String() {
			t.Errorf("%s is not as it was: %v", golden, err)
		}
	}
}

// TestReadBack compiles what is written for OpenMP and C++, and reads the same operators from the compiler's IR.
func TestReadBack(t *testing.T) {
	clang := ""
	for _, name := range []string{"clang++-19", "clang++-16", "clang++-15", "clang++-14", "clang++"} {
		if path, err := exec.LookPath(name); err == nil && clang == "" {
			clang = path
		}
	}
	if clang == "" {
		t.Skip("no clang++ is on the path")
	}
	for _, form := range []string{"openmp", "cpp"} {
		var source strings.Builder
		var written []*check.Report
		var uses strings.Builder
		for _, op := range operators {
			r := reportOf(t, op.types, op.exprs, op.assume)
			text, err := Write(form, op.name, r)
			if err != nil {
				continue
			}
			written = append(written, r)
			source.WriteString(text)
			typ := cTypes[r.Operator.Types[0]]
			if form == "openmp" {
				if len(r.Operator.Types) > 1 {
					typ = op.name + "_state"
				}
				fmt.Fprintf(&uses, "void use_%[1]s(%[2]s *p) {\n  %[2]s v = *p;\n#pragma omp parallel reduction(%[1]s : v)\n  { v = *p; }\n  *p = v;\n}\n", op.name, typ)
				continue
			}
			if len(r.Operator.Types) > 1 {
				typ = op.name + "::state"
			}
			fmt.Fprintf(&uses, "%[2]s use_%[1]s(%[2]s a, %[2]s b) { return %[1]s()(a, b); }\n", op.name, typ)
		}
		cmd := exec.Command(clang, "-x", "c++", "-std=c++17", "-fopenmp=libomp", "-ffp-contract=off", "-O0", "-S", "-emit-llvm", "-o", "-", "-")
		cmd.Stdin = strings.NewReader(source.String() + uses.String())
		var problems strings.Builder
		cmd.Stderr = &problems
		ll, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, problems.String(), source.String())
		}
		m, err := llvm.Parse(form, string(ll))
		if err != nil {
			t.Fatal(err)
		}
		again := readBack(m, form)
		if len(again) != len(written) {
			t.Fatalf("%s: %d operators are written, and %d read", form, len(written), len(again))
		}
		for i, r := range written {
			if why := differs(t, r, again[i]); why != "" {
				t.Errorf("%s: %s is read as %s: %s", form, ir.Strings(r.Operator.Exprs), ir.Strings(again[i].Update.Values), why)
			}
		}
	}
}

// readBack lists the operators of IR in the order of their sources: combiners of OpenMP, and functors.
func readBack(m *llvm.Module, form string) (out []*llvm.Operator) {
	for _, op := range m.Operators() {
		switch {
		case op.Update == nil:
		case form == "openmp" && strings.HasPrefix(op.Func, ".omp_combiner."), form == "cpp" && strings.Contains(op.Func, "cl") && !strings.Contains(op.Func, "merge"),
			form == "cpp" && strings.Contains(op.Func, "5merge"):
			out = append(out, op)
		}
	}
	return out
}

// differs proves that an operator that was read is the one that was written, as numbers of the same bits.
func differs(t *testing.T, r *check.Report, read *llvm.Operator) string {
	t.Helper()
	pool := r.Operator.Exprs[0].Pool()
	var from, to []ir.Expr
	x, y, _ := r.Operator.Operands()
	values := pool.Import(read.Update.Values...)
	if len(values) != len(x) {
		return "components"
	}
	for i, e := range values { // integers of LLVM have no sign, and bool is a byte in memory
		of := read.Update.Types[i]
		from = append(from, pool.X(i, of), pool.Y(i, of))
		to = append(to, ir.CastTo(of, x[i]), ir.CastTo(of, y[i]))
		values[i] = e
	}
	for i, e := range values {
		e = ir.Subst(e, from, to)
		if x[i].Type() == ir.Bool && e.Type() != ir.Bool {
			e = ir.Make(ir.Ne, e, pool.Int(e.Type(), 0))
		}
		values[i] = ir.CastTo(x[i].Type(), e)
	}
	same, err := check.Operator(context.Background(), proof.Operator{Types: r.Operator.Types, Exprs: values}, check.Options{Is: r.Operator.Exprs, Allowed: r.Allowed & (ir.NNaN | ir.NSZ)})
	switch {
	case err != nil:
		t.Fatal(err)
	case !same.Is.Holds():
		return "not proven to be the same; " + same.Is.Refutation()
	}
	return ""
}

// TestRefused gives reasons.
func TestRefused(t *testing.T) {
	sum := reportOf(t, "x:i32,y:i32", "x + y", "none")
	for _, test := range []struct {
		form, name string
		r          *check.Report
		want       string
	}{
		{"fortran", "sum", sum, "there is no form"},
		{"openmp", "1sum", sum, "is no name"},
		{"openmp", "sum", reportOf(t, "x:i32,y:i32", "x - y", "none"), "not proven to be associative"},
		{"openmp", "affine", reportOf(t, "x0:u32,x1:u32,y0:u32,y1:u32", "x0*y0; x1*y0 + y1", "none"), "not proven to commute"},
		{"rayon", "last", reportOf(t, "x:i32,y:i32", "y", "none"), "needs a neutral element"},
		{"cpp", "reflected", reportOf(t, "x:i32,y:i32", "x - max(x - y, 0)", "nsw"), "only where nothing overflows"},
		{"cpp", "least", reportOf(t, "x:f32,y:f32", "min(x, y)", "none"), "unless nnan and nsz are allowed"},
		{"jax", "shifted", reportOf(t, "x:i32,y:i32,k:i32", "x + y + k", "none"), "the constant k has no place"},
		{"sql", "sum", sum, "sql has no operation that is + of i32"},
		{"sql", "bytes", reportOf(t, "x:u8,y:u8", "x | y", "none"), "sql has no type u8"},
	} {
		if _, err := Write(test.form, test.name, test.r); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s of %s: %v, not %s", test.form, test.name, err, test.want)
		}
	}
}
