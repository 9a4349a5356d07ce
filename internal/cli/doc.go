// Package cli is what the commands of this tree have in common: flags anywhere among the arguments, output in whole
// lines, and a bar of progress on a terminal.
package cli
