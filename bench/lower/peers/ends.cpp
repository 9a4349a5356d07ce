// Answers each line "WORK WAY N AT" with the nanoseconds of a call, the best of some runs, or with "none".
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

using std::size_t;
using Clock = std::chrono::steady_clock;

volatile size_t sink;

// Elements for a case of a work: small, and one that ends the loop; or over 7 for so many of a hundred.
template <class T> std::vector<T> data(const std::string &work, size_t n, long at) {
  std::vector<T> s(n);
  uint64_t state = 88172645463325252ull;
  for (auto &x : s) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x = T((state >> 33) % 16);
    if (work == "compact-i32") x = T((state >> 33) % 8 + (long((state >> 40) % 100) < at ? 8 : 0));
  }
  if (work != "compact-i32" && 0 <= at && size_t(at) < n) s[at] = T(work == "budget-i32" ? 600000000 : 99);
  return s;
}

#define APART __attribute__((noinline))
APART size_t keepBranch(const int32_t *in, int32_t *out, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++)
    if (in[i] > 7) out[k++] = in[i];
  return k;
}
APART size_t keepAll(const int32_t *in, int32_t *out, size_t n) {
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    out[k] = in[i];
    k += in[i] > 7;
  }
  return k;
}
template <class T> APART size_t find(const T *in, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (in[i] == 99) return i;
  return n;
}
APART size_t budget(const int32_t *in, size_t n) {
  int32_t s = 0;
  for (size_t i = 0; i < n; i++) {
    s += in[i];
    if (s > 500000000) break;
  }
  return s;
}

template <class F> double timed(F f) {
  using std::chrono::duration;
  auto begin = Clock::now();
  size_t calls = 0;
  while (calls == 0 || duration<double>(Clock::now() - begin).count() < 1e-3) {
    sink = f();
    calls++;
  }
  calls = std::max<size_t>(calls, 5);
  double best = 1e99;
  for (int run = 0; run < 5; run++) {
    begin = Clock::now();
    for (size_t i = 0; i < calls; i++) {
      sink = f();
      asm volatile("" ::: "memory");
    }
    best = std::min(best, duration<double>(Clock::now() - begin).count());
  }
  return best * 1e9 / calls;
}

int main() {
  std::string work, way, key;
  size_t n;
  long at;
  std::vector<int32_t> ints, out;
  std::vector<uint8_t> bytes;
  while (std::cin >> work >> way >> n >> at) {
    std::string now = work + std::to_string(n) + "," + std::to_string(at);
    if (now != key) {
      key = now;
      ints = work == "find-u8" ? std::vector<int32_t>() : data<int32_t>(work, n, at);
      bytes = work == "find-u8" ? data<uint8_t>(work, n, at) : std::vector<uint8_t>();
      out.assign(n + 1, 0);
    }
    const int32_t *in = ints.data();
    double ns = 0;
    if (work == "compact-i32" && way == "loop") // the better one
      ns = std::min(timed([&] { return keepBranch(in, out.data(), n); }), timed([&] { return keepAll(in, out.data(), n); }));
    else if (work == "compact-i32")
      ns = timed([&] { return size_t(std::copy_if(in, in + n, out.begin(), [](int32_t x) { return x > 7; }) - out.begin()); });
    else if (work == "find-i32" && way == "loop")
      ns = timed([&] { return find(in, n); });
    else if (work == "find-i32")
      ns = timed([&] { return size_t(std::find(in, in + n, 99) - in); });
    else if (work == "find-u8" && way == "loop")
      ns = timed([&] { return find(bytes.data(), n); });
    else if (work == "find-u8")
      ns = timed([&] {
        auto p = static_cast<const uint8_t *>(std::memchr(bytes.data(), 99, n));
        return p ? size_t(p - bytes.data()) : n;
      });
    else if (way == "loop")
      ns = timed([&] { return budget(in, n); });
    if (ns > 0)
      std::cout << ns << std::endl;
    else
      std::cout << "none" << std::endl;
  }
}
