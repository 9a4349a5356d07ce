// Package targets tells tests of documents which targets make has: those of the Makefile, the suites of .ci/suites, and the
// measurements of the module bench.
package targets

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Has reports whether make, started in the root of the tree, knows a target. Check-NAME is a suite and bench-NAME a measurement. An error
// is one of reading files.
func Has(root, target string) (bool, error) {
	name := regexp.QuoteMeta(target)
	if ok, err := anyMatches([]string{filepath.Join(root, "Makefile")}, `(?m)^([a-z-]+ )*`+name+`( [a-z-]+)*:`); ok || err != nil {
		return ok, err
	}
	if suite, ok := strings.CutPrefix(name, "check-"); ok {
		return anyMatches([]string{filepath.Join(root, ".ci", "suites")}, `(?m)^# `+suite+`: .`)
	}
	measurement, ok := strings.CutPrefix(name, "bench-")
	if !ok {
		return false, nil
	}
	sources, err := filepath.Glob(filepath.Join(root, "bench", "*", "*.go"))
	if err != nil {
		return false, err
	}
	return anyMatches(append(sources, filepath.Join(root, "bench", "main.go")), `(?:\bName: +|Preset\()"`+measurement+`"`)
}

// anyMatches reports whether some file has a match of a pattern.
func anyMatches(files []string, pattern string) (bool, error) {
	re := regexp.MustCompile(pattern)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		if re.Match(text) {
			return true, nil
		}
	}
	return false, nil
}
