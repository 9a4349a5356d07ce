package extrema

// condition is a boolean function of flags as an ordered decision diagram. Every diagram is kept once,
// so that equal functions are the same condition.
type condition int

const (
	never condition = iota
	always
)

// decision chooses a diagram by a flag. The flags of those diagrams are greater.
type decision struct {
	flag    int
	yes, no condition
}

// conditions makes diagrams until there are maxChoices.
type conditions struct {
	decisions []decision // of never and always none: their flag is greater than all
	numbers   map[decision]condition
	made      map[[3]condition]condition
	burn      func(int)
}

func newConditions(burn func(int)) *conditions {
	leaf := decision{flag: int(^uint(0) >> 1)}
	return &conditions{[]decision{leaf, leaf}, map[decision]condition{}, map[[3]condition]condition{}, burn}
}

func (c *conditions) tooMany() bool { return len(c.made) > maxChoices }

func (c *conditions) decide(flag int, yes, no condition) condition {
	if yes == no {
		return yes
	}
	d := decision{flag, yes, no}
	n, ok := c.numbers[d]
	if !ok {
		n = condition(len(c.decisions))
		c.decisions, c.numbers[d] = append(c.decisions, d), n
	}
	return n
}

// choose is the function that is a where p holds, else b. It is void once there are too many.
func (c *conditions) choose(p, a, b condition) condition {
	key := [3]condition{p, a, b}
	switch out, ok := c.made[key]; {
	case p == always || a == b:
		return a
	case p == never:
		return b
	case ok:
		return out
	case c.tooMany():
		return never
	}
	c.burn(1)
	flag := c.decisions[p].flag
	flag = min(flag, c.decisions[a].flag, c.decisions[b].flag)
	yes, no := key, key
	for i, d := range key {
		if c.decisions[d].flag == flag {
			yes[i], no[i] = c.decisions[d].yes, c.decisions[d].no
		}
	}
	out := c.decide(flag, c.choose(yes[0], yes[1], yes[2]), c.choose(no[0], no[1], no[2]))
	c.made[key] = out
	return out
}

func (c *conditions) and(a, b condition) condition { return c.choose(a, b, never) }
func (c *conditions) or(a, b condition) condition  { return c.choose(a, always, b) }
func (c *conditions) not(a condition) condition    { return c.choose(a, never, always) }
