#include "cli/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace plumb::cli {

// The base is made before the buffer, so it gets the buffer's address first and its state afterwards.
Output::Output(int descriptor) : std::ostream(nullptr), buffer_(descriptor) {
  rdbuf(&buffer_);
  exceptions(std::ios::badbit | std::ios::failbit);
}

Output::Buffer::Buffer(int descriptor) : descriptor_(descriptor) { setp(data_.data(), data_.data() + data_.size()); }

Output::Buffer::int_type Output::Buffer::overflow(int_type c) {
  sync();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int Output::Buffer::sync() {
  const char* from = pbase();
  const char* const end = pptr();
  setp(data_.data(), data_.data() + data_.size());  // what fails is not tried again
  while (from < end) {
    const ssize_t written = ::write(descriptor_, from, static_cast<std::size_t>(end - from));
    if (written >= 0) {
      from += written;
    } else if (errno == EPIPE) {
      throw OutputClosed{};
    } else if (errno != EINTR) {
      throw UserError(fmt::format("cannot write the output: {}", std::strerror(errno)));
    }
  }
  return 0;
}

}  // namespace plumb::cli
