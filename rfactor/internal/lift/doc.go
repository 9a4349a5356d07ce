// Package lift fits updates to families of functions that are closed under composition. Where no
// operator on the state exists, parameters of such functions are reduced in place of the state.
//
//	x*k + y         →   affine: a*x + b with parameters (k, y);  (a, b) then (c, d) = (a*c, b*c + d)
//	max(x + y, 0)   →   clamp: max(x + a, b) with parameters (y, 0);  (a, b) then (c, d) = (a + c, max(b + c, d))
//
// A family is a row of one table, and its code a file. It is given a Context and a part of an
// update, evaluates the part at chosen states, and returns a Shape: the parameters, how they are
// applied, and how they compose. It returns nil where the update has not the family's form. The
// package proves nothing: a Shape is a guess, whose laws its caller proves.
package lift
