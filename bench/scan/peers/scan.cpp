// Answers each line "WORK WAY N" with the nanoseconds an element took, the best of some runs, or with "none".
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using std::size_t;

template <class T> struct Data {
  std::vector<T> in, factor, out;
  std::vector<uint8_t> flag;
  explicit Data(size_t n) : in(n), factor(n), out(n), flag(n) {
    uint32_t state = 1;
    for (size_t i = 0; i < n; i++) {
      state = state * 1664525u + 1013904223u;
      in[i] = T(state >> 28);
      factor[i] = T(state >> 16 & 1);
      flag[i] = state >> 24 < 13;
    }
  }
};

template <class T> __attribute__((noinline)) void sum(const T *in, T *out, size_t n) {
  T s = 0;
  for (size_t i = 0; i < n; i++) out[i] = s += in[i];
}
template <class T> __attribute__((noinline)) void sumOpenMP(const T *in, T *out, size_t n) {
  T s = 0;
#pragma omp simd reduction(inscan, + : s)
  for (size_t i = 0; i < n; i++) {
    s += in[i];
#pragma omp scan inclusive(s)
    out[i] = s;
  }
}
template <class T> __attribute__((noinline)) void greatest(const T *in, T *out, size_t n) {
  T s = in[0];
  for (size_t i = 0; i < n; i++) out[i] = s = in[i] > s ? in[i] : s;
}
__attribute__((noinline)) void average(const float *in, float *out, size_t n) {
  float s = 0;
  for (size_t i = 0; i < n; i++) out[i] = s = 0.9f * s + 0.1f * in[i];
}
__attribute__((noinline)) void affine(const float *factor, const float *in, float *out, size_t n) {
  float s = 0;
  for (size_t i = 0; i < n; i++) out[i] = s = factor[i] * s + in[i];
}
__attribute__((noinline)) void segmented(const uint8_t *flag, const int32_t *in, int32_t *out, size_t n) {
  int32_t s = 0;
  for (size_t i = 0; i < n; i++) out[i] = s = (flag[i] ? 0 : s) + in[i];
}
__attribute__((noinline)) void order2(const float *in, float *out, size_t n) {
  float y1 = 0, y2 = 0;
  for (size_t i = 0; i < n; i++) {
    float y = in[i] + 0.5f * y1 - 0.25f * y2;
    y2 = y1, y1 = y, out[i] = y;
  }
}
__attribute__((noinline)) void parity(const uint8_t *in, uint8_t *out, size_t n) {
  uint8_t s = 0;
  for (size_t i = 0; i < n; i++) out[i] = s ^= in[i] == 7;
}

template <class T> std::map<std::string, std::function<void(size_t)>> numbers(Data<T> &d, const std::string &type) {
  T *in = d.in.data(), *out = d.out.data();
  std::plus<T> add;
  auto most = [](T a, T b) { return a < b ? b : a; };
  return {
      {"sum-" + type + " copy", [=](size_t n) { memcpy(out, in, n * sizeof(T)); }},
      {"sum-" + type + " c", [=](size_t n) { sum(in, out, n); }},
      {"sum-" + type + " openmp", [=](size_t n) { sumOpenMP(in, out, n); }},
      {"sum-" + type + " c++", [=](size_t n) { std::inclusive_scan(in, in + n, out, add); }},
      {"max-" + type + " c", [=](size_t n) { greatest(in, out, n); }},
      {"max-" + type + " c++", [=](size_t n) { std::inclusive_scan(in, in + n, out, most); }},
  };
}

int main() {
  const size_t most = 32 << 20;
  Data<int32_t> words(most);
  Data<float> floats(most);
  Data<uint8_t> bytes(most);
  auto ways = numbers(words, "i32");
  ways.merge(numbers(floats, "f32"));
  ways["ema-f32 c"] = [&](size_t n) { average(floats.in.data(), floats.out.data(), n); };
  ways["affine-f32 c"] = [&](size_t n) { affine(floats.factor.data(), floats.in.data(), floats.out.data(), n); };
  ways["segmented-i32 c"] = [&](size_t n) { segmented(words.flag.data(), words.in.data(), words.out.data(), n); };
  ways["order2-f32 c"] = [&](size_t n) { order2(floats.in.data(), floats.out.data(), n); };
  ways["quotes-u8 c"] = [&](size_t n) { parity(bytes.in.data(), bytes.out.data(), n); };
  std::string work, way;
  size_t n;
  while (std::cin >> work >> way >> n) {
    auto at = ways.find(work + " " + way);
    if (at == ways.end() || n > most) {
      std::cout << "none" << std::endl;
      continue;
    }
    double best = 1e99;
    size_t calls = n < 1 << 20 ? (1 << 20) / n : 1;
    for (int run = 0; run < 3; run++) {
      auto begin = std::chrono::steady_clock::now();
      for (size_t i = 0; i < calls; i++) at->second(n);
      best = std::min(best, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    std::cout << best / calls / n << std::endl;
  }
}
