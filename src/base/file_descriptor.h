#pragma once

#include <unistd.h>

#include <utility>

namespace plumb {

/// Owns an open file descriptor; -1 is none.
class FileDescriptor {
 public:
  FileDescriptor() noexcept = default;
  explicit FileDescriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const noexcept { return descriptor_; }
  bool is_open() const noexcept { return descriptor_ >= 0; }
  void close() noexcept {
    if (is_open()) ::close(std::exchange(descriptor_, -1));
  }

 private:
  int descriptor_ = -1;
};

}  // namespace plumb
