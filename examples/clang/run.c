// Prints what functions of a shared library compute, for tests that compare two ways to compile them: run LIBRARY FUNCTION…
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
  static int a[128], b[128];
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    return 1;
  unsigned long s = 88172645463325252ul;
  for (int i = 2; i < argc; i++) {
    unsigned (*f)(const int *, const int *, int, int) = (unsigned (*)(const int *, const int *, int, int))dlsym(library, argv[i]);
    if (!f)
      return 1;
    for (int n = 0; n <= 100; n++) {
      for (int j = 0; j < 128; j++) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        a[j] = (int)(s >> 33) % 21 - 10, b[j] = (int)(s >> 13) % 21 - 10;
      }
      printf("%s %d %u\n", argv[i], n, f(a, b, n, n % 7 - 3));
    }
  }
  return 0;
}
