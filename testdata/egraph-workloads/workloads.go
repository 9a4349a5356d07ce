// Package workloads embeds the reference workloads for e-graph engines: rules,
// start terms and the counts that a correct engine reaches. README.md says what
// they are.
package workloads

import (
	"embed"
	"strings"
)

//go:embed *.rules *.terms expected
var files embed.FS

// Text returns the contents of a file.
func Text(name string) (string, error) {
	text, err := files.ReadFile(name)
	return string(text), err
}

// Lines returns the lines of a file without comments and empty ones.
func Lines(name string) ([]string, error) {
	text, err := Text(name)
	if err != nil {
		return nil, err
	}
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines, nil
}
