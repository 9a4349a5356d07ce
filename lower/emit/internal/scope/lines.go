package scope

import (
	"fmt"
	"strings"
)

// Lines writes lines.
type Lines struct{ strings.Builder }

// F writes a line.
func (l *Lines) F(format string, args ...any) { fmt.Fprintf(l, format+"\n", args...) }

// List is f of each of n numbers, with commas between.
func List(n int, f func(int) string) string {
	var words []string
	for i := range n {
		words = append(words, f(i))
	}
	return strings.Join(words, ", ")
}

// Bracket is a list of arguments.
func Bracket(list []string) string { return fmt.Sprintf("(%s)", strings.Join(list, ", ")) }
