package golang

import (
	"context"

	"golang.org/x/tools/go/analysis"
)

// Analyzer reports the reductions of a package to drivers of golang.org/x/tools/go/analysis. Plain sums, products,
// extrema and logic, and loops without an answer, are reported only under its flag all.
var Analyzer = &analysis.Analyzer{
	Name: "rfactor",
	Doc: `find loops that are reductions by an associative operator

The analyzer reads innermost loops, finds the associative operator behind the values that they carry and proves it.
Such a loop can be computed in parallel.`,
	URL:      "https://github.com/rfactor-go/rfactor",
	Requires: []*analysis.Analyzer{facts},
	Run:      run,
}

var showAll bool

func init() {
	Analyzer.Flags.BoolVar(&showAll, "all", false, "report plain sums, and loops without an answer, too")
	Analyzer.Flags.BoolVar(&shared.Strict, "strict", false, "accept no answer that takes variables of different names to be apart (noalias)")
}

// shared remembers answers for all packages of a process.
var shared Inspector

func run(pass *analysis.Pass) (any, error) {
	if wantsFacts() {
		return nil, nil
	}
	p := pass.ResultOf[facts].(*Package)
	findings, _, err := shared.Inspect(context.Background(), p)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		if showAll || !f.Silent() {
			pass.Report(analysis.Diagnostic{Pos: f.at, Category: string(f.Verdict), Message: f.Message(), SuggestedFixes: suggested(f)})
		}
	}
	return nil, nil
}

// suggested is the fix of a finding as edits of its file.
func suggested(f *Finding) []analysis.SuggestedFix {
	if f.fix == nil {
		return nil
	}
	fix := analysis.SuggestedFix{Message: "Run the loop in parallel where it is long, by " + f.Fix}
	for _, e := range f.fix.InPlace() {
		fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: e.Pos, End: e.End, NewText: []byte(e.Text)})
	}
	return []analysis.SuggestedFix{fix}
}
