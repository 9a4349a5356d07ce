// A plug-in of clang that says of each loop what reduction it is: it prints the function, asks librfactor, and emits remarks.
//
//	clang++ -O2 -g -fpass-plugin=./plugin.so -Rpass-analysis=rfactor -Rpass-missed=rfactor -c sum.cc
//
// RFACTOR_LIBRARY names the library; see README.md.
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <string>

using namespace llvm;

namespace {

// Effort bounds the work of each match, so that a compilation takes little longer: see rfactor_llvm.
const int Effort = 20;

// The part of rfactor.h that this file uses, for it loads the library by name.
typedef int (*Ask)(const char *, size_t, uint64_t, char **, size_t *);
typedef void (*Free)(char *);

struct Library {
  Ask ask = nullptr;
  Free release = nullptr;

  Library() {
    const char *name = getenv("RFACTOR_LIBRARY");
    void *handle = dlopen(name ? name : "librfactor.so", RTLD_NOW | RTLD_LOCAL);
    auto version = handle ? (int (*)())dlsym(handle, "rfactor_abi_version") : nullptr;
    if (!version || version() != 1) {
      errs() << "rfactor: " << (handle ? "a library of another version" : dlerror()) << "\n";
      return;
    }
    ask = (Ask)dlsym(handle, "rfactor_llvm");
    release = (Free)dlsym(handle, "rfactor_free");
  }
};

std::string joined(const json::Array *list) {
  std::string text;
  if (list)
    for (const json::Value &v : *list) {
      if (!text.empty())
        text += ", ";
      text += v.getAsString() ? v.getAsString()->str() : "";
    }
  return text;
}

// describe returns what is said of a loop; answered tells whether it has an operator.
std::string describe(const json::Object &finding, bool &answered) {
  answered = false;
  if (const json::Array *obstacles = finding.getArray("obstacles")) {
    const json::Object *first = (*obstacles)[0].getAsObject();
    std::string text = "not read: " + first->getString("kind")->str();
    if (auto detail = first->getString("detail"))
      text += " (" + detail->str() + ")";
    return text;
  }
  const json::Object *answer = finding.getObject("answer");
  if (!answer)
    return "no answer";
  std::string status = answer->getString("status")->str();
  if (status == "refused")
    return "refused: " + answer->getString("reason")->str();
  answered = true;
  std::string text = "a reduction";
  if (const json::Object *op = answer->getObject("operator"))
    text = status + " reduction by " + joined(op->getArray("exprs"));
  else
    text = "a reduction in " + std::to_string(answer->getInteger("passes").getValueOr(1)) + " passes";
  std::string assumes = joined(answer->getArray("assumes"));
  text += "; under " + (assumes.empty() ? "nothing" : assumes);
  if (const json::Object *proof = answer->getObject("proof"))
    text += "; " + std::to_string(proof->getInteger("steps").getValueOr(0)) + " steps";
  return text;
}

struct Remarks : PassInfoMixin<Remarks> {
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &am) {
    static Library library;
    LoopInfo &loops = am.getResult<LoopAnalysis>(f);
    if (!library.ask || loops.empty())
      return PreservedAnalyses::all();
    std::string text;
    raw_string_ostream(text) << f;
    std::string request;
    raw_string_ostream(request) << json::Value(json::Object{{"text", json::fixUTF8(text)}, {"name", f.getName()}, {"kinds", json::Array{"loop"}}, {"effort", Effort}});
    char *answer = nullptr;
    size_t size = 0;
    int code = library.ask(request.data(), request.size(), 0, &answer, &size);
    auto findings = json::parse(StringRef(answer, size));
    library.release(answer);
    if (code != 0 || !findings) {
      consumeError(findings.takeError());
      return PreservedAnalyses::all();
    }
    auto &emitter = am.getResult<OptimizationRemarkEmitterAnalysis>(f);
    for (const json::Value &v : *findings->getAsArray()) {
      const json::Object *finding = v.getAsObject();
      for (Loop *l : loops.getLoopsInPreorder()) {
        std::string header;
        raw_string_ostream os(header);
        l->getHeader()->printAsOperand(os, false);
        if (os.str() != finding->getString("block")->str())
          continue;
        bool answered;
        std::string said = describe(*finding, answered);
        if (answered)
          emitter.emit(OptimizationRemarkAnalysis("rfactor", "Reduction", l->getStartLoc(), l->getHeader()) << said);
        else
          emitter.emit(OptimizationRemarkMissed("rfactor", "NoReduction", l->getStartLoc(), l->getHeader()) << said);
      }
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "rfactor", "1", [](PassBuilder &b) {
            b.registerVectorizerStartEPCallback([](FunctionPassManager &m, auto) { m.addPass(Remarks()); });
          }};
}
