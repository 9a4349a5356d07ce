package gocode

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"runtime/debug"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/save"
	"github.com/rfactor-go/rfactor/internal/verbs"
)

// The parts of SARIF 2.1.0 that findings have.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID     string          `json:"ruleId"`
		RuleIndex  int             `json:"ruleIndex"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
		Locations  []sarifLocation `json:"locations"`
		Properties *golang.Finding `json:"properties"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// sarifRules are the verdicts.
var sarifRules = []sarifRule{
	{string(golang.Reduction), sarifText{"A loop is a reduction by an associative operator."}},
	{string(golang.Lift), sarifText{"The steps of a loop compose."}},
	{string(golang.Refused), sarifText{"A loop was read, and no operator was found."}},
	{string(golang.Stopped), sarifText{"A loop was not read."}},
	{string(golang.Histogram), sarifText{"A loop adds to elements of a table where what it reads says."}},
	{string(golang.Search), sarifText{"A loop is a search that carries nothing."}},
}

// sarif writes findings as a log of the Static Analysis Results Interchange Format 2.1.0. A result has what -json prints of it
// as its properties.
func sarif(findings []*golang.Finding) ([]byte, error) {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "rfactor", InformationURI: golang.Analyzer.URL, Rules: sarifRules}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		run.Tool.Driver.Version = info.Main.Version
	}
	for _, f := range findings {
		rule := 0
		for i, r := range sarifRules {
			if r.ID == string(f.Verdict) {
				rule = i
			}
		}
		path := url.URL{Path: filepath.ToSlash(f.Pos.Filename)}
		if filepath.IsAbs(f.Pos.Filename) {
			path.Scheme = "file"
		}
		place := sarifPhysical{sarifArtifact{path.String()}, sarifRegion{f.Pos.Line, f.Pos.Column}}
		run.Results = append(run.Results, sarifResult{sarifRules[rule].ID, rule, "note", sarifText{f.Message()}, []sarifLocation{{place}}, f})
	}
	return json.MarshalIndent(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}, "", "  ")
}

// writeReport writes a report into a file.
func (c *command) writeReport(file string, text []byte, err error) int {
	if err == nil {
		err = save.Text(file, append(text, '\n'))
	}
	if err != nil {
		return c.Errorf("%v", err)
	}
	return verbs.Matched
}
