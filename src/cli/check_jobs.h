#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/task.h"

namespace plumb::cli {

/// A property to check, and what a task says of it.
struct CheckJob {
  check::Specification specification;
  std::optional<bool> expected{};
  std::string subproperty{};
};

/// What `plumb check` is asked to do with a program.
struct CheckPlan {
  std::vector<std::string> files;
  std::optional<std::uint32_t> word_size{};  ///< of a task
  std::vector<CheckJob> jobs{};
  std::vector<std::string> notes{};
  bool is_asked = false;  ///< properties were named; else they are the assertions
};

/// Of the files (programs, or one task alone) and the values of --property. A task's properties that are not supported
/// are left out with a note, unless they are all that it has. Throws UserError.
CheckPlan plan_check(const std::vector<std::string>& files, const std::vector<std::string>& properties);

}  // namespace plumb::cli
