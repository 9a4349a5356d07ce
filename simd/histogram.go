package simd

import "encoding/binary"

// Histogram adds to counts how often each value occurs in x; counts wrap.
//
// It is scalar in every build. Equal neighbours are frequent, and a counter that
// was stored a moment ago is read again only after the store has been forwarded:
// four tables by turns keep the stores apart.
func Histogram(counts *[256]uint32, x []uint8) {
	var t [4][256]uint32
	for ; len(x) >= 8; x = x[8:] {
		w := binary.LittleEndian.Uint64(x)
		t[0][uint8(w)]++
		t[1][uint8(w>>8)]++
		t[2][uint8(w>>16)]++
		t[3][uint8(w>>24)]++
		t[0][uint8(w>>32)]++
		t[1][uint8(w>>40)]++
		t[2][uint8(w>>48)]++
		t[3][uint8(w>>56)]++
	}
	for _, v := range x {
		t[0][v]++
	}
	for v := range counts {
		counts[v] += (t[0][v] + t[1][v]) + (t[2][v] + t[3][v])
	}
}

// PortableHistogram is the twin of Histogram: the loop with one table.
func PortableHistogram(counts *[256]uint32, x []uint8) {
	for _, v := range x {
		counts[v]++
	}
}
