//===- Execute.cpp - Runs a distributed program on a rank -----------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement is three things: what its part of the loops reaches of each input
// is fetched, the kernel runs on it, and what it makes goes home. In steps, the
// panels of one step are under way while the kernel runs on those of the step
// before.
//
// All memory of a statement is there before its first message is sent, and all
// ranks agree on that: none waits for a rank that has given up.
//
// With a checkpoint, the slices of a network go through the kernel a few at a
// time, without messages, and what they add up to is saved now and then.
//
//===----------------------------------------------------------------------===//

#include "runtime/mpi/Execute.h"
#include "runtime/Array.h"
#include "runtime/mpi/Buffer.h"
#include "runtime/mpi/SliceWalk.h"
#include <algorithm>

using namespace ein::distribute;

namespace ein::runtime {

namespace {

/// An input of a statement: the boxes of a step, or of all of them, are in one
/// of two buffers, or at home.
struct Input {
  const ArrayUse *access = nullptr;
  bool isStepped = false;
  /// The rank has at home what it reaches in any step.
  bool isLocal = false;
  /// It is fetched around what is at home, and takes so many bytes more.
  const Room *room = nullptr;
  int64_t roomBytes = 0;
  Buffer buffers[2];
  BoxMemory panels[2];
  Exchange exchanges[2];
  /// What the kernel takes of a panel, or of home, if it does not lie there in
  /// one piece.
  Buffer taken;
};

/// The slices that a rank adds up, if there is a checkpoint.
struct SliceProgress {
  SliceSum sum;
  int64_t finished = 0;
  /// How many of them the steps before this one have.
  int64_t before = 0;
  double secondsPerSlice = 0;
};

class Executor {
public:
  Executor(const Ranks &ranks, const DistributedProgram &program,
           const Schedule &schedule, const PackedFunction *kernels,
           void **arguments, const std::vector<int64_t> &sizes,
           Checkpoint *checkpoint)
      : ranks(ranks), program(program), schedule(schedule), kernels(kernels),
        arguments(arguments), sizes(sizes), checkpoint(checkpoint),
        homes(program.getNumArrays()), owned(program.getNumArrays()) {}

  int32_t run();
  int64_t getPeakBytes() const { return peakBytes; }

private:
  void findHomes();
  bool allocateHome(unsigned array);
  void freeUnused(size_t statement);
  int32_t runStatement(size_t number);
  bool prepareInputs();
  bool prepareOutput();
  bool prepareTaken(const ArrayUse &use, bool isLocal, Buffer &buffer);
  char *getRoomMemory(const Input &input) const;
  void leaveRooms();
  void startInput(Input &input, int64_t step);
  void startOutput();
  void startPart(int64_t step);
  void callKernel(const Block &block, const std::vector<BoxMemory> &read,
                  const BoxMemory &written);
  void computeStep(int64_t step);
  int32_t loadSum(size_t number, int64_t step);
  BoxMemory take(const ArrayUse &use, const Block &block,
                 const BoxMemory &whole, const Buffer &buffer) const;
  void compute(const Block &block, const std::vector<BoxMemory> &panels);
  void computeInSlices(const Block &block,
                       const std::vector<BoxMemory> &panels);
  int32_t runSteps(size_t number);
  int32_t preparePieces(int64_t step);
  int32_t sendHome(int64_t step);
  int32_t finishResults();

  size_t getWidth(unsigned array) const {
    return getByteWidth(program.getArray(array).type);
  }
  /// What a rank, or each of them, reaches in a step; in all, if the access is
  /// the same in each.
  Block getReachedBy(int rank, const ArrayUse &access, int64_t step) const {
    const Block &all = now->parts[rank];
    return getBox(access, isStepped(access, now->steps)
                              ? getStep(all, now->steps, step)
                              : all);
  }
  Boxes getReachedByAll(const ArrayUse &access, int64_t step) const {
    Boxes boxes;
    for (int rank = 0; rank != ranks.count; ++rank)
      boxes.push_back(getReachedBy(rank, access, step));
    return boxes;
  }
  /// Whether this rank reaches nothing that is not at home, in any step.
  bool isAtHome(const ArrayUse &access) const {
    int64_t steps = isStepped(access, now->steps) ? now->steps.count : 1;
    for (int64_t step = 0; step != steps; ++step)
      if (!isPartOf(getReachedBy(ranks.rank, access, step),
                    homes[access.array].box))
        return false;
    return true;
  }
  int64_t getNumBytes(const Block &box, unsigned array) const {
    return isEmpty(box) ? 0 : box.countElements() * int64_t(getWidth(array));
  }
  bool isSaved() const { return checkpoint && statement->isSliced; }
  void count(int64_t bytes) {
    bytesNow += bytes;
    peakBytes = std::max(peakBytes, bytesNow);
  }

  const Ranks &ranks;
  const DistributedProgram &program;
  const Schedule &schedule;
  const PackedFunction *kernels;
  void **arguments;
  const std::vector<int64_t> &sizes;
  Checkpoint *checkpoint; // or null

  /// By array, this rank's block, and its memory if it is not the caller's.
  std::vector<BoxMemory> homes;
  std::vector<Buffer> owned;
  std::vector<std::optional<Room>> rooms;
  /// A code that the other ranks do not know yet.
  int32_t code = 0;

  // Of the statement in hand.
  const DistributedStatement *statement = nullptr;
  const StatementSchedule *now = nullptr;
  std::vector<Input> inputs;
  bool isWrittenInSteps = false;
  /// What the kernel writes: a buffer, or what is at home.
  BoxMemory part;
  Buffer partBuffer, piecesBuffer;
  /// As of inputs.
  Buffer partTaken;
  std::vector<uint8_t> neutral;
  SliceProgress progress;

  int64_t bytesNow = 0, peakBytes = 0;
};

} // namespace

/// How many points of a part of a statement's loops are in one slice.
static int64_t countInSlice(const DistributedStatement &statement,
                            const Block &part) {
  int64_t points = 1;
  for (size_t loop = 0; loop != part.ranges.size(); ++loop)
    if (statement.loops[loop].kind == LoopKind::Inner)
      points *= std::max<int64_t>(part.ranges[loop].size(), 1);
  return points;
}

/// The caller's arrays are where they are; a result that is not read is made in
/// its place.
void Executor::findHomes() {
  for (unsigned array = 0; array != program.getNumArrays(); ++array)
    homes[array].box = schedule.homes[array][ranks.rank];
  for (unsigned i = 0; i != program.signature.arguments.size(); ++i)
    if (!program.isScalar(i)) {
      homes[i].data = static_cast<char *>(arguments[i]);
      count(getNumBytes(homes[i].box, i));
    }
  for (unsigned array = 0; array != program.getNumArrays(); ++array)
    rooms.push_back(findRoom(program, schedule, array, ranks.rank));
  for (auto [argument, array] : program.results) {
    bool isInPlace =
        program.signature.arguments[argument].role == Role::Output &&
        !homes[array].data && schedule.homes[argument] == schedule.homes[array];
    if (isInPlace)
      homes[array].data = homes[argument].data;
  }
}

bool Executor::allocateHome(unsigned array) {
  if (homes[array].data)
    return true;
  if (!owned[array].allocate(getNumBytes(homes[array].box, array)))
    return false;
  count(owned[array].size());
  homes[array].data = owned[array].get();
  return true;
}

/// Temporaries that no statement after this one reads.
void Executor::freeUnused(size_t number) {
  std::vector<bool> isUsed(program.getNumArrays());
  for (size_t i = number + 1; i < program.statements.size(); ++i) {
    const DistributedStatement &later = program.statements[i];
    for (const Access &access : later.reads)
      isUsed[access.array] = true;
    isUsed[later.write.array] = true;
    if (later.start == StartKind::Array)
      isUsed[later.startArray] = true;
  }
  for (auto [argument, array] : program.results)
    isUsed[array] = true;
  if (program.status)
    isUsed[*program.status] = true;
  for (unsigned array = 0; array != program.getNumArrays(); ++array)
    if (!isUsed[array] && owned[array].get()) {
      count(-owned[array].size());
      owned[array].reset();
      homes[array].data = nullptr;
    }
}

//===----------------------------------------------------------------------===//
// A statement
//===----------------------------------------------------------------------===//

/// Memory for what is fetched: of the largest step, twice.
bool Executor::prepareInputs() {
  inputs = std::vector<Input>(now->reads.size());
  for (size_t i = 0; i != inputs.size(); ++i) {
    Input &input = inputs[i];
    input.access = &now->reads[i];
    unsigned array = input.access->array;
    if (program.isScalar(array))
      continue;
    input.isStepped = isStepped(*input.access, now->steps);
    input.isLocal = isAtHome(*input.access);
    const std::optional<Room> &room = rooms[array];
    if (room && &schedule.statements[room->statement] == now &&
        room->read == i) {
      input.room = &*room;
      input.roomBytes =
          getNumBytes(room->box, array) - getNumBytes(homes[array].box, array);
      count(input.roomBytes);
    }
    int64_t steps = input.isStepped ? now->steps.count : 1;
    int64_t bytes = 0;
    for (int64_t step = 0; step != steps; ++step)
      bytes = std::max(
          bytes,
          getNumBytes(getReachedBy(ranks.rank, *input.access, step), array));
    bool isFetched = !input.isLocal && !input.room;
    for (int64_t k = 0; k != std::min<int64_t>(steps, 2) && isFetched; ++k) {
      if (!input.buffers[k].allocate(bytes))
        return false;
      count(input.buffers[k].size());
    }
    if (!prepareTaken(*input.access, input.isLocal, input.taken))
      return false;
  }
  return true;
}

/// Memory for what a kernel takes, in a step or of a slice, if it does not lie
/// in one piece where it is.
bool Executor::prepareTaken(const ArrayUse &use, bool isLocal, Buffer &buffer) {
  int64_t bytes = 0;
  for (int64_t step = 0; step != now->steps.count; ++step) {
    Block block = getStep(now->parts[ranks.rank], now->steps, step);
    if (isEmpty(block))
      continue;
    if (isSaved())
      block = getFollowing(block, 0, countInSlice(*statement, block));
    Block box = getBox(use, block);
    if (!findAdjacent(box, isLocal ? homes[use.array].box
                                   : getReachedBy(ranks.rank, use, step)))
      bytes = std::max(bytes, getNumBytes(box, use.array));
  }
  if (bytes != 0 && !buffer.allocate(bytes))
    return false;
  count(buffer.size());
  return true;
}

/// Memory for what the kernel writes, unless that is at home already.
bool Executor::prepareOutput() {
  unsigned array = statement->write.array;
  if (!allocateHome(array))
    return false;
  isWrittenInSteps = isStepped(now->write, now->steps);
  int64_t steps = isWrittenInSteps ? now->steps.count : 1;
  int64_t partBytes = 0;
  bool isMadeAtHome = !now->isShared && isAtHome(now->write);
  for (int64_t step = 0; step != steps; ++step) {
    Block box = getReachedBy(ranks.rank, now->write, step);
    partBytes = std::max(partBytes, getNumBytes(box, array));
    isMadeAtHome =
        isMadeAtHome && (isEmpty(box) || findAdjacent(box, homes[array].box));
  }
  if (!isMadeAtHome) {
    if (!partBuffer.allocate(partBytes))
      return false;
    count(partBytes);
  }
  return prepareTaken(now->write, /*isLocal=*/false, partTaken);
}

char *Executor::getRoomMemory(const Input &input) const {
  const BoxMemory &home = homes[input.access->array];
  return home.data - *findAdjacent(home.box, input.room->box) *
                         static_cast<int64_t>(getWidth(input.access->array));
}

/// What was fetched around homes is done with. Its memory is the system's until
/// something is written there again.
void Executor::leaveRooms() {
  for (Input &input : inputs) {
    if (!input.room)
      continue;
    unsigned array = input.access->array;
    char *begin = getRoomMemory(input), *home = homes[array].data;
    char *homeEnd = home + getNumBytes(homes[array].box, array);
    releasePages(begin, home);
    releasePages(homeEnd, begin + getNumBytes(input.room->box, array));
    count(-input.roomBytes);
    input.room = nullptr;
  }
}

void Executor::startInput(Input &input, int64_t step) {
  unsigned array = input.access->array;
  if (program.isScalar(array))
    return;
  Boxes need = getReachedByAll(*input.access, step);
  BoxMemory &panel = input.panels[step % 2];
  if (input.isLocal)
    panel = homes[array];
  else
    panel = {need[ranks.rank],
             input.room ? getRoomMemory(input) : input.buffers[step % 2].get()};
  input.exchanges[step % 2].start(
      ranks, getWidth(array), schedule.homes[array], need, homes[array], panel,
      static_cast<int>(&input - inputs.data()), input.isLocal || input.room);
}

/// What is at home before anything is combined with it.
void Executor::startOutput() {
  unsigned array = statement->write.array;
  const BoxMemory &home = homes[array];
  if (statement->start == StartKind::Bits) {
    if (!isEmpty(home.box))
      fill(home.data, home.box.countElements(), statement->startBits);
  } else if (statement->start == StartKind::Array) {
    Exchange exchange;
    unsigned from = statement->startArray;
    exchange.start(ranks, getWidth(array), schedule.homes[from],
                   schedule.homes[array], homes[from], home, 0);
    exchange.finish();
  }
}

/// What is in the part before the kernel adds to it.
void Executor::startPart(int64_t step) {
  unsigned array = statement->write.array;
  if (now->isShared || statement->start == StartKind::Bits) {
    if (!isEmpty(part.box) && partBuffer.get())
      fill(part.data, part.box.countElements(),
           now->isShared ? neutral : statement->startBits);
  } else if (statement->start == StartKind::Array) {
    // Whoever adds has what there is.
    Exchange exchange;
    exchange.start(ranks, getWidth(array), schedule.homes[array],
                   getReachedByAll(now->write, step), homes[array], part, 0,
                   /*isInPlace=*/!partBuffer.get());
    exchange.finish();
  }
}

/// `read` has what the block reaches of each input, in order; scalars are with
/// the arguments.
void Executor::callKernel(const Block &block,
                          const std::vector<BoxMemory> &read,
                          const BoxMemory &written) {
  std::vector<void *> pointers;
  for (size_t i = 0; i != inputs.size(); ++i) {
    unsigned array = inputs[i].access->array;
    pointers.push_back(program.isScalar(array) ? arguments[array]
                                               : read[i].data);
  }
  pointers.push_back(written.data);
  std::vector<int64_t> symbols;
  for (Range range : block.ranges)
    symbols.push_back(range.size());
  for (Range range : block.ranges)
    symbols.push_back(range.begin);
  symbols.insert(symbols.end(), sizes.begin(), sizes.end());
  int32_t returned =
      kernels[statement->kernel](pointers.data(), symbols.data());
  code = std::max(code, returned);
}

/// What the block reaches of an array, in one piece: where it is, or a copy.
BoxMemory Executor::take(const ArrayUse &use, const Block &block,
                         const BoxMemory &whole, const Buffer &buffer) const {
  BoxMemory taken = {getBox(use, block), whole.data};
  size_t width = getWidth(use.array);
  if (std::optional<int64_t> offset = findAdjacent(taken.box, whole.box)) {
    taken.data += *offset * static_cast<int64_t>(width);
  } else {
    taken.data = buffer.get();
    copyBox(taken.box, width, whole, taken);
  }
  return taken;
}

/// The kernel on a block; `panels` have what it reaches of the inputs, and
/// more.
void Executor::compute(const Block &block,
                       const std::vector<BoxMemory> &panels) {
  if (isEmpty(block))
    return;
  std::vector<BoxMemory> read;
  for (size_t i = 0; i != inputs.size(); ++i)
    read.push_back(
        program.isScalar(inputs[i].access->array)
            ? BoxMemory()
            : take(*inputs[i].access, block, panels[i], inputs[i].taken));
  BoxMemory written = take(now->write, block, part, partTaken);
  callKernel(block, read, written);
  if (partTaken.get() && written.data == partTaken.get())
    copyBox(written.box, getWidth(now->write.array), written, part);
}

void Executor::computeStep(int64_t step) {
  const Block block = getStep(now->parts[ranks.rank], now->steps, step);
  std::vector<BoxMemory> panels;
  for (Input &input : inputs)
    panels.push_back(input.panels[input.isStepped ? step % 2 : 0]);
  if (isSaved())
    computeInSlices(block, panels);
  else
    compute(block, panels);
}

//===----------------------------------------------------------------------===//
// Slices, and what is saved of them
//===----------------------------------------------------------------------===//

/// What a rank adds up in a step, or in all if they write the same elements;
/// without slices if that is nothing.
static SliceSum getSliceSum(const DistributedProgram &program,
                            const StatementSchedule &schedule, int rank,
                            size_t statement, int64_t step) {
  const Block &all = schedule.parts[rank];
  SliceSum sum = {statement, step, 0, 0};
  Block own = isStepped(schedule.write, schedule.steps)
                  ? getStep(all, schedule.steps, step)
                  : all;
  if (isEmpty(own))
    return sum;
  unsigned array = schedule.write.array;
  sum.slices =
      own.countElements() / countInSlice(program.statements[statement], own);
  sum.bytes = getBox(schedule.write, own).countElements() *
              int64_t(getByteWidth(program.getArray(array).type));
  return sum;
}

/// What an earlier run has of the part in hand. All ranks know if one cannot
/// read its file, before they compute for hours.
int32_t Executor::loadSum(size_t number, int64_t step) {
  if (!isSaved())
    return 0;
  progress = SliceProgress();
  progress.sum = getSliceSum(program, *now, ranks.rank, number, step);
  if (progress.sum.slices != 0 &&
      !checkpoint->load(progress.sum, part.data, progress.finished))
    code = kBadCheckpoint;
  return code = ranks.agree(code);
}

/// Those that no earlier run has finished: as many at a time as there is time
/// for until the sums are saved, or one if it has to be copied together.
void Executor::computeInSlices(const Block &block,
                               const std::vector<BoxMemory> &panels) {
  // All of a slice that the rank has is done at once.
  int64_t inSlice = countInSlice(*statement, block);
  int64_t end =
      progress.before + (isEmpty(block) ? 0 : block.countElements() / inSlice);
  auto isAdjacent = [&](const Block &slices) {
    for (size_t i = 0; i != inputs.size(); ++i)
      if (!program.isScalar(inputs[i].access->array) &&
          !findAdjacent(getBox(*inputs[i].access, slices), panels[i].box))
        return false;
    return findAdjacent(getBox(now->write, slices), part.box).has_value();
  };
  while (code == 0 && progress.finished < end) {
    int64_t first = (progress.finished - progress.before) * inSlice;
    int64_t most =
        std::min(checkpoint->countUntilSaved(progress.secondsPerSlice),
                 end - progress.finished);
    Block slices = getFollowing(block, first, most * inSlice);
    if (!isAdjacent(slices))
      slices = getFollowing(block, first, inSlice);
    double start = MPI_Wtime();
    compute(slices, panels);
    int64_t count = slices.countElements() / inSlice;
    progress.secondsPerSlice = (MPI_Wtime() - start) / double(count);
    progress.finished += count;
    bool isLast = progress.finished == progress.sum.slices;
    if (code == 0 && (isLast || checkpoint->isDue()))
      checkpoint->save(progress.sum, part.data, progress.finished);
  }
  progress.before = end;
}

//===----------------------------------------------------------------------===//
// A statement, from its beginning to its end
//===----------------------------------------------------------------------===//

/// Memory for parts of sums, where the inputs have been if they are done with.
int32_t Executor::preparePieces(int64_t step) {
  unsigned array = statement->write.array;
  if (step + 1 == now->steps.count) {
    leaveRooms();
    for (Input &input : inputs)
      for (Buffer &buffer : input.buffers) {
        count(-buffer.size());
        buffer.reset();
      }
  }
  int64_t bytes =
      getSlabBytes(ranks, getWidth(array), getReachedByAll(now->write, step),
                   schedule.homes[array]);
  if (bytes > piecesBuffer.size()) {
    count(-piecesBuffer.size());
    if (piecesBuffer.allocate(bytes))
      count(bytes);
    else
      code = std::max(code, static_cast<int32_t>(Code::OutOfMemory));
  }
  return code = ranks.agree(code);
}

/// What the kernel has made: to those who keep it.
int32_t Executor::sendHome(int64_t step) {
  unsigned array = statement->write.array;
  Boxes have = getReachedByAll(now->write, step);
  if (now->isShared) {
    if (int32_t failed = preparePieces(step))
      return failed;
    combineParts(ranks, program.getArray(array).type, statement->combiner, have,
                 schedule.homes[array], part, homes[array], piecesBuffer.get());
    return 0;
  }
  Exchange exchange;
  exchange.start(ranks, getWidth(array), have, schedule.homes[array], part,
                 homes[array], 0, /*isInPlace=*/!partBuffer.get());
  exchange.finish();
  return 0;
}

int32_t Executor::runSteps(size_t number) {
  unsigned array = statement->write.array;
  for (Input &input : inputs)
    startInput(input, 0);
  for (int64_t step = 0; step != now->steps.count; ++step) {
    for (Input &input : inputs)
      if (step == 0 || input.isStepped)
        input.exchanges[step % 2].finish();
    for (Input &input : inputs)
      if (input.isStepped && step + 1 != now->steps.count)
        startInput(input, step + 1);
    if (step == 0 || isWrittenInSteps) {
      part.box = getReachedBy(ranks.rank, now->write, step);
      part.data = partBuffer.get();
      if (!part.data && !isEmpty(part.box))
        part.data =
            homes[array].data + *findAdjacent(part.box, homes[array].box) *
                                    static_cast<int64_t>(getWidth(array));
      startPart(step);
      if (int32_t failed = loadSum(number, step))
        return failed;
    }
    computeStep(step);
    if (isWrittenInSteps || step + 1 == now->steps.count)
      if (int32_t failed = sendHome(step))
        return failed;
  }
  return 0;
}

int32_t Executor::runStatement(size_t number) {
  statement = &program.statements[number];
  now = &schedule.statements[number];
  unsigned array = statement->write.array;
  int64_t before = bytesNow;
  if (code == 0 && (!prepareInputs() || !prepareOutput()))
    code = static_cast<int32_t>(Code::OutOfMemory);
  // With what the kernels of the statement before have returned.
  if ((code = ranks.agree(code)) != 0)
    return code;
  neutral = getNeutral(program.getArray(array).type, statement->combiner);
  startOutput();
  int32_t failed = runSteps(number);
  // All give up in the same place: what is under way arrives.
  for (Input &input : inputs)
    for (Exchange &exchange : input.exchanges)
      exchange.finish();
  leaveRooms();
  inputs.clear();
  partBuffer.reset();
  partTaken.reset();
  piecesBuffer.reset();
  // What is left is at home.
  bytesNow = before + (owned[array].get() ? owned[array].size() : 0);
  freeUnused(number);
  return failed;
}

/// Results that were not made in their place.
int32_t Executor::finishResults() {
  // What kernels have checked, from the rank that has the code.
  if (program.status && !isEmpty(homes[*program.status].box) &&
      homes[*program.status].data)
    code = std::max(
        code, *reinterpret_cast<const int32_t *>(homes[*program.status].data));
  if ((code = ranks.agree(code)) != 0)
    return code;
  for (auto [argument, array] : program.results) {
    if (homes[argument].data == homes[array].data)
      continue;
    Exchange exchange;
    exchange.start(ranks, getWidth(array), schedule.homes[array],
                   schedule.homes[argument], homes[array], homes[argument], 0);
    exchange.finish();
  }
  return 0;
}

int32_t Executor::run() {
  findHomes();
  for (size_t number = 0; number != program.statements.size(); ++number)
    if (int32_t failed = runStatement(number))
      return failed;
  return finishResults();
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

int32_t checkSizes(const Ranks &ranks, const std::vector<int64_t> &sizes) {
  // The least of each and of its negative are those of all, or sizes differ.
  std::vector<int64_t> ends, least(2 * sizes.size());
  for (int64_t size : sizes) {
    ends.push_back(size);
    ends.push_back(-size);
  }
  MPI_Allreduce(ends.data(), least.data(), static_cast<int>(ends.size()),
                MPI_INT64_T, MPI_MIN, ranks.comm);
  bool areSizes = true;
  for (size_t i = 0; i != sizes.size(); ++i)
    areSizes &= least[2 * i] == -least[2 * i + 1] && least[2 * i] >= 0;
  return static_cast<int32_t>(areSizes ? Code::Ok : Code::ShapeMismatch);
}

std::vector<SliceSum> listSliceSums(const Ranks &ranks,
                                    const DistributedProgram &program,
                                    const Schedule &schedule) {
  std::vector<SliceSum> sums;
  for (size_t number = 0; number != program.statements.size(); ++number) {
    const StatementSchedule &now = schedule.statements[number];
    if (!program.statements[number].isSliced)
      continue;
    int64_t steps = isStepped(now.write, now.steps) ? now.steps.count : 1;
    for (int64_t step = 0; step != steps; ++step) {
      SliceSum sum = getSliceSum(program, now, ranks.rank, number, step);
      if (sum.slices != 0)
        sums.push_back(sum);
    }
  }
  return sums;
}

int32_t execute(const Ranks &ranks, const DistributedProgram &program,
                const Schedule &schedule, const PackedFunction *kernels,
                void **arguments, const std::vector<int64_t> &sizes,
                RunFacts *facts, Checkpoint *checkpoint) {
  Executor executor(ranks, program, schedule, kernels, arguments, sizes,
                    checkpoint);
  int64_t before = ranks.bytesReceived;
  int32_t code = executor.run();
  if (facts) {
    facts->bytesReceived = ranks.bytesReceived - before;
    facts->peakBytes = executor.getPeakBytes();
  }
  return code;
}

} // namespace ein::runtime
