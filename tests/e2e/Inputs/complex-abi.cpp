// The same from C++, where complex numbers are std::complex.
#include "abi.hpp"
#include <cstdio>

int main() {
  using namespace std::complex_literals;
  std::complex<float> a[] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}}, b[4];
  std::complex<double> c[2], x;
  double y;
  bool isGood =
      scale({a, {2, 2}}, {0, 1}, {2, 0}, {b, {2, 2}}, {c, {2}}) == EIN_OK &&
      b[1] == std::complex<float>(-6, 5) && c[0] == 8.0 + 12i &&
      many(1, {1, 2}, {3, -1}, 0.5f, {0, 2}, {0.25, 8}, {-1, -1}, {5, 0}, 2,
           {1, 4}, 3, 7, ein::view<std::complex<double>, 0>(&x),
           ein::view<double, 0>(&y)) == EIN_OK &&
      x == 41.25 + 70i && y == 27;
  if (!isGood)
    std::puts("wrong");
  return !isGood;
}
