package egraph

// SetWarmFrom lets tests have small tables treated as large ones.
func SetWarmFrom(slots int) { warmFrom = slots }
