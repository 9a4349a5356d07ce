// Package equation checks proof trees of equations. It trusts nothing of the search that made a tree and shares no code with it.
//
//	select(p, x + y, x) = x + select(p, y, 0)   by   split on p: equal, equal
//
// Check returns nil if the tree proves the equation. Its error says where a tree falls short: that case of the
// equation is not confirmed, and may hold all the same. The work on a tree is bounded, and a tree that needs more is an
// error too; CheckWithin takes the bound. Complete checks a tree while a finder still writes it.
package equation
