package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Histograms of requests at once equal those that are counted apart.
func TestService(t *testing.T) {
	s, err := newService(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			m := image.NewGray(image.Rect(0, 0, 101+n, 67))
			want := make([]int32, 256)
			for i := range m.Pix {
				m.Pix[i] = uint8(i * i % (200 + n))
			}
			for y := range 67 {
				for x := range 101 + n {
					want[m.At(x, y).(color.Gray).Y]++
				}
			}
			var body bytes.Buffer
			if err := png.Encode(&body, m); err != nil {
				t.Error(err)
				return
			}
			resp, err := http.Post(server.URL, "image/png", &body)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			var got []int32
			if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || len(got) != 256 {
				t.Errorf("%d counts: %v", len(got), err)
				return
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("picture %d has %d pixels of %d, not %d", n, want[i], i, got[i])
				}
			}
		})
	}
	all.Wait()
	resp, err := http.Post(server.URL, "image/png", strings.NewReader("no picture"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("no picture: %s", resp.Status)
	}
}
