//===- Main.cpp - The main of executables for many ranks ------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   mpirun -n 4 ./mm A.npy B.npy -o C.npy
//
// The command line is that of every executable, as far as ranks can do it. All
// ranks see the same one, so that what is wrong with it is said by the first.
//
//===----------------------------------------------------------------------===//

#include "runtime/CommandLine.h"
#include "runtime/InputFile.h"
#include "runtime/Print.h"
#include "runtime/mpi/Buffer.h"
#include "runtime/mpi/Execute.h"
#include "runtime/mpi/Files.h"
#include "runtime/mpi/Fingerprint.h"
#include <algorithm>
#include <cstdio>

/// What the compiler puts beside the code; ends with a null text.
// NOLINTNEXTLINE(readability-identifier-naming): as generated code calls it.
extern "C" const ein::runtime::DistributedRecord __ein_distributed[];
// NOLINTNEXTLINE(readability-identifier-naming): the same.
extern "C" const char __ein_version[];

using namespace ein::runtime;

/// How often sums are saved if nobody says so.
static constexpr double kCheckpointSeconds = 60;

namespace {

class Job {
public:
  /// `name` is what messages begin with.
  Job(const Ranks &ranks, std::string name, std::string &out,
      std::string &error)
      : ranks(ranks), name(std::move(name)), out(out), error(error) {}

  int run(const std::vector<std::string> &words);

private:
  int describe();
  int choose();
  int load();
  int loadScalar(size_t argument, const std::string &text);
  bool allocateBlocks();
  bool allocateBlock(size_t argument);
  /// This rank's block of an argument that is no scalar.
  BoxMemory getBlock(size_t argument) const {
    return {schedule.homes[argument][ranks.rank],
            static_cast<char *>(pointers[argument])};
  }
  bool readBlocks();
  int openCheckpoint();
  int call();
  int measure(double seconds);
  int writeResults();
  std::string printFacts(const std::string &time) const;

  const Ranks &ranks;
  std::string name;
  std::string &out, &error;
  CommandLine line;
  std::vector<DistributedProgram> programs;
  size_t chosen = 0;
  std::vector<std::optional<std::string>> inputs, outputs;
  std::vector<int64_t> sizes;
  Schedule schedule;
  /// By argument: type and shape of the whole, and where it is in its file.
  std::vector<Array> wholes;
  std::vector<int64_t> offsets;
  /// This rank's blocks, and scalars.
  std::vector<Array> blocks;
  /// Of arrays that lie in memory with room around them, instead of a block.
  std::vector<Buffer> rooms;
  /// Where they are, by argument.
  std::vector<void *> pointers;
  std::unique_ptr<Checkpoint> checkpoint;
  RunFacts facts;

  const DistributedProgram &getProgram() const { return programs[chosen]; }
  const Signature &getSignature() const { return getProgram().signature; }
};

std::string quote(const std::string &text) { return "`" + text + "`"; }

} // namespace

int Job::describe() {
  if (ranks.rank != 0)
    return ExitDone;
  if (line.version) {
    out += std::string("a program for many ranks, ") + __ein_version + "\n";
    return ExitDone;
  }
  if (line.help)
    out +=
        "usage: mpirun -n RANKS PROGRAM [options] [NAME=]FILE.npy... "
        "-o [NAME=]FILE.npy...\n\n"
        "options:\n"
        "  -o [NAME=]FILE.npy  write a result\n"
        "  --entry NAME        the entry to call\n"
        "  --bind K=V,...      sizes\n"
        "  --checkpoint DIR    save sums of finished slices there, and go on "
        "from them\n"
        "  --checkpoint-interval SECONDS\n"
        "                      how often; 60 if it is not given\n"
        "  --time              print the time of the call, what moved, and "
        "the memory\n"
        "  --bench             call for 0.2 s or longer and print the median "
        "time\n"
        "  --describe          print the signatures, one to a line\n"
        "  --version           print what made this program\n"
        "  --help              print this\n\nentries:\n";
  for (const DistributedProgram &program : programs)
    out += (line.help ? "  " : "") + print(program.signature) + "\n";
  return ExitDone;
}

/// The entry, and which file or number is which argument.
int Job::choose() {
  chosen = programs.size() - 1;
  if (!line.entry.empty()) {
    std::string names;
    for (chosen = 0; chosen != programs.size(); ++chosen) {
      if (programs[chosen].signature.name == line.entry)
        break;
      names += (chosen ? ", " : "") + quote(programs[chosen].signature.name);
    }
    if (chosen == programs.size()) {
      error = "there is no entry " + quote(line.entry) + "; there is " + names;
      return ExitWrongCommandLine;
    }
  }
  const Signature &signature = getSignature();
  if (line.seed) {
    error = "`--random` is not there for many ranks; give files";
    return ExitWrongCommandLine;
  }
  if (!checkSuffixes(line, error) ||
      !assignItems(signature, /*results=*/false, line.operands, inputs,
                   error) ||
      !assignItems(signature, /*results=*/true, line.outputs, outputs, error))
    return ExitWrongCommandLine;
  for (size_t i = 0; i != inputs.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (argument.isRead() && !inputs[i])
      error = "the input " + quote(argument.name) +
              " is missing; the signature is " + quote(print(signature));
    bool isSeen = line.time || line.bench || outputs[i];
    if (argument.isResult() && !isSeen)
      error =
          "ranks write results to files; give `-o` for " + quote(argument.name);
    for (size_t k = 0; k != i; ++k)
      if (outputs[i] && outputs[i] == outputs[k])
        error = "two results are to be written to " + quote(*outputs[i]);
    if (!error.empty())
      return ExitWrongCommandLine;
  }
  if (getProgram().ranks != 0 && getProgram().ranks != ranks.count) {
    error = "this program is for " + std::to_string(getProgram().ranks) +
            " ranks, and there are " + std::to_string(ranks.count);
    return ExitWrongCommandLine;
  }
  if (line.checkpointInterval && !line.checkpoint) {
    error = "`--checkpoint-interval` says how often sums are saved; "
            "`--checkpoint DIR` says where, and is missing";
    return ExitWrongCommandLine;
  }
  if (!line.checkpoint)
    return ExitDone;
  bool hasSlices = false;
  for (const DistributedStatement &statement : getProgram().statements)
    hasSlices |= statement.isSliced;
  if (line.bench)
    error = "`--bench` calls several times, and `--checkpoint` is for one call";
  else if (!hasSlices)
    error = "`--checkpoint` saves sums of slices, and " +
            quote(signature.name) +
            " has none; `einc build --max-temp` makes some";
  return error.empty() ? ExitDone : ExitWrongCommandLine;
}

int Job::loadScalar(size_t i, const std::string &text) {
  const Argument &argument = getSignature().arguments[i];
  bool isGood = parseScalar(text, argument.type, blocks[i]) ||
                readNpy(text, blocks[i], error);
  if (!agree(ranks, isGood, error)) {
    error = quote(argument.name) + " is " + getSpelling(argument.type) +
            ", and " + quote(text) + " is neither such a number nor a file";
    return ExitWrongCommandLine;
  }
  wholes[i].type = blocks[i].type;
  wholes[i].shape = blocks[i].shape;
  return ExitDone;
}

/// Types, shapes and sizes; then the schedule is known.
int Job::load() {
  const Signature &signature = getSignature();
  size_t count = signature.arguments.size();
  wholes.resize(count);
  blocks.resize(count);
  offsets.resize(count);
  std::vector<const Array *> given(count, nullptr);
  for (size_t i = 0; i != count; ++i) {
    if (!inputs[i])
      continue;
    if (signature.arguments[i].isScalarInput()) {
      if (int status = loadScalar(i, *inputs[i]))
        return status;
    } else if (!readHeader(ranks, *inputs[i], wholes[i], offsets[i], error)) {
      return ExitWrongInput;
    }
    given[i] = &wholes[i];
  }
  BindFault fault;
  if (!bindSizes(signature, given, line.bindings, sizes, error, &fault))
    return fault == BindFault::Bindings ? ExitWrongCommandLine : ExitWrongInput;
  if (Code code = checkSizes(getProgram(), sizes); code != Code::Ok) {
    error = getText(static_cast<int32_t>(code));
    return ExitWrongInput;
  }
  return makeSchedule(getProgram(), sizes, ranks.count, schedule, error,
                      /*hasRooms=*/true)
             ? ExitDone
             : ExitWrongInput;
}

bool Job::allocateBlock(size_t i) {
  const Argument &argument = getSignature().arguments[i];
  wholes[i].type = argument.type;
  wholes[i].shape = schedule.shapes[i];
  const ein::distribute::Block &box = schedule.homes[i][ranks.rank];
  auto width = static_cast<int64_t>(getByteWidth(argument.type));
  if (std::optional<Room> room = findRoom(
          getProgram(), schedule, static_cast<unsigned>(i), ranks.rank)) {
    if (!rooms[i].allocate(room->box.countElements() * width))
      return false;
    pointers[i] =
        rooms[i].get() + *ein::distribute::findAdjacent(box, room->box) * width;
    return true;
  }
  Shape shape;
  for (size_t dim = 0; dim != wholes[i].shape.size(); ++dim)
    shape.push_back(isEmpty(box) ? 0 : box.ranges[dim].size());
  if (!blocks[i].allocate(argument.type, shape))
    return false;
  adviseHugePages(blocks[i].as<char>(), blocks[i].getNumBytes());
  pointers[i] = blocks[i].data();
  return true;
}

bool Job::allocateBlocks() {
  const Signature &signature = getSignature();
  bool isGood = true;
  pointers.resize(blocks.size());
  rooms.resize(blocks.size());
  for (size_t i = 0; i != blocks.size(); ++i)
    if (signature.arguments[i].isScalarInput())
      pointers[i] = blocks[i].data();
    else
      isGood &= allocateBlock(i);
  error = "there is not enough memory for the blocks of rank " +
          std::to_string(ranks.rank);
  return agree(ranks, isGood, error);
}

bool Job::readBlocks() {
  const Signature &signature = getSignature();
  for (size_t i = 0; i != blocks.size(); ++i)
    if (inputs[i] && !signature.arguments[i].isScalarInput() &&
        !readBlock(ranks, *inputs[i], wholes[i], offsets[i], getBlock(i),
                   error))
      return false;
  return true;
}

/// What this program is: its file, which the system has at this place.
static bool addProgram(Fingerprint &fingerprint, std::string &error) {
  InputFile file;
  int64_t size = 0;
  if (!openInput("/proc/self/exe", file, size, error))
    return false;
  std::vector<char> bytes(1 << 20);
  int64_t count = 0;
  while ((count = file.read(bytes.data(), bytes.size())) > 0)
    fingerprint.add(bytes.data(), count);
  if (count < 0)
    error = "cannot read `/proc/self/exe`";
  return count == 0;
}

/// A checkpoint belongs to a program and to what it computes with.
int Job::openCheckpoint() {
  if (!line.checkpoint)
    return ExitDone;
  Fingerprint code, own;
  bool isRead = addProgram(code, error);
  if (!agree(ranks, isRead, error))
    return ExitWrongInput;
  code.add(getSignature().name);
  own.addWord(ranks.rank);
  for (int64_t size : sizes)
    own.addWord(size);
  for (size_t i = 0; i != blocks.size(); ++i)
    if (getSignature().arguments[i].isScalarInput()) {
      own.add(blocks[i].data(), blocks[i].getNumBytes());
    } else if (getSignature().arguments[i].isRead()) {
      BoxMemory block = getBlock(i);
      int64_t elements = isEmpty(block.box) ? 0 : block.box.countElements();
      own.add(block.data, elements * int64_t(getByteWidth(wholes[i].type)));
    }
  checkpoint = std::make_unique<Checkpoint>(
      ranks, name, *line.checkpoint,
      line.checkpointInterval.value_or(kCheckpointSeconds));
  std::string note;
  if (!checkpoint->begin(code.get(), own.get(),
                         listSliceSums(ranks, getProgram(), schedule), note,
                         error))
    return ExitWrongInput;
  if (!note.empty() && ranks.rank == 0)
    std::fprintf(stderr, "%s: %s\n", name.c_str(), note.c_str());
  return ExitDone;
}

int Job::call() {
  const DistributedRecord &record = __ein_distributed[chosen];
  int32_t code = execute(ranks, getProgram(), schedule, record.kernels,
                         pointers.data(), sizes, &facts, checkpoint.get());
  if (code == 0)
    return ExitDone;
  if (code == kBadCheckpoint) {
    error = checkpoint->getError();
    agree(ranks, error.empty(), error);
    return ExitWrongInput;
  }
  const char *text = getText(code);
  error = text ? text : "code " + std::to_string(code);
  return text ? ExitWrongInput : ExitInternalError;
}

/// Calls until so many seconds are over, and keeps the median.
int Job::measure(double seconds) {
  std::vector<double> times;
  double total = 0;
  bool goesOn = true;
  std::vector<Array> given(blocks.size());
  for (size_t i = 0; i != blocks.size(); ++i)
    if (getSignature().arguments[i].role == Role::InOut &&
        !given[i].copyFrom(blocks[i]))
      return ExitWrongInput;
  while (goesOn) {
    for (size_t i = 0; i != blocks.size(); ++i)
      if (given[i].isAllocated())
        std::memcpy(blocks[i].data(), given[i].data(), given[i].getNumBytes());
    MPI_Barrier(ranks.comm);
    double start = MPI_Wtime();
    if (int status = call())
      return status;
    double mine = MPI_Wtime() - start, slowest = 0;
    MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, ranks.comm);
    times.push_back(slowest);
    total += slowest;
    goesOn = total < seconds;
  }
  std::sort(times.begin(), times.end());
  out +=
      getSignature().name + ": " +
      printFacts(printSeconds(times[times.size() / 2]) +
                 (seconds == 0 ? ""
                               : " (median of " + std::to_string(times.size()) +
                                     " calls)"));
  return ExitDone;
}

std::string Job::printFacts(const std::string &time) const {
  int64_t mine[2] = {facts.bytesReceived, facts.peakBytes}, most[2] = {0, 0};
  MPI_Allreduce(mine, most, 2, MPI_INT64_T, MPI_MAX, ranks.comm);
  return time + " on " + std::to_string(ranks.count) +
         " ranks, each of which received at most " + std::to_string(most[0]) +
         " bytes and took at most " + std::to_string(most[1]) + ", of " +
         std::to_string(schedule.memoryBytes) + " predicted\n";
}

int Job::writeResults() {
  BlockWriter writer(ranks);
  for (size_t i = 0; i != blocks.size(); ++i)
    if (outputs[i] && !writer.stage(*outputs[i], wholes[i], getBlock(i), error))
      return ExitWrongInput;
  return writer.commit(error) ? ExitDone : ExitWrongInput;
}

int Job::run(const std::vector<std::string> &words) {
  for (const DistributedRecord *record = __ein_distributed; record->text;
       ++record)
    if (!parse(record->text, programs.emplace_back())) {
      error = "this program is damaged";
      return ExitInternalError;
    }
  if (!parseCommandLine(words, line, error))
    return ExitWrongCommandLine;
  if (line.help || line.version || line.describe)
    return describe();
  if (int status = choose())
    return status;
  if (int status = load())
    return status;
  if (!allocateBlocks() || !readBlocks())
    return ExitWrongInput;
  if (int status = openCheckpoint())
    return status;
  int status = line.bench ? measure(0.2) : line.time ? measure(0) : call();
  if (status == ExitDone)
    status = writeResults();
  if (status == ExitDone && checkpoint)
    checkpoint->removeFiles();
  return status;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int status = ExitDone;
  {
    Ranks ranks(MPI_COMM_WORLD);
    std::string name = argc > 0 ? argv[0] : "", out, error;
    name = name.substr(name.rfind('/') + 1);
    status = Job(ranks, name, out, error)
                 .run(std::vector<std::string>(argv + std::min(argc, 1),
                                               argv + argc));
    // All know what is wrong; one says it.
    if (status != ExitDone && ranks.rank == 0)
      std::fprintf(stderr, "%s: error: %s\n", name.c_str(), error.c_str());
    if (ranks.rank == 0)
      std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
  MPI_Finalize();
  return status;
}
