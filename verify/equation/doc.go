// Package equation checks proof trees of equations. It trusts nothing of the search that
// made a tree and shares no code with it.
package equation
