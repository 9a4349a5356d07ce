// Driver times Halide's prover of associativity on updates that bench-halide writes.
//
// A line of standard input has a name, a tab, and the components separated by semicolons, each in
// prefix notation with a space between words. A leaf is a kind, a type and a number, as in x:i32:0:
// x a component of the state, y an input, k a constant, r the coordinate, c a literal given by its bits.
// A line of standard output has the name, 1 where Halide finds an operator and 0 where not, and the
// median of the calls in nanoseconds. The only argument is the number of calls.

#include <Halide.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace Halide;
using Halide::Internal::Call;
using Halide::Internal::Variable;

namespace {

Type type_of(const std::string &s) {
    if (s == "bool") {
        return Bool();
    }
    const int bits = std::stoi(s.substr(1));
    switch (s[0]) {
    case 'i':
        return Int(bits);
    case 'u':
        return UInt(bits);
    case 'f':
        return Float(bits);
    }
    throw std::runtime_error("unknown type " + s);
}

Expr coordinate() {
    return Variable::make(Int(32), "r");
}

Expr literal(Type t, uint64_t bits) {
    if (t.is_float() && t.bits() == 32) {
        float f;
        const uint32_t low = static_cast<uint32_t>(bits);
        std::memcpy(&f, &low, sizeof f);
        return Internal::FloatImm::make(t, f);
    }
    if (t.is_float()) {
        double f;
        std::memcpy(&f, &bits, sizeof f);
        return Internal::FloatImm::make(t, f);
    }
    if (t.is_uint()) {
        return Internal::UIntImm::make(t, bits);
    }
    return Internal::IntImm::make(t, static_cast<int64_t>(bits));
}

Expr leaf(const std::string &word) {
    std::istringstream in(word);
    std::string kind, type, number;
    std::getline(in, kind, ':');
    std::getline(in, type, ':');
    std::getline(in, number);
    const Type t = type_of(type);
    switch (kind[0]) {
    case 'c':
        return literal(t, std::stoull(number));
    case 'x':
        return Call::make(t, "f", std::vector<Expr>{}, Call::Halide, Internal::FunctionPtr(), std::stoi(number));
    case 'y':
        return Call::make(t, "y" + number, {coordinate()}, Call::Halide, Internal::FunctionPtr(), 0);
    case 'k':
        return Variable::make(t, "k" + number);
    case 'r':
        return cast(t, coordinate());
    }
    throw std::runtime_error("unknown leaf " + word);
}

Expr parse(std::istringstream &in) {
    std::string op;
    if (!(in >> op)) {
        throw std::runtime_error("the line ends too early");
    }
    if (op.find(':') != std::string::npos) {
        return leaf(op);
    }
    const Expr a = parse(in);
    if (op == "neg") return -a;
    if (op == "not") return !a;
    if (op == "bitnot") return ~a;
    if (op == "abs") return cast(a.type(), abs(a));
    const Expr b = parse(in);
    if (op == "add") return a + b;
    if (op == "sub") return a - b;
    if (op == "mul") return a * b;
    if (op == "min") return min(a, b);
    if (op == "max") return max(a, b);
    if (op == "and") return a && b;
    if (op == "or") return a || b;
    if (op == "bitand") return a & b;
    if (op == "bitor") return a | b;
    if (op == "bitxor") return a ^ b;
    if (op == "lt") return a < b;
    if (op == "le") return a <= b;
    if (op == "gt") return a > b;
    if (op == "ge") return a >= b;
    if (op == "eq") return a == b;
    if (op == "ne") return a != b;
    const Expr c = parse(in);
    if (op == "select") return select(a, b, c);
    throw std::runtime_error("unknown operator " + op);
}

void measure(const std::string &line, int calls) {
    const size_t tab = line.find('\t');
    std::vector<Expr> exprs;
    std::istringstream components(line.substr(tab + 1));
    for (std::string text; std::getline(components, text, ';');) {
        std::istringstream in(text);
        exprs.push_back(parse(in));
    }
    bool found = false;
    std::vector<long> times;
    for (int i = 0; i <= calls; i++) {
        const auto start = std::chrono::steady_clock::now();
        found = Internal::prove_associativity("f", {}, exprs).associative();
        const auto end = std::chrono::steady_clock::now();
        if (i > 0) {  // the first call warms up
            times.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(end - start).count());
        }
    }
    std::sort(times.begin(), times.end());
    std::cout << line.substr(0, tab) << "\t" << found << "\t" << times[(times.size() - 1) / 2] << std::endl;
}

}  // namespace

int main(int argc, char **argv) {
    const int calls = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            measure(line, calls);
        } catch (const std::exception &e) {
            std::cerr << "driver: " << line.substr(0, line.find('\t')) << ": " << e.what() << std::endl;
        }
    }
    return 0;
}
