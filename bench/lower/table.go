package lower

import (
	"fmt"
	"io"
	"strconv"
)

// find is the time of a backend; procs below 1 stand for any number of goroutines.
func find(all []measured, name string, n, procs int, backend string) (float64, bool) {
	for _, t := range all {
		if t.reduction == name && t.n == n && (t.goroutines == procs || procs < 1) && t.backend == backend {
			return t.ms, true
		}
	}
	return 0, false
}

// autoTable prints a row for each program and size.
func autoTable(w io.Writer, o *options, rs []*reduction, all []measured) {
	fmt.Fprintln(w, "program\tn\tportable_us\tserial_us\tratio\tsimd_us\tratio")
	for _, r := range rs {
		for _, n := range o.sizes {
			plain, ok := find(all, r.name, n, 0, "portable")
			if !ok {
				continue
			}
			serial, _ := find(all, r.name, n, 0, "portable serial")
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s", r.name, n, number(plain*1000, true), number(serial*1000, true), number(serial/plain, true))
			vector, ok := find(all, r.name, n, 0, "simd")
			serial, _ = find(all, r.name, n, 0, "simd serial")
			fmt.Fprintf(w, "\t%s\t%s\n", number(vector*1000, ok), number(serial/vector, ok))
		}
	}
}

// table prints a row for each timing, beside the limit and the serial time of its size; speedup is the
// serial time over its own.
func table(w io.Writer, o *options, rs []*reduction, all []measured) {
	find := func(name string, n, procs int, backend string) (float64, bool) {
		return find(all, name, n, procs, backend)
	}
	fmt.Fprintln(w, "reduction\tn\tgoroutines\tbackend\tms\tgb_s\tlimit_gb_s\tserial_ms\tspeedup")
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
					fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", r.name, n, p, backend, number(ms, true),
						number(speed(r, n, ms), true), number(speed(r, n, limit), hasLimit), number(serial, hasSerial), number(serial/ms, hasSerial))
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
