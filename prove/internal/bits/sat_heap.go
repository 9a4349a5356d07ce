package bits

// The heap of variables, the most active first; of equal ones that with the smaller number.

func (s *sat) before(v, w int32) bool {
	return s.active[v] > s.active[w] || s.active[v] == s.active[w] && v < w
}

func (s *sat) refill() {
	for _, v := range s.heap {
		s.inHeap[v] = -1
	}
	s.heap = s.heap[:0]
	for v, ok := range s.wanted {
		if ok && s.value[2*v] == 0 {
			s.push(int32(v))
		}
	}
}

func (s *sat) push(v int32) {
	s.inHeap[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.up(v)
}

func (s *sat) up(v int32) {
	i := s.inHeap[v]
	for i > 0 && s.before(v, s.heap[(i-1)/2]) {
		s.place(s.heap[(i-1)/2], i)
		i = (i - 1) / 2
	}
	s.place(v, i)
}

func (s *sat) place(v, i int32) { s.heap[i], s.inHeap[v] = v, i }

func (s *sat) pop() int32 {
	top := s.heap[0]
	s.inHeap[top] = -1
	n := int32(len(s.heap) - 1)
	v := s.heap[n]
	s.heap = s.heap[:n]
	if n == 0 {
		return top
	}
	i := int32(0)
	for {
		c := 2*i + 1
		if c+1 < n && s.before(s.heap[c+1], s.heap[c]) {
			c++
		}
		if c >= n || !s.before(s.heap[c], v) {
			break
		}
		s.place(s.heap[c], i)
		i = c
	}
	s.place(v, i)
	return top
}

func (s *sat) bumpVar(v int) {
	if s.active[v] += s.bump; s.active[v] > 1e100 {
		for i := range s.active {
			s.active[i] *= 1e-100
		}
		s.bump *= 1e-100
	}
	if s.inHeap[v] >= 0 {
		s.up(int32(v))
	}
}
