package egraph

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestReadPeers(t *testing.T) {
	text, err := os.ReadFile("peers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	times, err := readPeers(string(text))
	if err != nil {
		t.Fatal(err)
	}
	// A machine on which two loops take twice as long and one half as long is 2 to the 1/3 times as slow.
	here := []time.Duration{552 * time.Millisecond, 2982 * time.Millisecond, 193 * time.Millisecond}
	if scale, err := scaleOf("egg-0.11", times, here); err != nil || scale < 1.2599 || scale > 1.26 {
		t.Errorf("scale %v, %v, want 1.2599", scale, err)
	}
	if _, err := scaleOf("oatlog", times, here); err == nil {
		t.Error("times of a machine that nobody calibrated are scaled")
	}
	for _, bad := range []string{"egg\tac9", "egg\tac9\t0", "egg\tac9\t-1", "egg\tac9\tsoon", "egg\tac9\tNaN", "egg\tac9\tInf"} {
		if _, err := readPeers(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func TestRunPeer(t *testing.T) {
	program := filepath.Join(t.TempDir(), "run")
	w := &workload{name: "ac9", rules: "ac", terms: "ac9"}
	for _, tt := range []struct {
		prints string
		want   time.Duration // 0 for an error
	}{{"0.25 7 3", 250 * time.Millisecond}, {"0.25 7 4", 0}, {"0.25 8 3", 0}, {"0 7 3", 0}, {"quick", 0}} {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n[ \"$1 $4\" = 'ac9 0' ] && echo "+tt.prints+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		took, err := runPeer(t.Context(), program, w, result{nodes: 7, classes: 3})
		if took != tt.want || (err == nil) != (tt.want > 0) {
			t.Errorf("%q: %v, %v", tt.prints, took, err)
		}
	}
}
