#include "unit/concolic/runtime_harness.h"

#include <array>
#include <stdexcept>

#include "term/op.h"

extern "C" {
#include "runtime/checks/checks.h"
#include "runtime/concolic/shadow.h"
}

static_assert(PLUMB_OP_CONCAT == static_cast<int>(plumb::term::Op::Concat));
static_assert(PLUMB_OP_EXTRACT == static_cast<int>(plumb::term::Op::Extract));
static_assert(PLUMB_OP_ITE == static_cast<int>(plumb::term::Op::Ite));

namespace {
std::array<std::array<std::uint8_t, 40>, plumb::concolic::runtime_test::kGlobalCount> globals;
}  // namespace

// In no order, and with gaps.
const plumb_global __plumb_globals[] = {{globals[3].data(), 40},
                                        {globals[0].data(), 17},
                                        {globals[4].data(), 1},
                                        {globals[1].data(), 40},
                                        {globals[2].data(), 8}};
const std::uint32_t __plumb_global_count = plumb::concolic::runtime_test::kGlobalCount;
const plumb_padded_global __plumb_padded_globals[1] = {};
const std::uint32_t __plumb_padded_global_count = 0;

namespace plumb::concolic::runtime_test {
namespace {

std::vector<std::uint32_t> buffer;
std::vector<std::uint32_t> given;
std::uint32_t published = 0;
std::jmp_buf exit_point;
Ended ended;
bool abort_is_handled = false;

}  // namespace

extern "C" {
static int make_room(std::uint32_t /*words*/) { return 0; }
static int is_abort_handled() { return abort_is_handled ? 1 : 0; }

static void end_run(std::uint32_t code) {
  ended = {.is_error = false, .code = code};
  std::longjmp(exit_point, 1);
}

static void fail_run(std::uint32_t error) {
  ended = {.is_error = true, .code = error};
  std::longjmp(exit_point, 1);
}

extern const struct plumb_transport plumb_transport;  // a constant would be this file's own
const struct plumb_transport plumb_transport = {make_room, end_run, fail_run, is_abort_handled};
}

void start_run(const Settings& settings) {
  abort_is_handled = settings.abort_is_handled;
  plumb_recording = 0;
  plumb_is_cut = 0;
  plumb_reset_shadow();
  plumb_forget_constants();
  plumb_begin_checks();
  plumb_prepare_objects();
  __plumb_stack_top = 0;
  buffer.assign(settings.stream_words, 0xdeadbeef);
  given = settings.given;
  published = 0;
  plumb_state = {};
  plumb_state.stream = buffer.data();
  plumb_state.capacity = settings.stream_words - PLUMB_RESERVED_WORDS;
  plumb_state.published = &published;
  plumb_state.next_id = 1;
  plumb_state.max_inputs = settings.max_inputs;
  plumb_state.max_nodes = settings.max_nodes;
  plumb_state.max_object = settings.max_object;
  plumb_state.given = reinterpret_cast<const std::uint8_t*>(given.data());
  plumb_state.given_size = static_cast<std::uint32_t>(4 * given.size());
  plumb_state.random_low = static_cast<std::uint32_t>(settings.random_seed);
  plumb_state.random_high = static_cast<std::uint32_t>(settings.random_seed >> 32);
  plumb_recording = 1;
}

std::vector<std::uint32_t> stream() { return {buffer.begin(), buffer.begin() + published}; }
std::uint32_t reserved_words() { return PLUMB_RESERVED_WORDS; }
std::jmp_buf& way_out() { return exit_point; }
Ended how_it_ended() { return ended; }
const plumb_global& global(std::size_t index) { return __plumb_globals[index]; }

Object find_object(std::uintptr_t address, std::size_t size) {
  const plumb_object found = plumb_find_object(reinterpret_cast<const void*>(address), size);
  return {reinterpret_cast<std::uintptr_t>(found.base), found.size};
}
bool add_heap_object(std::uintptr_t base, std::size_t size) {
  return plumb_add_heap_object(reinterpret_cast<const void*>(base), size) != 0;
}
std::size_t remove_heap_object(std::uintptr_t base) {
  return plumb_remove_heap_object(reinterpret_cast<const void*>(base));
}
std::uint32_t free_granules() { return plumb_free_granules(); }
bool filter_is_set(const void* address) {
  return __plumb_filter[(reinterpret_cast<std::uintptr_t>(address) >> PLUMB_GRANULE_BITS) & (PLUMB_FILTER_SIZE - 1)] !=
         0;
}

// --- Decoder ---

namespace {
void require(bool condition, const char* message) {
  if (!condition) throw std::runtime_error(message);
}
}  // namespace

Decoder::Decoder(std::vector<std::uint32_t> words, std::map<std::uint32_t, Region> regions)
    : words_(std::move(words)), regions_(std::move(regions)) {
  while (position_ < words_.size()) take_record();
}

std::vector<Record> Decoder::of_kind(std::uint32_t kind) const {
  std::vector<Record> found;
  for (const Record& record : records_)
    if (record.kind == kind) found.push_back(record);
  return found;
}

std::uint32_t Decoder::take() {
  require(position_ < words_.size(), "a record breaks off");
  return words_[position_++];
}

std::uint32_t Decoder::take_id(bool may_be_zero) {
  const std::uint32_t id = take();
  require(id < widths_.size() && (may_be_zero || id != 0), "an id that was not made");
  return id;
}

void Decoder::take_words(Record& record, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) record.words.push_back(take());
}

void Decoder::take_packed(Record& record, std::uint32_t size) { take_words(record, (size + 3) / 4); }

void Decoder::take_run(DecodedObject& object, std::uint32_t& end) {
  const std::uint32_t offset = take();
  const std::uint32_t id = take_id();
  const std::uint32_t packed = take();
  const std::uint32_t first = packed & 255;
  const std::uint32_t total = packed >> 8 & 255;
  const std::uint32_t length = packed >> 16;
  require(offset >= end && length > 0 && offset + length <= object.size, "runs rise and lie in the object");
  end = offset + length;
  for (std::uint32_t i = 0; i < length; ++i) {
    const std::uint32_t of_byte = total == 0 ? id + i : id;
    const std::uint32_t index = total == 0 ? 0 : first + i;
    require(of_byte < widths_.size() && widths_[of_byte] == 8 * (total == 0 ? 1 : total), "a run fits its expression");
    require(total != 0 || first == 0, "a run of bytes has no first");
    object.terms[offset + i] = values_[of_byte].at(index);
  }
}

DecodedObject Decoder::take_object() {
  DecodedObject object;
  object.address = take();
  object.address |= std::uint64_t{take()} << 32;
  object.size = take();
  if ((object.size & PLUMB_KNOWN_OBJECT) != 0) {
    object.is_known = true;
    object.size &= ~PLUMB_KNOWN_OBJECT;
    return object;
  }
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < object.size; ++i) {
    if (i % 4 == 0) word = take();
    object.bytes.push_back(static_cast<std::uint8_t>(word >> 8 * (i % 4)));
    object.terms.push_back({.leaf = 0, .index = object.bytes.back()});
  }
  object.run_count = take();
  std::uint32_t end = 0;
  for (std::uint32_t i = 0; i < object.run_count; ++i) take_run(object, end);
  return object;
}

void Decoder::make(Record& record, std::uint32_t count, std::uint32_t width) {
  record.first_id = static_cast<std::uint32_t>(widths_.size());
  record.makes = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<ByteTerm> value;
    for (std::uint32_t byte = 0; 8 * byte < width; ++byte)
      value.push_back({.leaf = record.first_id + i, .index = byte});
    widths_.push_back(width);
    values_.push_back(std::move(value));
  }
}

void Decoder::take_operator(Record& record) {
  const std::uint32_t parameter = take();
  const std::uint32_t a = take_id();
  const std::uint32_t b = take_id(true);
  const std::uint32_t c = take_id(true);
  record.words = {parameter, a, b, c};
  make(record, 1, record.width);
  std::vector<ByteTerm>& value = values_.back();
  if (record.code == static_cast<std::uint32_t>(term::Op::Concat)) {
    require(widths_[a] + widths_[b] == record.width, "a concatenation has the width of its operands");
    value = values_[b];
    value.insert(value.end(), values_[a].begin(), values_[a].end());
  } else if (record.code == static_cast<std::uint32_t>(term::Op::Extract)) {
    require(parameter + record.width <= widths_[a] && parameter % 8 == 0, "an extract lies in its operand");
    value.assign(values_[a].begin() + parameter / 8, values_[a].begin() + (parameter + record.width) / 8);
  }
}

void Decoder::take_node(Record& record) {
  switch (record.kind) {
    case PLUMB_CONSTANT:
      take_words(record, 2);
      require(record.width >= 1 && record.width <= 64, "a constant has 1 to 64 bits");
      make(record, 1, record.width);
      for (std::uint32_t i = 0; 8 * i < record.width; ++i)
        values_.back()[i] = {.leaf = 0, .index = record.words[i / 4] >> 8 * (i % 4) & 255};
      break;
    case PLUMB_OPERATOR:
      take_operator(record);
      break;
    case PLUMB_FLOAT:
      record.words = {take_id(), take_id()};
      make(record, 1, 1);
      break;
    case PLUMB_INPUT: {
      take_words(record, 4);
      const auto [index, size, element, length] =
          std::array{record.words[0], record.words[1], record.words[2], record.words[3]};
      require(element > 0 && size % element == 0, "elements divide an input");
      take_packed(record, length);
      take_packed(record, size);
      make(record, size / element, 8 * element);
      break;
    }
    case PLUMB_READ:
      record.words = {take_id()};
      take_words(record, 2);
      record.objects.push_back(take_object());
      make(record, 1, record.width);
      break;
    case PLUMB_WRITE:
      record.words = {take_id()};
      take_words(record, 2);
      record.words.push_back(take_id(true));
      take_words(record, 2);
      record.objects.push_back(take_object());
      make(record, record.objects.back().size, 8);
      break;
    default:
      take_words(record, 2);
      make(record, regions_.at(record.words[0]).makes, 32);
      break;
  }
}

void Decoder::take_event(Record& record) {
  switch (record.kind) {
    case PLUMB_BRANCH:
    case PLUMB_SWITCH:
    case PLUMB_ASSUME:
    case PLUMB_CHECK:
      take_words(record, 2);
      record.words.push_back(take_id());
      break;
    case PLUMB_CALL_TARGET:
    case PLUMB_PIN:
      take_words(record, 1);
      record.words.push_back(take_id());
      take_words(record, 2);
      break;
    case PLUMB_DIVISOR:
      take_words(record, 1);
      record.words.push_back(take_id());
      break;
    case PLUMB_RANGE:
      take_words(record, 3);
      record.words.push_back(take_id(true));
      take_words(record, 4);
      record.words.push_back(take_id(true));
      take_words(record, 2);
      break;
    case PLUMB_OVERFLOW:
      take_words(record, 2);
      for (int i = 0; i < 2; ++i) {
        record.words.push_back(take_id(true));
        take_words(record, 2);
      }
      break;
    case PLUMB_DEFECT:
      take_words(record, 9);
      break;
    case PLUMB_CUT:
      break;
    case PLUMB_LOST:
    case PLUMB_ERROR:
      take_words(record, 1);
      break;
    case PLUMB_REGION_ENTER: {
      take_words(record, 1);
      const Region& region = regions_.at(record.words[0]);
      for (std::uint32_t i = 0; i < region.ins; ++i) {
        record.words.push_back(take_id(true));
        take_words(record, 2);
      }
      for (std::uint32_t i = 0; i < region.slots; ++i) record.objects.push_back(take_object());
      break;
    }
    case PLUMB_END:
      require(position_ == words_.size(), "the end is the last record");
      break;
    default:
      require(false, "a record of no known kind");
  }
}

void Decoder::take_record() {
  const std::uint32_t head = take();
  Record record;
  record.kind = head & 255;
  record.code = head >> 8 & 255;
  record.width = head >> 16;
  if (record.kind >= PLUMB_CONSTANT && record.kind <= PLUMB_REGION_EXIT) {
    take_node(record);
  } else {
    take_event(record);
  }
  records_.push_back(std::move(record));
}

}  // namespace plumb::concolic::runtime_test
