package main

import (
	"testing"

	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// The demonstration, of fewer elements. Some shards are empty.
func TestDemo(t *testing.T) {
	for _, elements := range []int{20_000, 3} {
		if err := demo(t.Context(), elements, 8, 0); err != nil {
			t.Error(elements, err)
		}
	}
}
