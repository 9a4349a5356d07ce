// Package fewest looks for what shows that a lift has no parameter too many: more products of steps, all different
// functions of the state, than the parameters without one have values.
//
//	x0*y0 + y1 of u64   →   one step with y0 = 1, y1 = p0:   p0 is the value at x0 = 0
//	                        one step with y0 = 0, y1 = 0:    another function
//
// A family of products has inputs that are variables or literals. Its function is computed at some states, and solved
// for the variables: that gives the terms by which the checker reads them. Package verify says what is then known.
package fewest
