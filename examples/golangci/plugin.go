// Package golangci is a module plug-in of golangci-lint: golangci-lint custom builds a linter with it, as .custom-gcl.yml says, and
// .golangci.yml turns it on.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/rfactor-go/rfactor/golang"
)

func init() { register.Plugin("rfactor", newPlugin) }

// settings are those of linters.settings.custom.rfactor.settings.
type settings struct {
	All bool `json:"all"` // report plain sums, and loops without an answer, too
}

type plugin struct{ settings settings }

func newPlugin(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[settings](conf)
	return &plugin{s}, err
}

// BuildAnalyzers returns the analyzer with the settings of the linter.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	if p.settings.All {
		if err := golang.Analyzer.Flags.Set("all", "true"); err != nil {
			return nil, err
		}
	}
	return []*analysis.Analyzer{golang.Analyzer}, nil
}

// GetLoadMode says that the analyzer needs types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
