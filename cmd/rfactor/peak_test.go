package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// peakFile is the environment variable that names a file for the largest resident size of the command.
const peakFile = "RFACTOR_TEST_PEAK"

// mainWithPeak is main, and writes what peakFile asks for. What the system says of a process that has ended counts the
// memory of the process that started it, too: here that of all tests.
func mainWithPeak() {
	if os.Getenv(peakFile) == "" {
		main()
		return
	}
	code := doMain(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		if err := os.WriteFile(os.Getenv(peakFile), status, 0o666); err != nil {
			panic(err)
		}
	}
	os.Exit(code)
}

// peakMegabytes returns the largest resident size that mainWithPeak wrote to a file; 0 where it is not known: only
// Linux tells.
func peakMegabytes(t *testing.T, file string) (peak int64) {
	status, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(status), "VmHWM:")
	if !ok {
		t.Fatal("the status of the process has no VmHWM")
	}
	if _, err := fmt.Sscan(rest, &peak); err != nil {
		t.Fatal(err)
	}
	return peak / 1024
}
