package program

import (
	"fmt"
	"strconv"
)

// DidYouMean is the end of a message about an unknown word: the candidate that is like it, if one is.
func DidYouMean(word string, candidates []string) string {
	if c := closest(word, candidates); c != "" {
		return fmt.Sprintf(" (did you mean %s?)", c)
	}
	return ""
}

// closest is the candidate that word was probably meant to be, of two that are equally near the first; or "".
func closest(word string, candidates []string) string {
	best, at := "", 1+len(word)/3
	for _, c := range candidates {
		if c == word || max(len(c)-len(word), len(word)-len(c)) > at { // the word itself is known, and something else
			continue
		}
		if d := editDistance(word, c); d <= at && d < max(len(word), len(c)) && (best == "" || d < at) {
			best, at = c, d
		}
	}
	return best
}

// editDistance counts letters inserted, removed, replaced, or swapped with their neighbour.
func editDistance(a, b string) int {
	const most = 64
	if max(len(a), len(b)) > most {
		return most
	}
	var rows [most + 1][most + 1]int
	for i := range rows {
		rows[i][0], rows[0][i] = i, i
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			d := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = min(d, rows[i][j-1]+1, rows[i-1][j]+1)
		}
	}
	return rows[len(a)][len(b)]
}

// plural counts things in an error message.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// FunctionLike returns the function that a call of an unknown name with so many arguments was
// probably meant to be: one of the language that takes as many, or one of the others; "" where no
// name is near. A name of one or two letters is near to many: in is not a misspelt sin.
func FunctionLike(name string, args int, others []string) string {
	if len(name) < 3 {
		return ""
	}
	for _, n := range builtinNames() {
		if f := builtins[n]; f.min <= args && args <= f.max {
			others = append(others[:len(others):len(others)], n)
		}
	}
	return closest(name, others)
}
