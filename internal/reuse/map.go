// Package reuse empties the memory of workspaces for their next use.
package reuse

// large is the number of entries from which clearing a map costs more than a new one.
const large = 32

// Map returns an empty map: m itself, cleared, unless it has grown large.
func Map[K comparable, V any](m map[K]V) map[K]V {
	switch n := len(m); {
	case n > large:
		return map[K]V{}
	case n > 0:
		clear(m)
	}
	return m
}
