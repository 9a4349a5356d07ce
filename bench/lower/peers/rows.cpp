// Writes Halide's versions of the programs in testdata/programs/bench as object files, in the folder that the first argument names.
// For each further argument, NAME:N:THREADS, there is a version for each of a few widths; what Halide refuses to factor stays in order.
// The list of all versions goes to standard output, as C++ for rows_time.cpp.
#include <Halide.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

using namespace Halide;

// Program is a reduction over a box: its inputs, its update, and the domain whose last dimension is cut into slices.
struct Program {
  std::vector<ImageParam> in;
  Func f;
  RDom r;
  std::vector<Argument> params;
  int slice;  // of the last dimension
  bool table; // the result is an array, whose places the elements choose
};

static int root(int n, int k) { return std::lround(std::pow(n, 1.0 / k)); }

static Program start(std::vector<Type> types, int dims, int n, int slice) {
  Program p;
  std::vector<Range> box;
  for (Type t : types) p.in.emplace_back(t, dims);
  for (int i = 0; i < dims; i++) box.push_back({0, root(n, dims)});
  p.r = RDom(box), p.slice = slice, p.table = false;
  return p;
}

// define gives the initial values and the update of a reduction to numbers.
static Program &define(Program &p, std::vector<Expr> init, std::function<std::vector<Expr>(std::function<Expr(int)>)> update) {
  p.f() = Tuple(init);
  Func f = p.f;
  bool one = init.size() == 1;
  auto state = [f, one](int i) -> Expr { return one ? Expr(f()) : Expr(f()[i]); };
  p.f() = Tuple(update(state));
  return p;
}

static Program program(const std::string &name, int n) {
  const Type i32 = Int(32), f32 = Float(32), u8 = UInt(8);
  auto line = [n](std::vector<Type> types) { return start(types, 1, n, 65536); };
  auto one = [](Program &p, Expr init, std::function<Expr(Expr, Expr)> update) {
    Expr x = p.in[0](p.r.x);
    return define(p, {init}, [&](auto f) { return std::vector<Expr>{update(f(0), x)}; });
  };
  if (name == "sum-i32") { auto p = line({i32}); return one(p, 0, [](Expr f, Expr x) { return f + x; }); }
  if (name == "sum-f32") { auto p = line({f32}); return one(p, 0.0f, [](Expr f, Expr x) { return f + x; }); }
  if (name == "sum-u8") { auto p = line({u8}); return one(p, cast<uint32_t>(0), [](Expr f, Expr x) { return f + cast<uint32_t>(x); }); }
  if (name == "max-i32") { auto p = line({i32}); return one(p, i32.min(), [](Expr f, Expr x) { return max(f, x); }); }
  if (name == "maxabs-f32") { auto p = line({f32}); return one(p, 0.0f, [](Expr f, Expr x) { return max(f, abs(x)); }); }
  if (name == "count-if-i32") { auto p = line({i32}); return one(p, 0, [](Expr f, Expr x) { return f + select(x > 7, 1, 0); }); }
  if (name == "dot-f32") {
    auto p = line({f32, f32});
    return define(p, {0.0f}, [&](auto f) { return std::vector<Expr>{f(0) + p.in[0](p.r.x) * p.in[1](p.r.x)}; });
  }
  if (name == "probability-i32") {
    auto p = line({i32});
    Param<int> k("k");
    p.params = {k};
    return one(p, 0, [k](Expr f, Expr x) { return f + x + k * f * x; });
  }
  if (name == "argmin-i32") {
    auto p = line({i32});
    return define(p, {i32.max(), 0}, [&](auto f) {
      Expr x = p.in[0](p.r.x);
      return std::vector<Expr>{min(f(0), x), select(f(0) < x, f(1), p.r.x)}; // the last one on ties: the first one is refused
    });
  }
  if (name == "kitchen-sink-i32") {
    auto p = line({i32});
    return define(p, {1, 0, i32.min(), 0, i32.max(), 0, 0, 0}, [&](auto f) {
      Expr x = p.in[0](p.r.x), at = p.r.x;
      return std::vector<Expr>{f(0) * x, f(1) + x, max(f(2), x), select(f(2) > x, f(3), at), min(f(4), x), select(f(4) < x, f(5), at),
                               f(6) + x * x, f(7) + select(x % 2 == 0, 1, 0)};
    });
  }
  if (name == "complex-product-i32" || name == "complex-product-f32") {
    Type t = name == "complex-product-i32" ? i32 : f32;
    auto p = line({t, t});
    return define(p, {cast(t, 1), cast(t, 0)}, [&](auto f) {
      Expr a = p.in[0](p.r.x), b = p.in[1](p.r.x);
      return std::vector<Expr>{f(0) * a - f(1) * b, f(0) * b + f(1) * a};
    });
  }
  if (name == "complex-argmax-f32") {
    auto p = line({f32, f32});
    return define(p, {0.0f, 0.0f, 0}, [&](auto f) {
      Expr a = p.in[0](p.r.x), b = p.in[1](p.r.x), c = a * a + b * b > f(0) * f(0) + f(1) * f(1);
      return std::vector<Expr>{select(c, a, f(0)), select(c, b, f(1)), select(c, p.r.x, f(2))};
    });
  }
  if (name == "matrix2x2-i32") {
    auto p = line({i32, i32, i32, i32});
    return define(p, {1, 0, 0, 1}, [&](auto f) {
      std::vector<Expr> m;
      for (auto &in : p.in) m.push_back(in(p.r.x));
      return std::vector<Expr>{f(0) * m[0] + f(1) * m[2], f(0) * m[1] + f(1) * m[3], f(2) * m[0] + f(3) * m[2], f(2) * m[1] + f(3) * m[3]};
    });
  }
  if (name == "circle-i32") {
    auto p = start({i32}, 2, n, 64);
    int w = root(n, 2);
    p.r.where(p.r.x * p.r.x + p.r.y * p.r.y <= w * w);
    return define(p, {0}, [&](auto f) { return std::vector<Expr>{f(0) + p.in[0](p.r.x, p.r.y)}; });
  }
  if (name == "argmin2d-u8") {
    auto p = start({u8}, 2, n, 64);
    return define(p, {u8.max(), 0, 0}, [&](auto f) {
      Expr x = p.in[0](p.r.x, p.r.y), keep = f(0) < x;
      return std::vector<Expr>{min(f(0), x), select(keep, f(1), p.r.x), select(keep, f(2), p.r.y)};
    });
  }
  if (name == "argmin4d-u8") {
    auto p = start({u8}, 4, n, 1);
    return define(p, {u8.max(), 0, 0, 0, 0}, [&](auto f) {
      Expr x = p.in[0](p.r.x, p.r.y, p.r.z, p.r.w), keep = f(0) < x;
      return std::vector<Expr>{min(f(0), x), select(keep, f(1), p.r.x), select(keep, f(2), p.r.y), select(keep, f(3), p.r.z), select(keep, f(4), p.r.w)};
    });
  }
  if (name == "histogram-u8") {
    auto p = start({u8}, 2, n, 32);
    Var x;
    p.f(x) = 0;
    p.f(clamp(cast<int>(p.in[0](p.r.x, p.r.y)), 0, 255)) += 1;
    p.f.bound(x, 0, 256), p.table = true;
    return p;
  }
  throw std::runtime_error("there is no version of " + name);
}

// schedule factors slices for threads and lanes of the first dimension; it throws where Halide finds no operator.
static void schedule(Program &p, int threads, int lanes) {
  Func part = p.f;
  Var u, v;
  RVar first = p.r[0];
  const int last = p.r.dimensions() - 1;
  if (threads > 1) {
    RVar outer, inner;
    p.f.update().split(p.r[last], outer, inner, p.slice);
    if (last == 0) first = inner;
    part = p.f.update().rfactor(outer, u);
    part.compute_root().update().parallel(u);
  }
  if (lanes > 1) {
    RVar steps, lane;
    part.update().split(first, steps, lane, lanes);
    Func wide = part.update().rfactor(lane, v);
    if (threads > 1) wide.compute_at(part, u); else wide.compute_root();
    wide.vectorize(v).update().vectorize(v);
  } else if (p.table && threads > 1) {
    part.vectorize(p.f.args()[0], 8);
  }
}

int main(int argc, char **argv) {
  const std::string dir = argv[1];
  const Target target = get_host_target(), bare = target.with_feature(Target::NoRuntime);
  compile_standalone_runtime(dir + "/runtime.o", target);
  for (int i = 2; i < argc; i++) {
    std::string arg = argv[i], name = arg.substr(0, arg.find(':'));
    int n, threads;
    sscanf(arg.c_str() + name.size(), ":%d:%d", &n, &threads);
    bool refused = false;
    for (int lanes : {1, 8, 16, 32, 64, 128}) {
      std::string how = lanes > 1 ? std::to_string(lanes) + " lanes" : "in order";
      Program p;
      try {
        p = program(name, n);
      } catch (const std::exception &e) {
        std::cerr << e.what() << "\n";
        break;
      }
      if (lanes > 1 && (p.table || refused)) break;
      std::string why;
      try {
        schedule(p, threads, lanes);
      } catch (const Error &e) {
        why = e.what();
        if (lanes > 1) { refused = true; continue; }
        p = program(name, n), how = "no slices";
      }
      std::string symbol = "row" + std::to_string(i) + "_" + std::to_string(lanes);
      std::vector<Argument> args;
      for (auto &in : p.in) args.push_back(in);
      for (auto &k : p.params) args.push_back(k);
      try {
        p.f.compile_to_object(dir + "/" + symbol + ".o", args, symbol, bare);
      } catch (const Error &e) {
        std::cerr << name << ", " << how << ": " << e.what() << "\n";
        continue;
      }
      printf("ROW(%s, \"%s\", %d, %d, \"%s\", %d, %d, %d, {", symbol.c_str(), name.c_str(), n, threads, how.c_str(), (int)p.r.dimensions(), (int)p.params.size(), p.table ? 256 : 0);
      for (auto &in : p.in) printf("{%d, %d}, ", in.type().code(), in.type().bits());
      printf("}, {");
      for (auto t : p.f.output_types()) printf("{%d, %d}, ", t.code(), t.bits());
      printf("})\n");
      if (!why.empty()) std::cerr << name << ", " << how << ": " << why << "\n";
    }
    if (refused) std::cerr << name << ": Halide refuses lanes\n";
  }
}
