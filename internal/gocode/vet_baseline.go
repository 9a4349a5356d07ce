package gocode

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rfactor-go/rfactor/golang"
	"github.com/rfactor-go/rfactor/internal/save"
)

// A baseline lists findings that are accepted, one a line: file, function, category and verdict, and the line of the loop, with tabs between. Line
// numbers are left out, so that a change elsewhere in a file makes nothing new. Two equal lines accept two findings.

const baselineHead = "# Findings that rfactor vet does not report. Written by rfactor vet -baseline FILE -accept.\n"

func baselineLine(f *golang.Finding) string {
	return strings.Join([]string{filepath.ToSlash(f.Pos.Filename), f.Func, f.Category, string(f.Verdict), f.Source}, "\t")
}

// writeBaseline accepts findings.
func writeBaseline(name string, findings []*golang.Finding) error {
	var lines []string
	for _, f := range findings {
		lines = append(lines, baselineLine(f)+"\n")
	}
	slices.Sort(lines)
	return save.Text(name, []byte(baselineHead+strings.Join(lines, "")))
}

// withoutBaseline returns the findings that a file does not list. A file that is not there lists none.
func withoutBaseline(name string, findings []*golang.Finding) (left []*golang.Finding, err error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return findings, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	accepted := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		accepted[lines.Text()]++
	}
	for _, f := range findings {
		if line := baselineLine(f); accepted[line] > 0 {
			accepted[line]--
			continue
		}
		left = append(left, f)
	}
	return left, lines.Err()
}
