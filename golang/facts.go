package golang

import (
	"encoding/json"
	"flag"
	"go/types"
	"os"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/rfactor-go/rfactor/golang/internal/read"
)

// pureFunction is the fact that calls of a function have no effect, for packages that import its own.
type pureFunction struct {
	Strict bool
	Ends   bool
	Panics []string
	Words  bool
	Body   *read.Portable // nil where it has none in the notation
}

func (*pureFunction) AFact() {}

func (*pureFunction) String() string { return "pure" }

// facts builds the SSA form of a package, and records which functions have no effect. Drivers run it on all that a package
// imports, too.
var facts = &analysis.Analyzer{
	Name:       "rfactorfacts",
	Doc:        "record which functions have no effect, for the analyzer rfactor",
	Run:        recordFacts,
	FactTypes:  []analysis.Fact{new(pureFunction)},
	ResultType: reflect.TypeFor[*Package](),
}

func recordFacts(pass *analysis.Pass) (any, error) {
	p := &Package{Fset: pass.Fset, Files: pass.Files, Types: pass.Pkg, Info: pass.TypesInfo, Sizes: pass.TypesSizes, Read: pass.ReadFile, facts: &read.Facts{}}
	for _, known := range pass.AllObjectFacts() {
		f, ok := known.Object.(*types.Func)
		fact, isPure := known.Fact.(*pureFunction)
		if ok && isPure && f.Pkg() != pass.Pkg {
			body := (*read.Body)(nil)
			if fact.Body != nil {
				body = fact.Body.Body()
			}
			p.facts.Add(f.FullName(), read.Fact{Pure: true, Strict: fact.Strict, Ends: fact.Ends, Panics: fact.Panics, Words: fact.Words, Body: body})
		}
	}
	p.build()
	if p.err != nil {
		return p, nil // the analyzer says so
	}
	for _, f := range p.functions {
		object, ok := f.Object().(*types.Func)
		if !ok || !object.Exported() || object.Pkg() != pass.Pkg {
			continue
		}
		if known := p.facts.Of(f.RelString(nil)); known.Pure {
			fact := &pureFunction{Strict: known.Strict, Ends: known.Ends, Panics: known.Panics, Words: known.Words}
			if known.Body != nil {
				fact.Body = known.Body.Portable()
			}
			pass.ExportObjectFact(object, fact)
		}
	}
	return p, nil
}

// wantsFacts reports whether go vet wants facts of a package alone, and throws diagnostics away. It runs the whole analyzer on all
// that a package imports, and says so only in the file that it names.
var wantsFacts = sync.OnceValue(func() bool {
	name := flag.Arg(0)
	if !strings.HasSuffix(name, ".cfg") {
		return false
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	var config struct{ VetxOnly bool }
	return json.Unmarshal(text, &config) == nil && config.VetxOnly
})
