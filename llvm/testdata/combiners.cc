// Operators for the tests of package llvm: reductions declared with OpenMP, lambdas, functors.
struct Least { int value, place; };
struct Moments { double n, mean, m2; };
static inline void merge(Moments &a, const Moments &b) {
  double n = a.n + b.n, d = b.mean - a.mean;
  a.mean += d * b.n / n;
  a.m2 += b.m2 + d * d * a.n * b.n / n;
  a.n = n;
}
#pragma omp declare reduction(least : Least : omp_out = omp_in.value < omp_out.value ? omp_in : omp_out) initializer(omp_priv = Least{2147483647, 0})
#pragma omp declare reduction(greatest : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
#pragma omp declare reduction(squares : double : omp_out += omp_in * omp_in) initializer(omp_priv = 0)
#pragma omp declare reduction(merge : Moments : merge(omp_out, omp_in)) initializer(omp_priv = Moments{0, 0, 0})

int reduced(const Least *a, const int *m, const double *d, Moments *o, int n) {
  Least l{2147483647, 0}; int g = 0; double s = 0; Moments w{0, 0, 0};
#pragma omp parallel for reduction(least : l) reduction(greatest : g) reduction(squares : s) reduction(merge : w)
  for (int i = 0; i < n; i++) {
    if (a[i].value < l.value) l = a[i];
    if (m[i] > g) g = m[i];
    s += d[i];
    merge(w, o[i]);
  }
  return l.place + g + (int)s + (int)w.mean;
}

template <class F> int folded(const int *a, int n, F f) { int s = a[0]; for (int i = 1; i < n; i++) s = f(s, a[i]); return s; }
int lambdas(const int *a, int n) {
  return folded(a, n, [](int x, int y) { return x > y ? x : y; }) + folded(a, n, [](int x, int y) { return x - y; });
}
struct Saturating { unsigned char operator()(unsigned char x, unsigned char y) const { int s = x + y; return s > 255 ? 255 : s; } };
int functor(const unsigned char *a, int n) { Saturating f; unsigned char s = 0; for (int i = 0; i < n; i++) s = f(s, a[i]); return s; }
