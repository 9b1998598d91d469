//===- OutlineKernels.cpp - Equal loop nests are compiled once ------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of many statements has few kinds of them: the layers of a network
// differ in what they read, not in what they do. What is lowered to LLVM, and
// that is where most of the time goes, is each nest once.
//
// Nests are compared on buffers, where nothing but addresses and sizes is left
// of what they are used on. Two are equal if they are the same ops, and what
// they use from outside can be told to a function: values of the same types,
// in the same pattern (a product of A with itself is another nest than one of
// A and B), and the same constants, as a function that does not know its
// constants is a slower one.
//
// What is computed of the rows of a register tile (`ein-vectorize-tiles`)
// becomes a function as well, for another reason: its constants and addresses
// are not to take registers from the loop over k.
//
// Of a function of very many statements every nest becomes a function, equal to
// another one or not: what LLVM does to a function grows faster than the
// function, and calls of functions that know three buffers each are little. A
// module of many short functions is not one that is long.
//
//===----------------------------------------------------------------------===//

#include "ir/EinDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/memref/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace ein {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "passes/memref/Passes.h.inc"
} // namespace ein

using namespace mlir;

namespace ein {
namespace {

/// A loop nest that is in no other one.
struct Nest {
  Operation *root;
  unsigned numOps;
  llvm::hash_code hash;
};

/// A nest, and whether the function that it is in has very many.
struct Candidate {
  Operation *root;
  bool isOfMany;
};

/// Nests that are equal: the first, with what it uses from outside, and what
/// each other one uses in its place.
struct Family {
  Operation *root;
  unsigned numOps;
  bool isOfMany; // that one
  SetVector<Value> captured;
  SmallVector<std::pair<Operation *, SmallVector<Value>>> others;
};
} // namespace

/// What equal nests have in common that is cheap to compute: ops, attributes,
/// types.
static Nest describe(Operation *root) {
  Nest nest{root, 0, llvm::hash_code(0)};
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++nest.numOps;
    nest.hash = llvm::hash_combine(
        nest.hash, op->getName(), op->getDiscardableAttrDictionary(),
        op->hashProperties(), op->getNumOperands(),
        llvm::hash_combine_range(op->getResultTypes()));
  });
  return nest;
}

/// What a constant is; nothing if the value is none. A mask of so many lanes is
/// as good as one.
static Attribute getConstant(Value value) {
  Attribute constant;
  if (auto mask = value.getDefiningOp<vector::ConstantMaskOp>())
    return mask.getMaskDimSizesAttr();
  matchPattern(value, m_Constant(&constant));
  return constant;
}

static bool isOutside(Operation *root, Value value) {
  return !root->isAncestor(value.getParentBlock()->getParentOp());
}

static SetVector<Value> getCaptured(Operation *root) {
  SetVector<Value> captured;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isOutside(root, operand) && !getConstant(operand))
        captured.insert(operand);
  });
  return captured;
}

/// Whether `root` can be the body of a function: nothing leaves it but through
/// memory, and no vector comes to it, which calls would take apart.
static bool canOutline(Operation *root) {
  return root->getNumResults() == 0 &&
         llvm::none_of(getCaptured(root), [](Value value) {
           return isa<VectorType>(value.getType());
         });
}

/// What `other` uses in place of what `family`'s first nest captures, if the
/// two are equal.
static std::optional<SmallVector<Value>> match(const Family &family,
                                               Operation *other) {
  // What is inside first; upstream does not ask about a value that both use at
  // the same place, of which one may use another elsewhere.
  DenseMap<Value, Value> equal;
  auto check = [&](Value mine, Value its) {
    return success(isOutside(family.root, mine) || equal.lookup(mine) == its);
  };
  auto mark = [&](Value mine, Value its) { equal[mine] = its; };
  if (!OperationEquivalence::isEquivalentTo(
          family.root, other, check, mark,
          OperationEquivalence::IgnoreLocations))
    return std::nullopt;

  DenseMap<Value, Value> arguments;
  auto collect = [](Operation *root) {
    SmallVector<Value> used;
    root->walk<WalkOrder::PreOrder>(
        [&](Operation *op) { llvm::append_range(used, op->getOperands()); });
    return used;
  };
  for (auto [mine, its] :
       llvm::zip_equal(collect(family.root), collect(other))) {
    if (!isOutside(family.root, mine))
      continue;
    Attribute constant = getConstant(mine);
    if (!isOutside(other, its) || mine.getType() != its.getType() ||
        constant != getConstant(its))
      return std::nullopt;
    auto [known, isNew] = arguments.try_emplace(mine, its);
    if (!constant && known->second != its)
      return std::nullopt;
  }
  return llvm::map_to_vector(
      family.captured, [&](Value value) { return arguments.lookup(value); });
}

/// A function of what the family's first nest captures, with that nest as its
/// body.
static func::FuncOp createFunction(SymbolTable &symbols, const Family &family,
                                   StringRef name) {
  Operation *root = family.root;
  auto around = root->getParentOfType<func::FuncOp>();
  OpBuilder b(around);
  SmallVector<Type> types(ValueRange(family.captured.getArrayRef()).getTypes());
  auto function = func::FuncOp::create(b, root->getLoc(), name,
                                       b.getFunctionType(types, TypeRange()));
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(b.getContext(), LLVM::linkage::Linkage::Internal));
  symbols.insert(function);
  Block *body = function.addEntryBlock();
  b.setInsertionPointToStart(body);
  IRMapping inside;
  for (auto [value, argument] :
       llvm::zip_equal(family.captured, body->getArguments()))
    inside.map(value, argument);
  root->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isOutside(root, operand) && !inside.contains(operand))
        b.clone(*operand.getDefiningOp(), inside);
  });
  b.clone(*root, inside);
  func::ReturnOp::create(b, root->getLoc());
  return function;
}

/// Puts an op with results, and the ops behind it up to their last use, into a
/// region without any; null if they are used further on, or by what has
/// regions.
static scf::ExecuteRegionOp wrap(Operation *root) {
  Operation *last = root;
  unsigned length = 0;
  auto isInside = [&](Operation *op) {
    return op->getBlock() == root->getBlock() && !op->isBeforeInBlock(root) &&
           !last->isBeforeInBlock(op);
  };
  for (Operation *op = root; op != last->getNextNode();
       op = op->getNextNode()) {
    if (++length > CompileBudget::kLongestTail ||
        (op != root && op->getNumRegions() != 0))
      return nullptr;
    for (Operation *user : op->getUsers())
      if (user->getBlock() != root->getBlock())
        return nullptr;
      else if (!isInside(user))
        last = user;
  }
  if (last->hasTrait<OpTrait::IsTerminator>())
    return nullptr;
  OpBuilder b(root);
  auto region = scf::ExecuteRegionOp::create(b, root->getLoc(), TypeRange());
  Block *body = &region.getRegion().emplaceBlock();
  body->getOperations().splice(body->end(), root->getBlock()->getOperations(),
                               root->getIterator(),
                               std::next(last->getIterator()));
  b.setInsertionPointToEnd(body);
  scf::YieldOp::create(b, root->getLoc());
  return region;
}

/// The ops of a region that `wrap` made where it is.
static void unwrap(scf::ExecuteRegionOp region) {
  Block *body = &region.getRegion().front();
  body->getTerminator()->erase();
  region->getBlock()->getOperations().splice(region->getIterator(),
                                             body->getOperations());
  region.erase();
}

static void replaceByCall(func::FuncOp function, Operation *nest,
                          ValueRange arguments) {
  OpBuilder b(nest);
  func::CallOp::create(b, nest->getLoc(), function, arguments);
  nest->erase();
}

namespace {
struct OutlineKernelsPass : impl::OutlineKernelsBase<OutlineKernelsPass> {
  using OutlineKernelsBase::OutlineKernelsBase;
  void runOnOperation() override {
    SmallVector<Candidate> nests;
    for (auto function : getOperation().getOps<func::FuncOp>())
      collect(function, nests);
    SmallVector<scf::ExecuteRegionOp> wrapped;
    for (Candidate &nest : nests)
      if (nest.isOfMany && nest.root->getNumResults() != 0)
        if (scf::ExecuteRegionOp region = wrap(nest.root)) {
          wrapped.push_back(region);
          nest.root = region;
        }

    // Families by hash, in the order of the program.
    llvm::MapVector<size_t, SmallVector<Family, 1>> families;
    for (const Candidate &nest : nests)
      if (canOutline(nest.root))
        add(nest, nest.isOfMany ? 1 : minOps, families);
    SymbolTable symbols(getOperation());
    SmallPtrSet<Operation *, 16> gone;
    for (auto &[hash, equals] : families)
      for (Family &family : equals) {
        if (family.others.empty() && !family.isOfMany)
          continue;
        gone.insert(family.root);
        for (auto &[nest, arguments] : family.others)
          gone.insert(nest);
        func::FuncOp function = outline(symbols, family, "__ein_nest",
                                        /*isApart=*/family.isOfMany);
        function.walk([](scf::ExecuteRegionOp region) { unwrap(region); });
      }
    for (scf::ExecuteRegionOp region : wrapped)
      if (!gone.contains(region))
        unwrap(region);
    outlineInner(symbols);
    outlineEpilogues(symbols);
  }

private:
  /// The nests of a function, which forgets what marked them.
  void collect(func::FuncOp function, SmallVectorImpl<Candidate> &nests) {
    SmallVector<Operation *> found;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      op->removeAttr(EinDialect::kNestAttr);
      // A branch is looked into: which statements it has is less often equal.
      if (isa<func::FuncOp, scf::IfOp>(op))
        return WalkResult::advance();
      if (op->getNumRegions() != 0)
        found.push_back(op);
      return WalkResult::skip();
    });
    for (Operation *op : found)
      nests.push_back({op, found.size() >= many});
  }

  /// Makes calls of one function of all that is in a family; LLVM does not
  /// inline a function that `isApart`.
  func::FuncOp outline(SymbolTable &symbols, const Family &family,
                       StringRef name, bool isApart) {
    func::FuncOp function = createFunction(symbols, family, name);
    if (isApart)
      function->setAttr("passthrough",
                        Builder(function).getStrArrayAttr({"noinline"}));
    replaceByCall(function, family.root, family.captured.getArrayRef());
    for (auto &[nest, arguments] : family.others)
      replaceByCall(function, nest, arguments);
    numOutlined += family.others.size() + 1;
    return function;
  }

  /// Makes functions of loops round loops that are in other nests, or more than
  /// once in one: the largest ones first, and what is in these only once.
  void outlineInner(SymbolTable &symbols) {
    llvm::MapVector<size_t, SmallVector<Family, 1>> families;
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (loop->getParentOfType<LoopLikeOpInterface>() && hasLoop(loop))
        loops.push_back(loop);
    });
    // All of them before any two are compared.
    for (scf::ForOp loop : loops)
      sinkVectors(loop);
    for (scf::ForOp loop : loops)
      if (canOutline(loop))
        add({loop, /*isOfMany=*/false}, minOps, families);
    SmallVector<Family *> equal;
    for (auto &[hash, equals] : families)
      for (Family &family : equals)
        if (!family.others.empty())
          equal.push_back(&family);
    llvm::stable_sort(equal, [](const Family *a, const Family *b) {
      return a->numOps > b->numOps;
    });
    // Ops that are in a function now.
    llvm::DenseSet<Operation *> gone;
    for (Family *family : equal) {
      llvm::erase_if(family->others, [&](const auto &other) {
        return gone.contains(other.first);
      });
      if (family->others.empty() || gone.contains(family->root))
        continue;
      auto leave = [&](Operation *root) {
        root->walk([&](Operation *op) { gone.insert(op); });
      };
      leave(family->root);
      for (auto &[loop, arguments] : family->others)
        leave(loop);
      outline(symbols, *family, "__ein_nest", /*isApart=*/true);
    }
  }

  /// Has the loop make the vectors that are made of no other ones, such as a
  /// number repeated, of which a function can be told. Where it stays, they are
  /// moved out of it again.
  static void sinkVectors(scf::ForOp loop) {
    for (Value value : getCaptured(loop)) {
      Operation *op = value.getDefiningOp();
      if (!isa<VectorType>(value.getType()) || !op || !isPure(op) ||
          op->getNumRegions() != 0 ||
          llvm::any_of(op->getOperandTypes(),
                       [](Type type) { return isa<VectorType>(type); }))
        continue;
      OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
      Value inside = b.clone(*op)->getResult(0);
      value.replaceUsesWithIf(inside, [&](OpOperand &use) {
        return loop->isProperAncestor(use.getOwner());
      });
    }
  }

  static bool hasLoop(scf::ForOp loop) {
    return loop.getBody()
        ->walk([&](scf::ForOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  /// Makes functions of the loops over rows of register tiles.
  void outlineEpilogues(SymbolTable &symbols) {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->removeAttr(EinDialect::kEpilogueAttr) &&
          loop->getNumResults() == 0)
        loops.push_back(loop);
    });
    llvm::MapVector<size_t, SmallVector<Family, 1>> families;
    for (scf::ForOp loop : loops) {
      branchRound(loop);
      if (canOutline(loop))
        add({loop, /*isOfMany=*/true}, /*least=*/1, families);
    }
    for (auto &[hash, equals] : families)
      for (Family &family : equals)
        outline(symbols, family, "__ein_epilogue", /*isApart=*/true);
  }

  /// Gives a loop that runs in the last block only a branch round it, so that
  /// there is no call in the others.
  static void branchRound(scf::ForOp loop) {
    auto count = loop.getUpperBound().getDefiningOp<arith::SelectOp>();
    if (!count || count.getFalseValue() != loop.getLowerBound())
      return;
    OpBuilder b(loop);
    auto branch = scf::IfOp::create(b, loop.getLoc(), count.getCondition());
    loop->moveBefore(branch.thenBlock()->getTerminator());
    loop.setUpperBound(count.getTrueValue());
  }

  static void add(const Candidate &candidate, unsigned least,
                  llvm::MapVector<size_t, SmallVector<Family, 1>> &families) {
    Nest nest = describe(candidate.root);
    if (nest.numOps < least)
      return;
    SmallVector<Family, 1> &equals = families[nest.hash];
    for (Family &family : equals)
      if (std::optional<SmallVector<Value>> arguments =
              match(family, nest.root)) {
        family.others.push_back({nest.root, std::move(*arguments)});
        return;
      }
    equals.push_back({nest.root,
                      nest.numOps,
                      candidate.isOfMany,
                      getCaptured(nest.root),
                      {}});
  }
};
} // namespace

} // namespace ein
