package cli

import (
	"fmt"
	"strconv"
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
func DidYouMean(word string, known []string) string {
	for most := 1; most <= 2; most++ {
		for _, k := range known {
			if len(word) > most && editDistance(word, k) <= most {
				return " (did you mean " + k + "?)"
			}
		}
	}
	return ""
}

// editDistance counts letters inserted, removed or replaced; long words are far from all.
func editDistance(a, b string) int {
	if len(a) > 20 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
