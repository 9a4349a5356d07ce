// Package lab runs experiments on matching: which updates of which corpora each matcher recognises,
// how long that takes, and how both change with spelling, rules, stages and limits.
//
// An [Experiment] is a file. A [Run] of it appends a [Record] of every match to results.jsonl in a
// directory, so that whatever ends a run, nothing that was finished is lost. From the records alone
// [Report] makes tables, plots and a page.
package lab
