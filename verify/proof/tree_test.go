package proof_test

import (
	"encoding/json"
	"reflect"
	"testing"

	. "github.com/rfactor-go/rfactor/verify/proof"
)

// A refutation without pairs of signs states squares, and one without products does not: both
// are read back as they were.
func TestRefutationIsReadBack(t *testing.T) {
	for _, why := range []Refutation{{}, {Products: [][2]int{}}, {Using: []int{3}, Products: [][2]int{{0, -1}}, Lines: [][]int64{{0, 1}}}} {
		text, err := json.Marshal(why)
		if err != nil {
			t.Fatal(err)
		}
		var back Refutation
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, why) {
			t.Errorf("%s is read back as %#v, %v", text, back, err)
		}
	}
}
