// Package lift holds what a lift is and how it is made smaller. Where no operator on the state exists, parameters of functions that are
// closed under composition are reduced in place of the state.
//
//	x*k + y         →   affine: x ↦ a*x + b with parameters (k, y);  (a, b) ∘ (c, d) = (a*c, b*c + d)
//	max(x + y, 0)   →   clamp: x ↦ max(x + a, b) with parameters (y, 0);  (a, b) ∘ (c, d) = (a + c, max(b + c, d))
//
// Here and in the examples of the families p ∘ q is "first p, then q". Composition of parameters is
// associative because composition of functions is.
//
// A Shape is a family of such functions that is fitted to one part of an update: the parameters of a step (Inject), the
// function that parameters stand for (Apply), the parameters of two steps one after the other
// (Compose), and those of the step that changes nothing (Identity, nil where there is none). Each
// parameter is an expression, called a cell.
//
// The package and those in its folder prove nothing. A Shape is a guess; the caller proves that Apply with Inject is the
// update and that Compose is the composition, and takes the next Shape where a proof fails.
//
// Least brings a shape into a form of fewer cells: see least.go for how, relations.go for cells that
// depend on others, and indexed.go for cells that have few values.
//
// Shapes come from package family, which fits whole parts, by package algebra where each component fits by itself, and from package
// combine, which joins those of several families.
package lift
