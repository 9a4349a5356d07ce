// Times sgemm of OpenBLAS on one core. For each line with a size n it multiplies matrices of n by n twice, and answers
// with the nanoseconds of processor time of the second product.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void) {
  openblas_set_num_threads(1);
  int n, size = 0;
  float *a = NULL, *b = NULL, *c = NULL;
  while (scanf("%d", &n) == 1) {
    if (n != size) {
      size = n;
      a = realloc(a, sizeof(float) * n * n);
      b = realloc(b, sizeof(float) * n * n);
      c = realloc(c, sizeof(float) * n * n);
      for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
      }
    }
    long long start;
    for (int turn = 0; turn < 2; turn++) {
      start = now();
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
    }
    printf("%lld\n", now() - start);
    fflush(stdout);
  }
}
