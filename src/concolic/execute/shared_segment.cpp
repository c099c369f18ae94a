#include "concolic/execute/shared_segment.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>

#include "base/error.h"

namespace plumb::concolic {

namespace {

constexpr std::uint64_t kPage = 4096;

constexpr std::uint64_t pages(std::uint64_t size) {
  return (std::max<std::uint64_t>(size, 1) + kPage - 1) / kPage * kPage;
}
constexpr std::uint64_t words(std::uint64_t bytes) { return (bytes + 3) / 4; }

plumb_shared lay_out(std::uint32_t edges, std::uint32_t regions, std::uint32_t stream_words,
                     std::uint64_t input_bytes) {
  plumb_shared layout{};
  std::uint64_t end = pages(sizeof(plumb_shared));
  const auto place = [&end](std::uint64_t size) {
    const std::uint64_t start = end;
    end += pages(size);
    return static_cast<std::uint32_t>(start);
  };
  layout.magic = PLUMB_MAGIC;
  layout.version = PLUMB_PROTOCOL_VERSION;
  layout.coverage_offset = place(edges);
  layout.coverage_size = static_cast<std::uint32_t>(pages(edges));
  layout.modes_offset = place(regions);
  layout.modes_size = static_cast<std::uint32_t>(pages(regions));
  layout.inputs_offset = place(input_bytes);
  layout.inputs_capacity = static_cast<std::uint32_t>(pages(input_bytes));
  layout.stream_offset = place(std::uint64_t{4} * stream_words);
  layout.stream_capacity = stream_words;
  if (end > std::numeric_limits<std::uint32_t>::max()) {
    throw UserError(fmt::format("cannot share {} bytes with the program under test: 4 GiB are the most", end),
                    "limit the size of inputs or of the trace of a run");
  }
  layout.segment_size = static_cast<std::uint32_t>(end);
  return layout;
}

[[noreturn]] void fail(const char* step, std::uint64_t size) {
  throw UserError(fmt::format("cannot {} {} bytes of memory to share with the program under test: {}", step, size,
                              std::generic_category().message(errno)));
}

}  // namespace

SharedSegment::SharedSegment(std::uint32_t edges, std::uint32_t regions, std::uint32_t stream_words,
                             std::uint64_t input_bytes)
    : layout_(lay_out(edges, regions, stream_words, input_bytes)), edges_(edges), regions_(regions) {
  const std::uint64_t size = layout_.segment_size;
  file_ = FileDescriptor(memfd_create("plumb", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file_.is_open() || ftruncate(file_.get(), static_cast<off_t>(size)) != 0) fail("reserve", size);
  if (fcntl(file_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) fail("seal", size);
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) fail("map", size);
  memory_ = static_cast<std::uint8_t*>(memory);
  coverage_.resize(edges);
}

SharedSegment::~SharedSegment() { munmap(memory_, layout_.segment_size); }

std::uint64_t SharedSegment::input_size(std::span<const result::TestInput> inputs) {
  std::uint64_t size = 0;
  for (const result::TestInput& input : inputs) size += 4 * (1 + words(input.bytes.size()));
  return size;
}

void SharedSegment::prepare(const RunRequest& request, const RunLimits& limits, std::uint32_t run) {
  std::uint8_t* to = memory_ + layout_.inputs_offset;
  for (const result::TestInput& input : request.inputs) {
    const auto size = static_cast<std::uint32_t>(input.bytes.size());
    std::memcpy(to, &size, sizeof size);
    if (size != 0) std::memcpy(to + sizeof size, input.bytes.data(), size);
    to += 4 * (1 + words(size));
  }
  std::memset(memory_ + layout_.coverage_offset, 0, edges_);
  std::uint8_t* const modes = memory_ + layout_.modes_offset;
  const std::size_t given = std::min<std::size_t>(request.modes.size(), regions_);
  if (given != 0) std::memcpy(modes, request.modes.data(), given);
  std::memset(modes + given, 0, regions_ - given);

  plumb_shared header = layout_;
  header.inputs_size = static_cast<std::uint32_t>(to - (memory_ + layout_.inputs_offset));
  header.random_low = static_cast<std::uint32_t>(request.random_seed);
  header.random_high = static_cast<std::uint32_t>(request.random_seed >> 32);
  header.max_inputs = limits.max_inputs;
  header.max_nodes = request.max_nodes != 0 ? request.max_nodes : limits.max_nodes;
  header.max_object = limits.max_object;
  header.processes = limits.processes;
  header.run = run;
  std::memcpy(memory_, &header, sizeof header);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

SharedSegment::Outcome SharedSegment::collect() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  plumb_shared header;
  std::memcpy(&header, memory_, sizeof header);
  Outcome outcome;
  outcome.is_sane = header.magic == PLUMB_MAGIC && header.stream_words <= layout_.stream_capacity;
  const std::uint32_t size = outcome.is_sane ? header.stream_words : 0;
  stream_.resize(size);
  if (size != 0) std::memcpy(stream_.data(), memory_ + layout_.stream_offset, std::size_t{4} * size);
  if (edges_ != 0) std::memcpy(coverage_.data(), memory_ + layout_.coverage_offset, edges_);
  outcome.has_ended = header.ended != 0;
  outcome.fault_address = header.fault_address_low | std::uint64_t{header.fault_address_high} << 32;
  outcome.processes_left = header.processes;
  return outcome;
}

}  // namespace plumb::concolic
