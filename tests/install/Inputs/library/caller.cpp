#include <einc/einc.hpp>
#include <iostream>

int main() {
  auto program = einc::compile("def f(s: f64, x: f64(N)) -> (y: f64(N)) {\n"
                               "  y(i) += s * x(i)\n"
                               "}\n",
                               {"-O1"}, "f.ein");
  if (!program) {
    std::cerr << program.error().text();
    return 1;
  }
  for (const einc_diagnostic &warning : program->warnings())
    std::cout << warning.place.line << ": " << warning.id << "\n";
  einc::entry f = program->find("f").value();
  std::cout << f.signature() << ", " << f.sizes().at(0) << "\n";
  const double x[] = {1, 2, 3};
  double y[] = {10, 20, 30};
  // The last element first.
  std::cout << f(2.0, einc::array(x + 2, {3}, {-1}), einc::array(y, {3}))
            << ": " << y[0] << " " << y[1] << " " << y[2] << "\n";
  std::cout << f.call({2.0, einc::array(x, {3}), einc::array(y, {2})}) << ": "
            << einc::last_message() << "\n";

  auto wrong = einc::compile("def f(x: f64(N)) -> (y: f64) { y = exp(x(i)) }");
  std::cout << wrong.has_value() << " " << wrong.error().reported()[0].id
            << "\n";
#ifdef __cpp_exceptions
  try {
    einc::emit("ij->i", "asn", {}, nullptr, EINC_FORM_TEXT).value();
  } catch (const einc::error &error) {
    std::cout << error.code() << ": " << error.what() << "\n";
  }
#else
  std::cout << "17: there is no kind `asn`\n";
#endif
  std::cout << einc::emit("ij->i", "header", {}, nullptr, EINC_FORM_TEXT)
                   ->find("main_program(")
            << "\n";
  std::cout << einc::explain("ij->i", {}, nullptr, EINC_FORM_TEXT)->substr(0, 8)
            << "\n";
}
