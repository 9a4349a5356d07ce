// Times a product of matrices by Halide on one core, with the schedule of Halide's own performance test of it: tiles of 24 by
// 32, of which 4 rows of 3 vectors stay in registers. With the argument "strict" each operation rounds, else products may be
// fused with sums. For each line with a size n it multiplies twice, and answers with the nanoseconds of processor time of the second product.
#include <Halide.h>
#include <cstdio>
#include <cstring>
#include <ctime>

using namespace Halide;

static long long now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv) {
  Target target = get_host_target();
  if (argc > 1 && !strcmp(argv[1], "strict")) target = target.with_feature(Target::StrictFloat);
  const int lanes = target.natural_vector_size<float>();
  ImageParam a(Float(32), 2), b(Float(32), 2);
  Func product("product"), out("out");
  Var x, y, xi, yi, yii, both;
  RDom k(0, a.width());
  product(x, y) += a(k, y) * b(x, k);
  out(x, y) = product(x, y);
  out.tile(x, y, xi, yi, 3 * lanes, 32).fuse(x, y, both).split(yi, yi, yii, 4).vectorize(xi, lanes).unroll(xi).unroll(yii);
  product.compute_at(out, yi).vectorize(x, lanes).unroll(y);
  product.update(0).reorder(x, y, k).vectorize(x, lanes).unroll(x).unroll(y).unroll(k, 2, TailStrategy::GuardWithIf);
  out.compile_jit(target);
  int n;
  Buffer<float> left, right, result;
  while (scanf("%d", &n) == 1) {
    if (!left.defined() || left.width() != n) {
      left = Buffer<float>(n, n), right = Buffer<float>(n, n), result = Buffer<float>(n, n);
      for (int i = 0; i < n * n; i++) left.data()[i] = i % 7, right.data()[i] = i % 5;
      a.set(left), b.set(right);
    }
    long long start;
    for (int turn = 0; turn < 2; turn++) {
      start = now();
      out.realize(result, target);
    }
    printf("%lld\n", now() - start);
    fflush(stdout);
  }
}
