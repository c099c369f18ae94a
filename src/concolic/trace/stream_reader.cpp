#include "concolic/trace/stream_reader.h"

#include <fmt/core.h>

#include <cstring>

#include "runtime/concolic/protocol.h"

namespace plumb::concolic {

using instrument::RegionPlan;

void StreamReader::fail(std::string why) {
  if (!has_failed()) problem_ = fmt::format("record at word {} of {}: {}", record_, words_.size(), why);
  at_ = words_.size();
}

bool StreamReader::need(std::uint64_t count) {
  if (count <= words_.size() - at_) return true;
  fail("the stream ends in it");
  return false;
}

std::uint32_t StreamReader::word() { return need(1) ? words_[at_++] : 0; }

std::uint64_t StreamReader::value() {
  const std::uint64_t low = word();
  return low | std::uint64_t{word()} << 32;
}

void StreamReader::bytes(std::uint32_t size, std::vector<std::uint8_t>& to) {
  const std::uint64_t count = (std::uint64_t{size} + 3) / 4;
  to.clear();
  if (!need(count)) return;
  to.resize(size);
  if (size != 0) std::memcpy(to.data(), words_.data() + at_, size);
  at_ += count;
}

std::optional<RecordHead> StreamReader::next() {
  record_ = at_;
  if (has_failed() || at_ == words_.size()) return std::nullopt;
  if (has_ended_) {
    fail("it follows the end of the run");
    return std::nullopt;
  }
  const std::uint32_t head = words_[at_++];
  const RecordHead result{head & 0xffU, head >> 8 & 0xffU, head >> 16};
  if (result.kind < PLUMB_CONSTANT || result.kind > PLUMB_END) {
    fail(fmt::format("there is no record of kind {}", result.kind));
    return std::nullopt;
  }
  has_ended_ = result.kind == PLUMB_END;
  return result;
}

std::uint32_t StreamReader::region() {
  const std::uint32_t index = word();
  if (has_failed()) return 0;
  if (index < subject_.regions.size()) return index;
  fail(fmt::format("there is no region {}", index));
  return 0;
}

bool StreamReader::check_run(const ObjectRun& run, std::uint64_t end_of_last, std::uint32_t size) {
  const bool is_inside = run.offset >= end_of_last && std::uint64_t{run.offset} + run.length <= size;
  const bool is_piece = run.total == 0 ? run.first == 0 : run.total <= 8 && run.first + run.length <= run.total;
  if (is_inside && is_piece && run.length != 0) return true;
  fail("the symbolic bytes of an object overlap or lie outside");
  return false;
}

void StreamReader::object(ObjectRecord& to) {
  to.address = value();
  to.size = word();
  to.known.reset();
  to.bytes.clear();
  to.runs.clear();
  if ((to.size & PLUMB_KNOWN_OBJECT) != 0) {
    to.known = to.size & ~PLUMB_KNOWN_OBJECT;
    to.size = 0;
    return;
  }
  bytes(to.size, to.bytes);
  const std::uint32_t count = word();
  if (!need(std::uint64_t{3} * count)) return;
  std::uint64_t end = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    ObjectRun run;
    run.offset = word();
    run.id = word();
    const std::uint32_t shape = word();
    run.first = shape & 0xffU;
    run.total = shape >> 8 & 0xffU;
    run.length = shape >> 16;
    if (!check_run(run, end, to.size)) return;
    end = std::uint64_t{run.offset} + run.length;
    to.runs.push_back(run);
  }
}

void StreamReader::skip_input() {
  word();
  const std::uint32_t size = word();
  word();
  const std::uint32_t name = word();
  bytes(name, skipped_.bytes);
  bytes(size, skipped_.bytes);
}

void StreamReader::skip_region_enter() {
  const std::uint32_t index = region();
  if (has_failed()) return;
  const RegionPlan& plan = subject_.regions[index];
  const std::uint64_t ins = std::uint64_t{3} * plan.ins.size();
  if (!need(ins)) return;
  at_ += ins;
  for (std::size_t i = 0; i < plan.slots.size() && !has_failed(); ++i) object(skipped_);
}

void StreamReader::skip(const RecordHead& head) {
  std::uint64_t fixed = 0;
  switch (head.kind) {
    case PLUMB_CUT:
    case PLUMB_END:
      break;
    case PLUMB_LOST:
    case PLUMB_ERROR:
      fixed = 1;
      break;
    case PLUMB_CONSTANT:
    case PLUMB_FLOAT:
    case PLUMB_DIVISOR:
    case PLUMB_REGION_EXIT:
      fixed = 2;
      break;
    case PLUMB_READ:
    case PLUMB_BRANCH:
    case PLUMB_SWITCH:
    case PLUMB_ASSUME:
    case PLUMB_CHECK:
      fixed = 3;
      break;
    case PLUMB_OPERATOR:
    case PLUMB_CALL_TARGET:
    case PLUMB_PIN:
      fixed = 4;
      break;
    case PLUMB_WRITE:
      fixed = 6;
      break;
    case PLUMB_OVERFLOW:
      fixed = 8;
      break;
    case PLUMB_DEFECT:
      fixed = 9;
      break;
    case PLUMB_RANGE:
      fixed = 11;
      break;
    case PLUMB_INPUT:
      return skip_input();
    case PLUMB_REGION_ENTER:
      return skip_region_enter();
    default:
      return fail("it is unknown");
  }
  if (!need(fixed)) return;
  at_ += fixed;
  if (head.kind == PLUMB_READ || head.kind == PLUMB_WRITE) object(skipped_);
}

}  // namespace plumb::concolic
