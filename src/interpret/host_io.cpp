#include "interpret/host_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "interpret/machine.h"
#include "term/narrow.h"

namespace plumb::interpret {

namespace {

constexpr std::uint64_t kFirstDescriptor = 3;
constexpr std::uint64_t kFailed = ~std::uint64_t{0};

std::uint64_t real_seconds() { return static_cast<std::uint64_t>(std::time(nullptr)); }

std::uint64_t processor_microseconds() {
  constexpr std::uint64_t kPerSecond = 1'000'000;
  return static_cast<std::uint64_t>(std::clock()) * (kPerSecond / CLOCKS_PER_SEC);
}

}  // namespace

int Machine::host_file(std::uint64_t descriptor) const {
  const std::uint64_t i = descriptor - kFirstDescriptor;
  return i < open_files.size() ? open_files[i] : -1;
}

Decoded* host_read(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t descriptor = m.argument(at, 0);
  const std::uint64_t size = m.argument(at, 2);
  std::uint64_t count = 0;
  if (size > 0) {
    // Of a buffer that is not filled, the rest stays as it was.
    std::vector<std::uint8_t> undefined;
    if (m.definedness != nullptr) undefined = m.definedness->bits(m.argument(at, 1), size);
    std::uint8_t* to = m.block(at, m.argument(at, 1), size, AccessKind::Write);
    if (to == nullptr) {
      count = kFailed;
    } else if (descriptor == 0) {
      count = m.options.standard_input ? m.options.standard_input({to, size}) : 0;
    } else {
      count = static_cast<std::uint64_t>(::read(m.host_file(descriptor), to, size));
    }
    const std::uint64_t filled = count == kFailed ? 0 : count;
    if (!undefined.empty()) m.definedness->store_bits(m.argument(at, 1) + filled, std::span(undefined).subspan(filled));
  }
  m.give(at, count);
  return at + 1;
}

Decoded* host_write(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t descriptor = m.argument(at, 0);
  const std::uint64_t size = m.argument(at, 2);
  std::uint64_t count = size;
  if (size > 0) {
    const std::uint8_t* from = m.block(at, m.argument(at, 1), size, AccessKind::Read);
    if (m.definedness != nullptr) m.definedness->check_memory(at, m.argument(at, 1), size, "what is written");
    if (from == nullptr) {
      count = kFailed;
    } else if (descriptor == 1 || descriptor == 2) {
      if (m.options.output) m.options.output(static_cast<int>(descriptor), {reinterpret_cast<const char*>(from), size});
    } else {
      count = static_cast<std::uint64_t>(::write(m.host_file(descriptor), from, size));
    }
  }
  m.give(at, count);
  return at + 1;
}

Decoded* host_open(Decoded* at, std::uint64_t*, Machine& m) {
  const std::string path = m.text_at(at, m.argument(at, 0));
  int flags = O_RDONLY;
  if (m.argument(at, 1) == 1) flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (m.argument(at, 1) == 2) flags = O_WRONLY | O_CREAT | O_APPEND;
  flags |= O_CLOEXEC;
  const int file = m.options.open_file ? m.options.open_file(path, flags) : -1;
  if (file < 0) {
    m.give(at, kFailed);
    return at + 1;
  }
  m.open_files.push_back(file);
  m.give(at, kFirstDescriptor + m.open_files.size() - 1);
  return at + 1;
}

Decoded* host_close(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t descriptor = m.argument(at, 0);
  const int file = m.host_file(descriptor);
  if (file < 0) {
    m.give(at, descriptor < kFirstDescriptor ? 0 : kFailed);
    return at + 1;
  }
  m.open_files[descriptor - kFirstDescriptor] = -1;
  m.give(at, ::close(file) == 0 ? 0 : kFailed);
  return at + 1;
}

Decoded* host_seek(Decoded* at, std::uint64_t*, Machine& m) {
  const int whence = static_cast<int>(m.argument(at, 2));
  m.give(at, static_cast<std::uint64_t>(
                 ::lseek(m.host_file(m.argument(at, 0)), static_cast<off_t>(m.argument(at, 1)), whence)));
  return at + 1;
}

/// The test's, or the real one.
Decoded* host_clock(Decoded* at, std::uint64_t*, Machine& m) {
  const std::uint64_t which = m.argument(at, 0);
  std::uint64_t value = which == 0 ? real_seconds() : which == 1 ? processor_microseconds() : 0;
  result::TestInput input{m.program.message_of(m.source(at)), {}};
  std::optional<std::vector<std::uint8_t>> given;
  if (m.options.inputs && !input.name.empty()) given = m.options.inputs(input.name, sizeof value);
  if (given) std::memcpy(&value, given->data(), std::min(given->size(), sizeof value));
  if (!input.name.empty()) {
    input.bytes.resize(sizeof value);
    std::memcpy(input.bytes.data(), &value, sizeof value);
    m.result.inputs.push_back(std::move(input));
    if (m.options.on_input) m.options.on_input(m.stack(at), m.result.inputs.back());
  }
  m.give(at, value);
  return at + 1;
}

Decoded* host_any(Decoded* at, std::uint64_t*, Machine& m) {
  m.give(at, m.argument(at, 0));
  return at + 1;
}

Decoded* host_gap(Decoded* at, std::uint64_t*, Machine& m) {
  m.assume(m.text_at(at, m.argument(at, 0)) + " is what plumb chose");
  return at + 1;
}

}  // namespace plumb::interpret
