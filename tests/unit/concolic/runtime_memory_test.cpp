#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <random>

#include "term/op.h"
#include "unit/concolic/runtime_harness.h"

namespace plumb::concolic::runtime_test {
namespace {

plumb_id fresh(std::uint32_t size) {
  __plumb_nondet(size, "x");
  return __plumb_results[0];
}

/// Shadow memory as it is meant: one entry a byte, kept in a map.
class ModelMemory {
 public:
  void store(const std::uint8_t* at, std::uint32_t size, plumb_id id) {
    for (std::uint32_t i = 0; i < size; ++i) set(at + i, id, i);
  }
  void fill(const std::uint8_t* at, std::size_t size, plumb_id id) {
    for (std::size_t i = 0; i < size; ++i) set(at + i, id, 0);
  }
  void copied(const std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
    const std::map<const std::uint8_t*, Entry> before = entries_;
    for (std::size_t i = 0; i < size; ++i) {
      const auto it = before.find(from + i);
      entries_.erase(to + i);
      if (it != before.end() && it->second.value == to[i]) entries_[to + i] = it->second;
    }
  }
  /// What a load gives; forgets bytes that others have overwritten.
  std::vector<ByteTerm> load(const std::uint8_t* at, std::size_t size) {
    std::vector<ByteTerm> made;
    for (std::size_t i = 0; i < size; ++i) {
      const auto it = entries_.find(at + i);
      if (it != entries_.end() && it->second.value != at[i]) entries_.erase(it);
      const auto found = entries_.find(at + i);
      made.push_back(found == entries_.end() ? ByteTerm{0, at[i]} : found->second.term);
    }
    return made;
  }
  bool filter_misses_nothing() const {
    return std::ranges::all_of(entries_, [](const auto& entry) { return filter_is_set(entry.first); });
  }

 private:
  struct Entry {
    ByteTerm term;
    std::uint8_t value = 0;
  };
  void set(const std::uint8_t* at, plumb_id id, std::uint32_t index) {
    entries_.erase(at);
    if (id != 0) entries_[at] = {{id, index}, *at};
  }
  std::map<const std::uint8_t*, Entry> entries_;
};

bool is_symbolic(const std::vector<ByteTerm>& bytes) {
  return std::ranges::any_of(bytes, [](const ByteTerm& byte) { return byte.leaf != 0; });
}

/// Random accesses to a few granules, the runtime beside the model.
class RandomAccesses {
 public:
  explicit RandomAccesses(std::uint32_t seed) : random_(seed) {
    start_run({.stream_words = 1U << 22, .max_inputs = 1U << 20});
    for (const std::uint32_t size : {1U, 2U, 4U, 8U})
      for (int i = 0; i < 3; ++i) leaves_[size].push_back(fresh(size));
  }

  void step() {
    switch (below(7)) {
      case 0:
      case 1:
        return store();
      case 2:
        return copy();
      case 3:
        return fill();
      case 4:
        memory_[below(memory_.size())] = static_cast<std::uint8_t>(random_());  // behind the runtime's back
        return;
      default:
        return load();
    }
  }

  /// After the run, since the decoder reads all of it.
  void check_loads() const {
    const Decoder decoder(stream());
    for (const auto& [id, bytes] : loads_) ASSERT_EQ(decoder.bytes(id), bytes);
  }

  void clear_everything() { __plumb_cleared(memory_.data(), memory_.size()); }
  bool filter_misses_nothing() const { return model_.filter_misses_nothing(); }
  bool filter_is_empty() const {
    return std::ranges::none_of(memory_, [](const std::uint8_t& byte) { return filter_is_set(&byte); });
  }
  std::size_t load_count() const { return loads_.size(); }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  void store() {
    const std::uint32_t size = 1U << below(4);
    std::uint8_t* at = memory_.data() + below(memory_.size() - size + 1);
    const plumb_id id = below(3) == 0 ? 0 : leaves_[size][below(3)];
    for (std::uint32_t i = 0; i < size; ++i) at[i] = static_cast<std::uint8_t>(random_());
    // As instrumented code does: only if the shadow or the filter says so.
    if (id != 0 || filter_is_set(at) || filter_is_set(at + size - 1)) __plumb_store(at, size, id);
    model_.store(at, size, id);
  }

  void copy() {
    const std::size_t size = below(memory_.size() / 2);
    std::uint8_t* to = memory_.data() + below(memory_.size() - size + 1);
    const std::uint8_t* from = memory_.data() + below(memory_.size() - size + 1);
    std::memmove(to, from, size);
    __plumb_copied(to, from, size);
    model_.copied(to, from, size);
  }

  void fill() {
    const std::size_t size = below(150);
    std::uint8_t* to = memory_.data() + below(memory_.size() - size + 1);
    const plumb_id id = below(2) == 0 ? 0 : leaves_[1][below(3)];
    std::memset(to, static_cast<int>(below(256)), size);
    if (id == 0 && below(2) == 0) {
      __plumb_cleared(to, size);
    } else {
      __plumb_filled(to, size, id);
    }
    model_.fill(to, size, id);
  }

  void load() {
    const std::uint32_t size = 1 + static_cast<std::uint32_t>(below(8));
    const std::uint8_t* at = memory_.data() + below(memory_.size() - size + 1);
    const plumb_id id = __plumb_load(at, size);
    const std::vector<ByteTerm> bytes = model_.load(at, size);
    ASSERT_EQ(id != 0, is_symbolic(bytes));
    if (id != 0) loads_.emplace_back(id, bytes);
  }

  std::mt19937 random_;
  alignas(64) std::array<std::uint8_t, 400> memory_{};
  std::map<std::uint32_t, std::vector<plumb_id>> leaves_;
  ModelMemory model_;
  std::vector<std::pair<plumb_id, std::vector<ByteTerm>>> loads_;
};

TEST(RuntimeMemory, LoadsGiveWhatAMapOfBytesGivesOnRandomAccesses) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RandomAccesses accesses(seed);
    for (int i = 0; i < 1500 && !::testing::Test::HasFailure(); ++i) {
      accesses.step();
      if (i % 16 == 0) {
        ASSERT_TRUE(accesses.filter_misses_nothing()) << seed << ' ' << i;
      }
    }
    accesses.check_loads();
    ASSERT_GT(accesses.load_count(), 100U);
    ASSERT_FALSE(::testing::Test::HasFailure()) << seed;
  }
}

TEST(RuntimeMemory, FilterIsEmptyAgainWhenNothingIsSymbolic) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    RandomAccesses accesses(seed);
    const std::uint32_t free_before = free_granules();
    for (int i = 0; i < 300; ++i) accesses.step();
    accesses.clear_everything();
    EXPECT_TRUE(accesses.filter_is_empty());
    EXPECT_EQ(free_granules(), free_before);
  }
}

TEST(RuntimeMemory, AWordStoredIsTheWordLoaded) {
  start_run();
  alignas(64) std::array<std::uint8_t, 128> memory{};
  for (const std::uint32_t size : {1U, 2U, 4U, 8U})
    for (const std::size_t offset : {0U, 5U, 56U}) {
      const plumb_id id = fresh(size);
      __plumb_store(memory.data() + offset, size, id);
      const std::size_t words = stream().size();
      EXPECT_EQ(__plumb_load(memory.data() + offset, size), id);
      EXPECT_EQ(stream().size(), words);
    }
  // Across granules too.
  const plumb_id id = fresh(8);
  __plumb_store(memory.data() + 60, 8, id);
  EXPECT_EQ(__plumb_load(memory.data() + 60, 8), id);
}

TEST(RuntimeMemory, AByteThatForeignCodeChangedIsConcrete) {
  start_run();
  std::uint32_t word = 0x01020304;
  __plumb_store(&word, 4, fresh(4));
  reinterpret_cast<std::uint8_t*>(&word)[2] ^= 1;
  const plumb_id id = __plumb_load(&word, 4);
  const std::vector<ByteTerm> bytes = Decoder(stream()).bytes(id);
  EXPECT_EQ(bytes, (std::vector<ByteTerm>{{1, 0}, {1, 1}, {0, 0x03}, {1, 3}}));
}

TEST(RuntimeMemory, FilterNeverMissesAGranuleOfASlotThatManyShare) {
  start_run({.stream_words = 1U << 16});
  constexpr std::size_t kStride = std::size_t{PLUMB_FILTER_SIZE} << PLUMB_GRANULE_BITS;
  constexpr std::size_t kSharing = 300;
  void* mapped =
      mmap(nullptr, kStride * kSharing, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  auto* memory = static_cast<std::uint8_t*>(mapped);
  const plumb_id id = fresh(1);
  for (std::size_t i = 0; i < kSharing; ++i) __plumb_store(memory + i * kStride, 1, id);
  for (std::size_t i = 0; i + 1 < kSharing; ++i) __plumb_store(memory + i * kStride, 1, 0);
  EXPECT_TRUE(filter_is_set(memory));
  EXPECT_EQ(__plumb_load(memory + (kSharing - 1) * kStride, 1), id);
  EXPECT_EQ(__plumb_load(memory, 1), 0U);
  munmap(mapped, kStride * kSharing);
}

TEST(RuntimeMemory, AFullArenaIsCountedAndItsDataConcrete) {
  start_run({.stream_words = 1U << 20});
  std::vector<std::uint8_t> memory(64 * (std::size_t{free_granules()} + 100));
  const plumb_id id = fresh(1);
  for (std::size_t i = 0; i < memory.size(); i += 64) __plumb_store(memory.data() + i, 1, id);
  EXPECT_EQ(free_granules(), 0U);
  const Decoder decoder(stream());
  EXPECT_GE(decoder.of_kind(PLUMB_LOST).size(), 99U);
  EXPECT_EQ(decoder.of_kind(PLUMB_LOST)[0].code, static_cast<std::uint32_t>(PLUMB_PIN_FULL));
  EXPECT_EQ(__plumb_load(memory.data(), 1), id);
  EXPECT_EQ(__plumb_load(memory.data() + memory.size() - 64, 1), 0U);
  // Room that is given back is used again; copies and fills without room are counted too.
  __plumb_copied(memory.data() + memory.size() - 64, memory.data(), 64);
  __plumb_filled(memory.data() + memory.size() - 64, 64, id);
  EXPECT_EQ(Decoder(stream()).of_kind(PLUMB_LOST).size(), decoder.of_kind(PLUMB_LOST).size() + 2);
  __plumb_cleared(memory.data(), 64);
  __plumb_store(memory.data() + memory.size() - 64, 1, id);
  EXPECT_EQ(__plumb_load(memory.data() + memory.size() - 64, 1), id);
}

// --- Symbolic addresses ---

class RuntimeAccess : public ::testing::Test {
 protected:
  void SetUp() override {
    start_run();
    for (std::size_t i = 0; i < object_.size(); ++i) object_[i] = static_cast<std::uint8_t>(i);
    address_id_ = fresh(8);
  }

  alignas(64) std::array<std::uint8_t, 100> object_{};
  plumb_id address_id_ = 0;
};

TEST_F(RuntimeAccess, AReadShowsTheWholeObject) {
  const plumb_id word = fresh(4);
  __plumb_store(object_.data() + 62, 4, word);
  __plumb_make_symbolic(object_.data() + 10, 20, "bytes", 1);
  const plumb_id id = __plumb_read(7, address_id_, object_.data() + 4, 2, object_.data(), object_.size(), 0);
  const Decoder decoder(stream());
  const Record read = decoder.of_kind(PLUMB_READ).at(0);
  EXPECT_EQ(read.first_id, id);
  EXPECT_EQ(read.width, 16U);
  EXPECT_EQ(read.words[0], address_id_);
  const DecodedObject& object = read.objects.at(0);
  EXPECT_EQ(object.address, reinterpret_cast<std::uintptr_t>(object_.data()));
  EXPECT_EQ(object.bytes, std::vector<std::uint8_t>(object_.begin(), object_.end()));
  for (std::uint32_t i = 0; i < object.size; ++i) {
    const plumb_id first_byte = decoder.of_kind(PLUMB_INPUT).at(2).first_id;
    const ByteTerm expected = i >= 62 && i < 66   ? ByteTerm{word, i - 62}
                              : i >= 10 && i < 30 ? ByteTerm{first_byte + i - 10, 0}
                                                  : ByteTerm{0, object_[i]};
    EXPECT_EQ(object.terms[i], expected) << i;
  }
  EXPECT_EQ(object.run_count, 2U);
}

TEST_F(RuntimeAccess, ALargeObjectOfSymbolicBytesIsAFewRuns) {
  start_run({.max_object = 100'000});
  std::vector<std::uint8_t> large(70'000);
  __plumb_make_symbolic(large.data(), large.size(), "large", 1);
  __plumb_read(7, 1, large.data(), 1, large.data(), large.size(), 0);
  const DecodedObject object = Decoder(stream()).of_kind(PLUMB_READ).at(0).objects.at(0);
  EXPECT_EQ(object.run_count, 2U);  // a run has at most 65535 bytes
  for (std::uint32_t i = 0; i < object.size; ++i) ASSERT_EQ(object.terms[i], (ByteTerm{1 + i, 0}));
}

TEST_F(RuntimeAccess, AReadOfAConstantNamesIt) {
  __plumb_read(7, address_id_, object_.data(), 1, object_.data(), object_.size(), 5);
  const DecodedObject object = Decoder(stream()).of_kind(PLUMB_READ).at(0).objects.at(0);
  EXPECT_TRUE(object.is_known);
  EXPECT_EQ(object.size, 4U);
}

TEST_F(RuntimeAccess, AWriteGivesEveryByteOfTheObjectAnExpression) {
  const plumb_id value = fresh(4);
  const std::uint32_t number = 0xaabbccdd;
  __plumb_write(7, address_id_, object_.data() + 40, 4, value, number, object_.data(), object_.size());
  std::memcpy(object_.data() + 40, &number, 4);
  const Decoder decoder(stream());
  const Record write = decoder.of_kind(PLUMB_WRITE).at(0);
  EXPECT_EQ(write.words,
            (std::vector<std::uint32_t>{
                address_id_, static_cast<std::uint32_t>(std::bit_cast<std::uintptr_t>(object_.data() + 40)),
                static_cast<std::uint32_t>(std::uint64_t{std::bit_cast<std::uintptr_t>(object_.data() + 40)} >> 32),
                value, number, 0}));
  EXPECT_EQ(write.objects[0].bytes[40], 40);  // the content before
  for (std::uint32_t i = 0; i < object_.size(); ++i) EXPECT_EQ(__plumb_load(&object_[i], 1), write.first_id + i) << i;
}

TEST_F(RuntimeAccess, AnAddressOutsideAnyFittingObjectIsPinned) {
  const plumb_id stored = fresh(4);
  __plumb_store(object_.data() + 8, 4, stored);
  // Unknown object, one that is too large, one that the access does not lie in.
  EXPECT_EQ(__plumb_read(3, address_id_, object_.data() + 8, 4, nullptr, 0, 0), stored);
  EXPECT_EQ(__plumb_read(4, address_id_, object_.data() + 8, 4, object_.data(), 1025, 0), stored);
  EXPECT_EQ(__plumb_read(5, address_id_, object_.data() + 8, 4, object_.data(), 11, 0), stored);
  __plumb_write(6, address_id_, object_.data() + 8, 4, 0, 1, object_.data() + 12, 8);
  object_[8] = 1;
  const std::vector<Record> pins = Decoder(stream()).of_kind(PLUMB_PIN);
  ASSERT_EQ(pins.size(), 4U);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(pins[i].code, static_cast<std::uint32_t>(PLUMB_PIN_ADDRESS));
    EXPECT_EQ(pins[i].words[0], 3 + i);
    EXPECT_EQ(pins[i].words[1], address_id_);
    EXPECT_EQ(pins[i].words[2], static_cast<std::uint32_t>(std::bit_cast<std::uintptr_t>(object_.data() + 8)));
  }
  EXPECT_EQ(__plumb_load(object_.data() + 8, 4), 0U);
}

TEST_F(RuntimeAccess, APinnedWriteKeepsTheShadowOfItsValue) {
  const plumb_id value = fresh(4);
  const std::uint32_t number = 77;
  __plumb_write(6, address_id_, object_.data() + 8, 4, value, number, nullptr, 0);
  std::memcpy(object_.data() + 8, &number, 4);
  EXPECT_EQ(__plumb_load(object_.data() + 8, 4), value);
}

TEST_F(RuntimeAccess, RegisteredObjectsAreFoundFromInnerAddresses) {
  __plumb_stack_object(object_.data(), object_.size());
  __plumb_read(7, address_id_, object_.data() + 96, 4, nullptr, 0, 0);
  __plumb_read(7, address_id_, object_.data() + 97, 4, nullptr, 0, 0);
  const Decoder decoder(stream());
  EXPECT_EQ(decoder.of_kind(PLUMB_READ).size(), 1U);
  EXPECT_EQ(decoder.of_kind(PLUMB_PIN).size(), 1U);
}

TEST_F(RuntimeAccess, EscapedPointersCountOnlyWithSymbolicBytesBehindThem) {
  __plumb_stack_object(object_.data(), object_.size());
  __plumb_escaped(9, object_.data());
  EXPECT_TRUE(Decoder(stream()).of_kind(PLUMB_LOST).empty());
  __plumb_store(object_.data() + 90, 4, fresh(4));
  __plumb_escaped(9, object_.data());
  const Record lost = Decoder(stream()).of_kind(PLUMB_LOST).at(0);
  EXPECT_EQ(lost.code, static_cast<std::uint32_t>(PLUMB_PIN_MEMORY));
  EXPECT_EQ(lost.words[0], 9U);
  __plumb_escaped(9, nullptr);
  EXPECT_EQ(Decoder(stream()).of_kind(PLUMB_LOST).size(), 1U);
}

}  // namespace
}  // namespace plumb::concolic::runtime_test
