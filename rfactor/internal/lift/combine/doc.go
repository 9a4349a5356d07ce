// Package combine joins shapes where no family fits a whole part: those of numbers that have flags or the last element in common, and
// those of the classes of states that finite control tells apart. It also fits polynomials, planes of bits and matrices of bits, which are tried last.
package combine
