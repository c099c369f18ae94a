#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "result/defect/defect.h"

namespace plumb::replay {

/// Places in an executable with line tables, by its addresses as they are in the file. What is not known is left empty.
/// Not thread-safe.
class Symboliser {
 public:
  explicit Symboliser(std::filesystem::path executable);
  ~Symboliser();
  Symboliser(const Symboliser&) = delete;
  Symboliser& operator=(const Symboliser&) = delete;

  /// The calls that return addresses stand for, innermost first, with those that were inlined. What the program did not
  /// bring itself (our runtime, what starts main) is left out at both ends; an address of 0 is a call in a library.
  std::vector<result::StackFrame> calls(std::span<const std::uint64_t> return_addresses);
  /// Of the variable that lies there.
  std::string variable(std::uint64_t address);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::replay
