//===- ThreadsTest.cpp - Several threads in the library -------------------===//
//
// Part of einc, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <pthread.h>
#include <thread>

using namespace ein::test;

/// Compiles a program of its own, and calls it and a shared one.
static void work(int number, const einc_entry *shared) {
  std::string text =
      "def f(x: f32(N)) -> (y: f32(N)) { y(i) = " + std::to_string(number) +
      " * x(i) }";
  for (int round = 0; round < 3; ++round) {
    auto own = compile(text);
    ASSERT_EQ(own.status, EINC_OK) << einc_last_message();
    auto wrong = compile("def f" + std::to_string(number) + "(");
    ASSERT_EQ(wrong.status, EINC_WRONG_INPUT);
    ASSERT_EQ(emit(text, "llvm-ir").status, EINC_OK);
    for (int i = 0; i < 100; ++i)
      for (const einc_entry *entry :
           {einc_program_find(own.value.get(), "f"), shared}) {
        float x[5] = {1, 2, 3, 4, 5}, y[5];
        int64_t size[] = {5};
        einc_array arrays[] = {{x, size, nullptr, 1, EINC_TYPE_F32},
                               {y, size, nullptr, 1, EINC_TYPE_F32}};
        ASSERT_EQ(einc_call(entry, arrays, 2, nullptr), EINC_OK);
        ASSERT_EQ(y[4], 5.0f * (entry == shared ? 9 : number));
      }
    // Messages are a thread's own.
    ASSERT_EQ(einc_program_find(own.value.get(),
                                ("g" + std::to_string(number)).c_str()),
              nullptr);
    ASSERT_EQ(std::string(einc_last_message()).substr(0, 21),
              "there is no def `g" + std::to_string(number) + "`;");
  }
}

TEST(Threads, CompileAndCallAtOnce) {
  Silence silence;
  auto shared = compile("def f(x: f32(N)) -> (y: f32(N)) { y(i) = 9 * x(i) }");
  ASSERT_EQ(shared.status, EINC_OK);
  const einc_entry *entry = einc_program_find(shared.value.get(), "f");
  std::vector<std::thread> threads;
  for (int number = 1; number <= 4; ++number)
    threads.emplace_back(work, number, entry);
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Threads, NeedNoStackOfTheirOwn) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_t thread;
  einc_status status = EINC_INTERNAL_ERROR;
  auto run = [](void *status) -> void * {
    std::string sum = "x(i)";
    for (int i = 0; i < 200; ++i)
      sum = "(" + sum + " + x(i))";
    *static_cast<einc_status *>(status) =
        compile("def f(x: f32(N)) -> (y: f32(N)) { y(i) = " + sum + " }")
            .status;
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &status), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(status, EINC_OK);
}
