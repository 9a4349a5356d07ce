// Package witness completes proof trees with what their checker asks for: why the decisions of a
// case contradict each other.
//
//	x < y, y < x   →   1·(x − y < 0) + 1·(y − x < 0) gives 0 < 0
//
// The search prunes cases by code of its own and notes no more than which decisions matter.
// Here the inequalities are stated as package verify states them, and their combination that
// says 0 < 0 is found again and written down.
package witness
