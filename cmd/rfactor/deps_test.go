package main

import (
	"os/exec"
	"strings"
	"testing"
)

// Apache Beam has some 300 modules. They stay in the module beam.
func TestNothingOfBeam(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(out)) {
		if strings.Contains(pkg, "apache/beam") || strings.Contains(pkg, "rfactor/beam/") {
			t.Error("depends on", strings.TrimSpace(pkg))
		}
	}
}
