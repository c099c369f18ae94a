#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace plumb::instrument::test {

/// Random C functions `uint64_t fN(uint32_t, uint32_t, uint32_t)` that end on every input: structured code with loops,
/// switches and short-circuit conditions, and labels with jumps between them; on local variables, a local array, a
/// global array, and now and then a call of `note(uint32_t)`, which the host defines.
class ProgramGenerator {
 public:
  explicit ProgramGenerator(std::uint32_t seed) : random_(seed) {}

  /// A file with functions f0, f1, …, and `void reset(void)` and `uint64_t digest(void)` for the global array.
  std::string file(unsigned functions);

 private:
  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string variable() { return "v" + std::to_string(below(5)); }
  std::string place();
  std::string expression(unsigned depth);
  std::string condition(unsigned depth);
  std::string assignment();
  std::string statements(unsigned depth, bool in_loop);
  std::string statement(unsigned depth, bool in_loop);
  std::string choice(unsigned depth, bool in_loop);
  std::string labelled_blocks();
  std::string jump(unsigned from, unsigned count);
  std::string function(unsigned index);

  std::mt19937 random_;
};

}  // namespace plumb::instrument::test
