#pragma once

#include <array>
#include <ostream>
#include <streambuf>

namespace plumb::cli {

/// Thrown when the reader of our output has gone: the program ends without a word.
struct OutputClosed {};

/// A stream onto a file descriptor that does not lose errors: a write that fails throws, OutputClosed for a closed pipe
/// and UserError (disk full, …) otherwise. The destructor does not flush: an end by exception prints no more. Not
/// thread-safe.
class Output : public std::ostream {
 public:
  explicit Output(int descriptor);

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(int descriptor);

   protected:
    int_type overflow(int_type c) override;
    int sync() override;

   private:
    int descriptor_;
    std::array<char, 1 << 16> data_;
  };
  Buffer buffer_;
};

}  // namespace plumb::cli
