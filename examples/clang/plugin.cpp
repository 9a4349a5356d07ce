// A plug-in of clang that says of each loop what reduction it is: it prints the function, asks librfactor, and emits remarks.
//
//	clang++ -O2 -g -fpass-plugin=./plugin.so -Rpass-analysis=rfactor -Rpass-missed=rfactor -c sum.cc
//
// RFACTOR_LIBRARY names the library. With RFACTOR_REWRITE=1 loops over integers that LLVM leaves alone do several steps at once; see
// README.md.
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
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

// Names are the values and blocks of a function by their names in the text that the library reads: %a, %12. Numbers change with
// the function, so that they are all noted before.
struct Names {
  StringMap<Value *> values;

  Names(Function &f) {
    ModuleSlotTracker slots(f.getParent(), false);
    slots.incorporateFunction(f);
    auto add = [&](Value &v) {
      std::string name;
      raw_string_ostream os(name);
      v.printAsOperand(os, false, slots);
      values[os.str()] = &v;
    };
    for (Argument &a : f.args())
      add(a);
    for (BasicBlock &block : f) {
      add(block);
      for (Instruction &in : block)
        if (!in.getType()->isVoidTy())
          add(in);
    }
  }

  // list returns values by their names; null where there is none.
  std::vector<Value *> list(const json::Array *names) const {
    std::vector<Value *> out;
    for (const json::Value &name : *names)
      out.push_back(values.lookup(*name.getAsString()));
    return out;
  }
};

// Named keeps the names of values, without which text can neither be read nor given back.
struct Named {
  LLVMContext &context;
  bool discards;

  Named(LLVMContext &c) : context(c), discards(c.shouldDiscardValueNames()) { context.setDiscardValueNames(false); }
  ~Named() { context.setDiscardValueNames(discards); }
};

// Steps is how many steps of a loop are done at once.
const unsigned Steps = 8;

// Rewrite does several steps of a loop at once, in a loop before it, and leaves the rest of the steps to the loop itself. It copies
// the instructions of the loop for their inputs; what they make of the state is not used, and will be removed.
struct Rewrite {
  Loop *loop;
  BasicBlock *header, *preheader;
  Value *before = nullptr; // how many steps there are before the last one
  std::unique_ptr<Module> text;
  Function *written = nullptr; // what the library wrote: the state after several steps
  std::vector<Value *> state, invariants, inputs;

  Rewrite(Loop *l) : loop(l), header(l->getHeader()), preheader(l->getLoopPreheader()) {}

  // plan reports whether the loop can be replaced: it has one block, is no reduction that LLVM knows, and the number of its steps
  // is known before it runs.
  bool plan(const json::Object *unrolled, const Names &names, ScalarEvolution &scev, DominatorTree &trees) {
    if (!unrolled || loop->getNumBlocks() != 1 || !loop->getExitBlock() || !preheader)
      return false;
    state = names.list(unrolled->getArray("state"));
    invariants = names.list(unrolled->getArray("invariants"));
    inputs = names.list(unrolled->getArray("inputs"));
    for (auto *list : {&state, &invariants, &inputs})
      if (is_contained(*list, nullptr))
        return false;
    bool known = true;
    for (Value *v : state) {
      RecurrenceDescriptor reduction;
      MapVector<Instruction *, Instruction *> sunk;
      auto *phi = cast<PHINode>(v);
      known = known && (RecurrenceDescriptor::isReductionPHI(phi, loop, reduction) || RecurrenceDescriptor::isFirstOrderRecurrence(phi, loop, sunk, &trees));
    }
    for (Instruction &in : *header)
      if (auto *call = dyn_cast<CallBase>(&in))
        if (call->cannotDuplicate() || call->isConvergent() || isa<NoAliasScopeDeclInst>(call))
          return false;
    const SCEV *count = scev.getBackedgeTakenCount(loop);
    if (known || isa<SCEVCouldNotCompute>(count) || !count->getType()->isIntegerTy() || !isSafeToExpandAt(count, preheader->getTerminator(), scev))
      return false;
    SMDiagnostic problem;
    text = parseAssemblyString(*unrolled->getString("text"), problem, header->getContext());
    written = text ? text->getFunction(unrolled->getString("name")->drop_front()) : nullptr;
    if (!written || !isFaster())
      return false;
    before = SCEVExpander(scev, header->getModule()->getDataLayout(), "rfactor").expandCodeFor(count, count->getType(), preheader->getTerminator());
    return true;
  }

  // isFaster reports whether the steps are likely to take less time at once: an element of the state waits for the longest chain of
  // instructions that leads to it in each step, and what the library wrote has two instructions a cycle to do.
  bool isFaster() {
    unsigned chain = 0, work = 0;
    for (Value *v : state) {
      DenseMap<Value *, unsigned> cycles; // until an instruction is done that depends on v
      cycles[v] = 0;
      for (Instruction &in : make_range(header->getFirstNonPHI()->getIterator(), header->end()))
        for (Value *operand : in.operands())
          if (cycles.count(operand))
            cycles[&in] = std::max(cycles.lookup(&in), cycles.lookup(operand) + (in.getOpcode() == Instruction::Mul ? 3 : 1));
      chain = std::max(chain, cycles.lookup(cast<PHINode>(v)->getIncomingValueForBlock(header)));
    }
    DenseSet<Value *> constants; // that LLVM folds
    for (Instruction &in : written->getEntryBlock()) {
      if (all_of(in.operands(), [&](Value *v) { return isa<Constant>(v) || constants.contains(v); }))
        constants.insert(&in);
      else if (!isa<FreezeInst>(in) && !isa<InsertValueInst>(in))
        work++;
    }
    return work < 2 * chain * Steps;
  }

  // step copies the instructions of a step, and goes on to the values that phis have after it.
  void step(IRBuilder<> &b, ValueToValueMapTy &now, std::vector<Value *> &args) {
    ValueToValueMapTy map;
    for (PHINode &phi : header->phis())
      map[&phi] = now[&phi];
    for (Instruction &in : make_range(header->getFirstNonPHI()->getIterator(), header->getTerminator()->getIterator())) {
      if (isa<DbgInfoIntrinsic>(in))
        continue;
      Instruction *copy = b.Insert(in.clone());
      RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      map[&in] = copy;
    }
    auto at = [&](Value *v) { return map.count(v) ? (Value *)map[v] : v; };
    for (Value *v : inputs)
      args.push_back(at(v));
    if (args.size() == state.size() + invariants.size() + inputs.size()) // what stays the same may be computed in the loop
      for (size_t i = 0; i < invariants.size(); i++)
        args[state.size() + i] = at(invariants[i]);
    for (PHINode &phi : header->phis())
      now[&phi] = at(phi.getIncomingValueForBlock(header));
  }

  // call puts the instructions of what the library wrote in place of a call of it, and returns the state.
  std::vector<Value *> call(IRBuilder<> &b, ArrayRef<Value *> args) {
    ValueToValueMapTy map;
    for (Argument &a : written->args())
      map[&a] = args[a.getArgNo()];
    std::vector<Value *> after;
    for (Instruction &in : written->getEntryBlock()) {
      if (in.isTerminator())
        break;
      Instruction *copy = in.clone();
      RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      if (auto *part = dyn_cast<InsertValueInst>(copy)) {
        after.push_back(part->getInsertedValueOperand());
        map[&in] = part->getAggregateOperand();
        part->deleteValue();
        continue;
      }
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(&in))
        cast<CallInst>(copy)->setCalledFunction(Intrinsic::getDeclaration(header->getModule(), intrinsic->getIntrinsicID(), {in.getType()}));
      map[&in] = b.Insert(copy);
    }
    return after;
  }

  void run() {
    Function &f = *header->getParent();
    auto *main = BasicBlock::Create(f.getContext(), "rfactor.steps", &f, header);
    auto *rest = BasicBlock::Create(f.getContext(), "rfactor.rest", &f, header);
    IRBuilder<> b(preheader->getTerminator());
    Value *rounds = b.CreateUDiv(before, ConstantInt::get(before->getType(), Steps));
    b.CreateCondBr(b.CreateIsNotNull(rounds), main, rest);
    preheader->getTerminator()->eraseFromParent();

    b.SetInsertPoint(main);
    PHINode *round = b.CreatePHI(before->getType(), 2);
    ValueToValueMapTy start, now, after;
    for (PHINode &phi : header->phis()) {
      PHINode *carried = b.CreatePHI(phi.getType(), 2);
      carried->addIncoming(phi.getIncomingValueForBlock(preheader), preheader);
      start[&phi] = now[&phi] = carried;
    }
    std::vector<Value *> args;
    for (Value *v : state)
      args.push_back(start[v]);
    args.insert(args.end(), invariants.begin(), invariants.end());
    for (unsigned i = 0; i < Steps; i++)
      step(b, now, args);
    auto results = call(b, args);
    for (PHINode &phi : header->phis()) {
      auto at = find(state, &phi);
      after[&phi] = at == state.end() ? (Value *)now[&phi] : results[at - state.begin()];
      cast<PHINode>(start[&phi])->addIncoming(after[&phi], main);
    }
    Value *next = b.CreateAdd(round, ConstantInt::get(round->getType(), 1));
    round->addIncoming(ConstantInt::get(round->getType(), 0), preheader);
    round->addIncoming(next, main);
    b.CreateCondBr(b.CreateICmpEQ(next, rounds), rest, main);

    b.SetInsertPoint(rest);
    for (PHINode &phi : header->phis()) {
      PHINode *from = b.CreatePHI(phi.getType(), 2);
      from->addIncoming(phi.getIncomingValueForBlock(preheader), preheader);
      from->addIncoming(after[&phi], main);
      phi.setIncomingValueForBlock(preheader, from);
      phi.replaceIncomingBlockWith(preheader, rest);
    }
    b.CreateBr(header);
  }
};

struct Remarks : PassInfoMixin<Remarks> {
  PreservedAnalyses run(Function &f, FunctionAnalysisManager &am) {
    static Library library;
    LoopInfo &loops = am.getResult<LoopAnalysis>(f);
    if (!library.ask || loops.empty())
      return PreservedAnalyses::all();
    bool rewriting = getenv("RFACTOR_REWRITE") != nullptr;
    auto &emitter = am.getResult<OptimizationRemarkEmitterAnalysis>(f);
    const DiagnosticHandler *listener = f.getContext().getDiagHandlerPtr();
    if (!rewriting && !emitter.allowExtraAnalysis("rfactor"))
      return PreservedAnalyses::all(); // nobody asks
    std::string text;
    raw_string_ostream(text) << f;
    json::Object request{{"text", json::fixUTF8(text)}, {"name", f.getName()}, {"kinds", json::Array{"loop"}}, {"effort", Effort}};
    request["terse"] = !f.getContext().getLLVMRemarkStreamer() && !(listener && listener->isMissedOptRemarkEnabled("rfactor"));
    if (rewriting)
      request["unroll"] = Steps;
    std::string line;
    raw_string_ostream(line) << json::Value(std::move(request));
    char *answer = nullptr;
    size_t size = 0;
    int code = library.ask(line.data(), line.size(), 0, &answer, &size);
    auto findings = json::parse(StringRef(answer, size));
    library.release(answer);
    if (code != 0 || !findings) {
      consumeError(findings.takeError());
      return PreservedAnalyses::all();
    }
    Names names(f);
    Named named(f.getContext());
    std::vector<std::unique_ptr<Rewrite>> rewrites;
    for (const json::Value &v : *findings->getAsArray()) {
      const json::Object *finding = v.getAsObject();
      auto *header = cast_or_null<BasicBlock>(names.values.lookup(*finding->getString("block")));
      Loop *l = header ? loops.getLoopFor(header) : nullptr;
      if (!l || l->getHeader() != header)
        continue;
      bool answered;
      std::string said = describe(*finding, answered);
      auto rewrite = std::make_unique<Rewrite>(l);
      if (rewriting && rewrite->plan(finding->getObject("unrolled"), names, am.getResult<ScalarEvolutionAnalysis>(f), am.getResult<DominatorTreeAnalysis>(f))) {
        said += "; " + std::to_string(Steps) + " steps at once";
        rewrites.push_back(std::move(rewrite));
      }
      if (answered)
        emitter.emit(OptimizationRemarkAnalysis("rfactor", "Reduction", l->getStartLoc(), header) << said);
      else
        emitter.emit(OptimizationRemarkMissed("rfactor", "NoReduction", l->getStartLoc(), header) << said);
    }
    for (auto &rewrite : rewrites) // after all are planned, which asks analyses of the function as it was
      rewrite->run();
    return rewrites.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "rfactor", "1", [](PassBuilder &b) {
            b.registerVectorizerStartEPCallback([](FunctionPassManager &m, auto) { m.addPass(Remarks()); });
          }};
}
