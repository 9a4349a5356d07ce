// Package recent has caches that forget: what a process made lately is found again, and what it did not ask for since is made anew.
package recent

import "sync"

// A Map keeps values that are made of their keys alone, so that it never matters whether one is kept. The sum of their
// weights is at most Most, or the weight of one value. The zero Map keeps one value. Several goroutines may use it.
//
//	var squares = recent.Map[int, int]{Most: 1000}
//	squares.Get(7, func() (int, int) { return 49, 1 })
type Map[K comparable, V any] struct {
	Most int

	mu         sync.Mutex
	young, old map[K]weighed[V] // what was asked for since the last turn, and what else was before that
	weight     int              // of young
}

type weighed[V any] struct {
	value  V
	weight int
}

// Get returns the value of a key. Where none is kept, build makes it, and says what it weighs. Two goroutines may build one at the
// same time, and both get the same.
func (m *Map[K, V]) Get(k K, build func() (v V, weight int)) V {
	if v, ok := m.Peek(k); ok {
		return v
	}
	v, weight := build()
	m.mu.Lock()
	defer m.mu.Unlock()
	if w, ok := m.find(k); ok {
		return w.value
	}
	m.put(k, weighed[V]{v, weight})
	return v
}

// Peek returns the value of a key, if one is kept.
func (m *Map[K, V]) Peek(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w, ok := m.find(k)
	return w.value, ok
}

// Grow adds to the weight of a value that has grown, if it is kept.
func (m *Map[K, V]) Grow(k K, by int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if w, ok := m.find(k); ok {
		delete(m.young, k)
		m.weight -= w.weight
		m.put(k, weighed[V]{w.value, w.weight + by})
	}
}

// Forget forgets all values.
func (m *Map[K, V]) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.young, m.old, m.weight = nil, nil, 0
}

// Weight returns the weight of all values that are kept.
func (m *Map[K, V]) Weight() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	sum := m.weight
	for _, w := range m.old {
		sum += w.weight
	}
	return sum
}

func (m *Map[K, V]) find(k K) (weighed[V], bool) {
	if w, ok := m.young[k]; ok {
		return w, true
	}
	w, ok := m.old[k]
	if ok {
		delete(m.old, k)
		m.put(k, w)
	}
	return w, ok
}

// put keeps a value among the young. When these have half of what may be kept, they are old, and those that were old are forgotten.
func (m *Map[K, V]) put(k K, w weighed[V]) {
	if m.young == nil || 2*(m.weight+w.weight) > m.Most {
		m.young, m.old, m.weight = map[K]weighed[V]{}, m.young, 0
	}
	m.young[k] = w
	m.weight += w.weight
}
