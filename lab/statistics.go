package lab

import (
	"math"
)

// quantile interpolates in sorted values, of which there is at least one.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((at-float64(i))*(sorted[i+1]-sorted[i]))
}

// confidence returns the mean of some values and half the width of its 95 % confidence interval, by
// Student's t; 0 for less than two values.
func confidence(values []float64) (mean, half float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if n < 2 {
		return mean, 0
	}
	squares := 0.0
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, student(len(values)-1) * math.Sqrt(squares/(n-1)/n)
}

// student is the 97.5 % quantile of Student's t.
func student(freedom int) float64 {
	table := []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}
	if freedom <= len(table) {
		return table[freedom-1]
	}
	return 1.96 + 2.5/float64(freedom) // within 0.01 of the quantile
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
