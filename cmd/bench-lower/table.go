package main

import (
	"fmt"
	"io"
	"strconv"
)

// table prints a row for each timing, beside the limit and the serial time of its size.
func table(w io.Writer, o *options, rs []*reduction, all []measured) {
	find := func(name string, n, procs int, backend string) (float64, bool) {
		for _, t := range all {
			if t.reduction == name && t.n == n && t.goroutines == procs && t.backend == backend {
				return t.ms, true
			}
		}
		return 0, false
	}
	fmt.Fprintln(w, "reduction\tn\tgoroutines\tbackend\tms\tgb_s\tlimit_gb_s\tserial_ms")
	for _, r := range rs {
		for _, n := range o.sizes {
			for _, p := range o.procs {
				for _, backend := range []string{"serial", "portable", "simd", "block"} {
					ms, ok := find(r.name, n, p, backend)
					if !ok {
						continue
					}
					limit, hasLimit := find(r.name, n, p, "load")
					serial, hasSerial := find(r.name, n, 1, "serial")
					fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\n", r.name, n, p, backend, number(ms, true),
						number(speed(r, n, ms), true), number(speed(r, n, limit), hasLimit), number(serial, hasSerial))
				}
			}
		}
	}
}

// speed is how much input is read, in GB/s.
func speed(r *reduction, n int, ms float64) float64 { return float64(n*r.bytes) / ms / 1e6 }

// number has three digits.
func number(x float64, known bool) string {
	if !known {
		return "-"
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
