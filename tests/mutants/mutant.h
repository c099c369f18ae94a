#pragma once

// Put before each source by tests/mutants/gaps.py: which places of a program with all mutants are off.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace plumb::mutants {

/// The place whose mutant runs; 0: none.
inline int chosen() {
  static const int number = std::getenv("PLUMB_MUTANT") != nullptr ? std::atoi(std::getenv("PLUMB_MUTANT")) : 0;
  return number;
}

/// A run came to the place: a line in the file that PLUMB_MUTANT_LOG names.
inline void note(int place) {
  static const char* const log = std::getenv("PLUMB_MUTANT_LOG");
  static std::array<std::atomic<bool>, 1000> seen{};
  if (log == nullptr || seen[static_cast<std::size_t>(place)].exchange(true)) return;
  const int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  std::array<char, 16> line{};
  const int size = std::snprintf(line.data(), line.size(), "%d\n", place);
  if (file < 0 || write(file, line.data(), static_cast<std::size_t>(size)) != size) std::abort();
  close(file);
}

/// At a place: it does not record.
inline bool is_off(int place) {
  note(place);
  return chosen() == place;
}

/// For places that call what records for many: until the next one in this thread.
inline thread_local bool is_muted = false;
inline void enter(int place) { is_muted = is_off(place); }

}  // namespace plumb::mutants
