//===- CalibrateTest.cpp - What measuring this machine gives --------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranges are wide: the machine is shared, and no test asserts a time. What is
// in them is a machine; a kernel that LLVM has optimised away is not.
//
//===----------------------------------------------------------------------===//

#include "backend/Calibrate.h"
#include "target/Target.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace ein;
using testing::HasSubstr;

namespace {

class Calibrate : public testing::TestWithParam<const char *> {};

TEST_P(Calibrate, MeasuresAMachine) {
  llvm::Expected<TargetInfo> target = getTarget("", GetParam(), "");
  ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
  if (!runsHere(*target))
    GTEST_SKIP() << "this machine does not run code for " << GetParam();
  double last = 0;
  llvm::Expected<Calibration> calibration =
      calibrate(*target, 1, [&](double done) {
        EXPECT_GE(done, last);
        EXPECT_LE(done, 1);
        last = done;
      });
  ASSERT_TRUE(bool(calibration)) << llvm::toString(calibration.takeError());
  EXPECT_EQ(last, 1);

  const MachineModel &machine = calibration->machine;
  EXPECT_EQ(machine.vectorBits, target->vectorBits);
  EXPECT_GT(machine.gigahertz, 0.3);
  EXPECT_LT(machine.gigahertz, 8);
  for (double rate : {machine.loads, machine.stores, machine.fmas, machine.adds,
                      machine.vectorAlu, machine.shuffles}) {
    EXPECT_GE(rate, 0.25);
    EXPECT_LE(rate, 10);
  }
  // The chains of operations are as long as they are written.
  EXPECT_GT(machine.fmaLatency, 1.5);
  EXPECT_LT(machine.fmaLatency, 20);
  EXPECT_GT(machine.l1.latency, 2);
  EXPECT_LT(machine.l1.latency, 30);
  EXPECT_GT(machine.memory.latency, machine.l1.latency);
  EXPECT_GT(machine.l1.read, machine.memory.read);
  EXPECT_GT(machine.call, 0.2);
  EXPECT_GT(machine.threadStart, 10);

  std::string text = printCalibration(*calibration, *target);
  llvm::Expected<MachineModel> again = readMachine(text);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(printMachine(*again), printMachine(machine));
  EXPECT_THAT(text, HasSubstr("; measured"));
  EXPECT_THAT(text, HasSubstr(" in the table"));
  for (const std::string &key : calibration->measured)
    EXPECT_THAT(text, HasSubstr(key + " = "));
}

std::vector<const char *> getCpus() {
  std::vector<const char *> cpus = {"native"};
#ifdef __x86_64__
  cpus.insert(cpus.end(), {"x86-64", "haswell"});
#endif
  return cpus;
}

INSTANTIATE_TEST_SUITE_P(Cpus, Calibrate, testing::ValuesIn(getCpus()));

} // namespace
