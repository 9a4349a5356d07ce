package cli

import (
	"fmt"
	"strconv"

	"github.com/rfactor-go/rfactor/ir/program"
)

// Quote quotes a word of the user's, at most so much of it that a line holds it.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}

// Count counts things, in words.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// DidYouMean is the end of a message about an unknown word, or nothing.
func DidYouMean(word string, known []string) string { return program.DidYouMean(word, known) }
