// Package lift fits updates to families of functions that are closed under composition. Where no
// operator on the state exists, parameters of such functions are reduced in place of the state.
//
//	x*k + y         →   affine: x ↦ a*x + b with parameters (k, y);  (a, b) ∘ (c, d) = (a*c, b*c + d)
//	max(x + y, 0)   →   clamp: x ↦ max(x + a, b) with parameters (y, 0);  (a, b) ∘ (c, d) = (a + c, max(b + c, d))
//
// Here and in the examples of the families p ∘ q is "first p, then q". Composition of parameters is
// associative because composition of functions is.
//
// A Shape is a family that is fitted to one part of an update: the parameters of a step (Inject), the
// function that parameters stand for (Apply), the parameters of two steps one after the other
// (Compose), and those of the step that changes nothing (Identity, nil where there is none). Each
// parameter is an expression, called a cell.
//
// The package proves nothing. A Shape is a guess; the caller proves that Apply with Inject is the
// update and that Compose is the composition, and takes the next Shape where a proof fails.
//
// Least brings a shape into a form of fewer cells: see least.go for how, relations.go for cells that
// depend on others, and indexed.go for cells that have few values.
//
// To add a family, write a file with an algebra (see fit.go: how leaves, the state, selects and
// operators are read, applied and composed), or with a function that fits a whole part and returns
// nil where the part does not have the family's form. Then add a row to families. An update that the
// family lifts goes into TestLift of package rfactor, and one that it must leave alone into
// TestNotLifted.
package lift
