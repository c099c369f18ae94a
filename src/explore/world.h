#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/code.h"
#include "explore/content.h"
#include "program/platform.h"
#include "semantics/memory/access_fault.h"

namespace plumb::explore {

using program::GlobalId;

/// Where things lie. Addresses depend on the program and on what its threads have, never on the order in which threads
/// ran: each thread has a region of its own for its stack and what it allocates.
struct AddressPlan {
  explicit AddressPlan(std::uint32_t pointer_width);

  std::uint64_t functions = 0;
  std::uint64_t globals = 0;
  std::uint64_t threads = 0;      ///< the region of the first thread
  std::uint64_t thread_size = 0;  ///< of a region
  std::uint64_t heap_offset = 0;  ///< in a region, behind the stack
  std::uint64_t guard = 0;        ///< between objects
  std::uint64_t end = 0;

  std::uint64_t region(std::uint32_t thread) const noexcept { return threads + thread * thread_size; }
  bool has_room(std::uint32_t thread) const noexcept { return region(thread) + thread_size <= end; }
};

/// What is the same in all states of a program: its constants, and the addresses of its functions and globals.
class World {
 public:
  explicit World(const Program& program);

  const Program& program;
  const program::Platform platform;
  const AddressPlan plan;
  Code code;
  const std::vector<FunctionId> at_end;  ///< semantics::functions_at_end()

  struct Global {
    semantics::ObjectInfo info;
    Content initial;
    bool is_written = false;       ///< perhaps: its content is part of states
    bool is_unknown_size = false;  ///< `extern int table[];`
  };
  /// By GlobalId; two more behind them hold the arguments of main. Of a thread-local one the address is that of each
  /// thread's own object, which is not here.
  const std::vector<Global>& globals() const noexcept { return globals_; }
  /// Globals whose content is part of states, by rising address; positions in globals().
  const std::vector<std::uint32_t>& written() const noexcept { return written_; }
  /// The global whose room holds the address.
  std::optional<std::uint32_t> global_at(std::uint64_t address) const;
  std::uint64_t address_of_function(FunctionId f) const noexcept { return plan.functions + 16 * std::uint64_t{f}; }
  std::optional<FunctionId> function_at(std::uint64_t address) const;
  std::uint32_t pointer_width() const noexcept { return program.layout.pointer_width; }
  std::uint32_t pointer_bytes() const noexcept { return pointer_width() / 8; }
  /// Some thread may ask whether a mutex is free, and go on if it is not.
  bool may_try_lock = false;
  std::uint64_t arguments_of_main() const { return globals_.back().info.base; }  ///< argv
  Content initial_content(GlobalId g) const;

 private:
  void add_global(std::uint64_t size, std::uint32_t alignment, bool is_constant, std::uint64_t& next);
  void find_written();

  std::vector<Global> globals_;
  std::vector<std::uint32_t> written_;
};

}  // namespace plumb::explore
