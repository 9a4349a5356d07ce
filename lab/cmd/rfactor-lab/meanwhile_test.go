package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rfactor-go/rfactor/lab"
)

// While a run is on its way, there is a report of what is done.
func TestReportMeanwhile(t *testing.T) {
	dir := t.TempDir()
	corpus := "sum\there\tx0:i32,y0:i32\tx0 + y0\nmax\there\tx0:i32,y0:i32\tmax(x0, y0)\n"
	if err := os.WriteFile(filepath.Join(dir, "small.tsv"), []byte(corpus), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := lab.ReadExperiment(filepath.Join(dir, "e.json"), `{"schema": "rfactor-lab/1", "corpora": ["small.tsv"], "matchers": ["exact", "lift"]}`)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	run := &lab.Run{Dir: dir, Workers: 1, Step: func(done, _ int, _ string) {
		if done == 1 {
			cancel()
		}
	}}
	if err := run.Do(ctx, e); err == nil {
		t.Fatal("the run is complete")
	}
	stop := reportMeanwhile(e, dir, time.Millisecond)
	defer stop()
	for range 1000 {
		if text, err := os.ReadFile(filepath.Join(dir, "report.html")); err == nil {
			if !strings.Contains(string(text), "This run is not complete") {
				t.Error("the report does not say that the run is not complete")
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("there is no report")
}
