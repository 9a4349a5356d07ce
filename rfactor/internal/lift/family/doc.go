// Package family lists the families of lifts, and fits whole parts of updates to those that are no algebra.
//
// To add a family, write an algebra (see package algebra), or a function that fits a whole part and returns nil where the part does not
// have the family's form. Then add a row to All. An update that the family lifts goes into TestLift of package rfactor, and one that it
// must leave alone into TestNotLifted.
package family
