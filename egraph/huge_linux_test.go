package egraph

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// The kernel notes the wish of a large array, which stays as it was.
func TestHuge(t *testing.T) {
	const file = "/sys/kernel/mm/transparent_hugepage/enabled"
	if _, err := os.Stat(file); err != nil {
		t.Skip("no huge pages:", err)
	}
	small, large := huge([]slot{{id: 7}}), huge(make([]slot, 1<<19))
	if len(small) != 1 || small[0].id != 7 || len(large) != 1<<19 {
		t.Errorf("%v and an array of %d came back", small, len(large))
	}
	middle := &large[len(large)/2]
	if flags := flagsOf(t, uintptr(unsafe.Pointer(middle))); !strings.Contains(flags, " hg") {
		t.Errorf("flags of the array's memory: %q, want hg", flags)
	}
	middle.id = 1
}

// flagsOf returns what the kernel knows of the memory at an address.
func flagsOf(t *testing.T, at uintptr) string {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("no smaps:", err)
	}
	inside := false
	for line := range strings.Lines(string(text)) {
		var from, to uintptr
		if n, _ := fmt.Sscanf(line, "%x-%x ", &from, &to); n == 2 {
			inside = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(line, "VmFlags:"); ok && inside {
			return strings.TrimRight(flags, "\n")
		}
	}
	t.Fatalf("no memory at %#x", at)
	return ""
}
