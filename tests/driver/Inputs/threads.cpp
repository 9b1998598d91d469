// Calls a kernel, which starts threads itself, from several threads at once.
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

extern "C" int f(const float *A, const float *B, float *C, int64_t M, int64_t K,
                 int64_t N);

int main() {
  constexpr int64_t m = 61, k = 67, n = 71;
  std::vector<float> a(m * k), b(k * n), expected(m * n, -1);
  for (int64_t i = 0; i < m * k; ++i)
    a[i] = (i * 37 % 101) / 101.0f;
  for (int64_t i = 0; i < k * n; ++i)
    b[i] = (i * 53 % 97) / 97.0f;
  if (f(a.data(), b.data(), expected.data(), m, k, n) != 0)
    return 1;
  int wrong[6] = {};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&, caller] {
      for (int round = 0; round < 20; ++round) {
        std::vector<float> c(m * n, -2);
        wrong[caller] += f(a.data(), b.data(), c.data(), m, k, n) != 0;
        wrong[caller] += c != expected;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  for (int count : wrong)
    if (count)
      return 2;
  std::puts("all the same");
}
