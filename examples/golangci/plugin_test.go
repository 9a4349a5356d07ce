package golangci

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

// The plug-in is found by its name, takes its settings, and has the analyzer.
func TestPlugin(t *testing.T) {
	build, err := register.GetPlugin("rfactor")
	if err != nil {
		t.Fatal(err)
	}
	p, err := build(map[string]any{"all": true})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.BuildAnalyzers()
	if err != nil || len(list) != 1 || list[0].Flags.Lookup("all").Value.String() != "true" {
		t.Error(list, err)
	}
	if p.GetLoadMode() != register.LoadModeTypesInfo {
		t.Error(p.GetLoadMode())
	}
}
