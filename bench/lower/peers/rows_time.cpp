// Times what rows.cpp wrote, listed in rows.inc. For each line NAME N THREADS REPEATS the fastest version runs so often untimed and then again; the answer
// is the nanoseconds of processor time and of the clock of the latter, and how the version is scheduled; a line without words where there is none.
// The inputs are the files 0, 1, … of the folder that the argument names: another racer has made them, and reads the same pages.
#include <HalideRuntime.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

struct Kind { int code, bits; };

struct Row {
  int (*call)(void **);
  const char *name;
  int n, threads;
  const char *how;
  int dims, params, table;
  std::vector<Kind> in, out;
};

#define ROW(symbol, ...) extern "C" int symbol##_argv(void **);
#include "rows.inc"
#undef ROW
#define ROW(symbol, ...) Row{symbol##_argv, __VA_ARGS__},
static std::vector<Row> rows = {
#include "rows.inc"
};

static long long clock_ns(clockid_t id) {
  timespec t;
  clock_gettime(id, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static std::string folder;

static void *column(size_t i, size_t bytes) {
  int fd = open((folder + "/" + std::to_string(i)).c_str(), O_RDWR);
  void *m = fd < 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
  if (m == MAP_FAILED) { perror("column"); exit(1); }
  close(fd);
  return m;
}

// Call is a version with its arguments.
struct Call {
  const Row *row;
  std::vector<halide_buffer_t> buffers;
  std::vector<std::vector<halide_dimension_t>> dims;
  std::vector<void *> args;
  std::vector<std::pair<void *, size_t>> memory; // and how much of it is mapped
  int param;

  explicit Call(const Row *r) : row(r) {
    param = std::lround(std::pow(r->n, 1.0 / r->dims));
    size_t all = r->in.size() + r->out.size();
    buffers.resize(all), dims.resize(all);
    size_t elements = std::pow(param, r->dims) + 0.5;
    for (size_t i = 0; i < all; i++) {
      bool input = i < r->in.size();
      Kind k = input ? r->in[i] : r->out[i - r->in.size()];
      size_t count = input ? elements : r->table ? r->table : 1;
      size_t bytes = (count * k.bits / 8 + 4095) / 4096 * 4096;
      void *m = input ? column(i, bytes) : aligned_alloc(4096, bytes);
      memory.push_back({m, input ? bytes : 0});
      int d = input ? r->dims : r->table ? 1 : 0;
      for (int j = 0, stride = 1; j < d; j++) {
        int extent = input ? param : r->table;
        dims[i].push_back({0, extent, stride, 0});
        stride *= extent;
      }
      halide_buffer_t b{};
      b.host = (uint8_t *)m, b.type = halide_type_t((halide_type_code_t)k.code, k.bits), b.dimensions = d, b.dim = dims[i].data();
      buffers[i] = b;
    }
    for (size_t i = 0; i < all; i++) {
      if (i == r->in.size()) for (int j = 0; j < r->params; j++) args.push_back(&param);
      args.push_back(&buffers[i]);
    }
  }
  ~Call() {
    for (auto [m, mapped] : memory)
      if (mapped) munmap(m, mapped); else free(m);
  }
  void run(long repeats) {
    for (long i = 0; i < repeats; i++) {
      if (row->call(args.data())) { fprintf(stderr, "%s fails\n", row->name); exit(1); }
    }
  }
};

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  folder = argv[1];
  char name[100];
  int n, threads;
  long repeats;
  Call *best = nullptr;
  while (scanf("%99s %d %d %ld", name, &n, &threads, &repeats) == 4) {
    if (!best || strcmp(best->row->name, name) || best->row->n != n || best->row->threads != threads) {
      delete best, best = nullptr;
      halide_set_num_threads(threads);
      long long least = 0;
      for (const Row &r : rows) {
        if (strcmp(r.name, name) || r.n != n || r.threads != threads) continue;
        Call *c = new Call(&r);
        long calls = 1;
        for (long long took = 0; took < 3000000 && calls < 1 << 20; calls *= 2) {
          long long start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
          c->run(calls);
          took = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start;
        }
        long long fastest = 0;
        for (int turn = 0; turn < 5; turn++) {
          long long start = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
          c->run(calls / 2);
          long long took = (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - start) * 1000 / (calls / 2);
          if (!fastest || took < fastest) fastest = took;
        }
        if (!best || fastest < least) delete best, best = c, least = fastest;
        else delete c;
      }
    }
    if (!best) { puts(""); fflush(stdout); continue; }
    best->run(repeats);
    long long cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);
    best->run(repeats);
    cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall = clock_ns(CLOCK_MONOTONIC) - wall;
    printf("%lld %lld %s\n", cpu, wall, best->row->how);
    fflush(stdout);
  }
}
