#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace plumb::frontend {

/// A process with our own standard streams. Killed if it is not waited for.
class Companion {
 public:
  /// Throws UserError with the package if it cannot be started.
  explicit Companion(const std::vector<std::string>& command);
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  /// Its exit code, as a shell gives it.
  int wait();

 private:
  std::string name_;
  pid_t child_ = -1;
};

}  // namespace plumb::frontend
