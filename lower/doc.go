// Package lower turns a plan, stages with their loops, into something that runs: the source
// of a Go package, or an executor in process.
package lower
