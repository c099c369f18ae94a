#include "explore/content.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace plumb::explore {

using semantics::TermBytes;

namespace {

// What an encoded content consists of: the number of terms, these flags, the size if there are any, and its parts.
constexpr std::uint8_t kHasUnwritten = 1;
constexpr std::uint8_t kHasTerms = 2;
constexpr std::uint8_t kIsArray = 4;
constexpr std::size_t kHeader = 5;

template <typename T>
void put(std::vector<std::uint8_t>& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

template <typename T>
T take(std::span<const std::uint8_t>& in) {
  T value{};
  std::memcpy(&value, in.data(), sizeof value);
  in = in.subspan(sizeof value);
  return value;
}

}  // namespace

Content Content::from(std::span<const std::uint8_t> bytes, std::uint64_t size) {
  Content made;
  made.size_ = size;
  made.bytes_.assign(bytes.begin(), bytes.end());
  made.bytes_.resize(size);
  return made;
}

Content Content::unwritten(std::uint64_t size) {
  Content made = zeroed(size);
  made.unwritten_.assign((size + 7) / 8, 0xFF);
  if (size % 8 != 0) made.unwritten_.back() = static_cast<std::uint8_t>((1U << (size % 8)) - 1);
  return made;
}

std::vector<Content::Run> Content::unwritten_in(std::uint64_t offset, std::uint64_t count) const {
  std::vector<Run> runs;
  if (unwritten_.empty()) return runs;
  for (std::uint64_t i = offset; i < offset + count; ++i) {
    if (!is_unwritten(i)) continue;
    const bool is_next = !runs.empty() && runs.back().offset + runs.back().count == i && runs.back().count < 8;
    if (is_next) {
      ++runs.back().count;
    } else {
      runs.push_back({i, 1});
    }
  }
  return runs;
}

void Content::set_written(std::uint64_t offset, std::uint64_t count) {
  if (unwritten_.empty()) return;
  for (std::uint64_t i = offset; i < offset + count; ++i)
    unwritten_[i / 8] = static_cast<std::uint8_t>(unwritten_[i / 8] & ~(1U << (i % 8)));
  if (std::ranges::all_of(unwritten_, [](std::uint8_t byte) { return byte == 0; })) unwritten_.clear();
}

TermBytes& Content::as_terms(TermStore&) {
  if (!terms_) {
    terms_ = TermBytes(bytes_, size_);
    bytes_.clear();
  }
  return *terms_;
}

void Content::settle(TermStore&) {
  if (!terms_ || terms_->is_array()) return;
  std::vector<std::uint8_t> numbers(size_);
  for (std::uint64_t i = 0; i < size_; ++i) {
    const std::optional<std::uint8_t> byte = terms_->number(i);
    if (!byte) return;
    numbers[i] = *byte;
  }
  bytes_ = std::move(numbers);
  terms_.reset();
}

Value Content::load(TermStore& terms, std::uint64_t offset, std::uint64_t count) const {
  if (!terms_ && count <= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes_.data() + offset, count);
    return number(word);
  }
  if (terms_) return value_of(terms, terms_->load(terms, offset, count));
  std::vector<std::uint64_t> words((count + 7) / 8);
  std::memcpy(words.data(), bytes_.data() + offset, count);
  return {0, terms.constant(BitVector::from_words(static_cast<std::uint32_t>(count * 8), words))};
}

void Content::store(TermStore& terms, std::uint64_t offset, const Value& value, std::uint32_t width) {
  const std::uint64_t count = width / 8;
  set_written(offset, count);
  if (!terms_ && value.is_number()) {
    std::memcpy(bytes_.data() + offset, &value.number, count);
    return;
  }
  const Term stored = term_of(terms, value, width);
  if (!terms_ && terms.is_constant(stored)) {
    const BitVector wide = terms.value(stored);
    std::memcpy(bytes_.data() + offset, wide.words().data(), count);
    return;
  }
  as_terms(terms).store(terms, offset, stored);
  if (terms.is_constant(stored)) settle(terms);
}

void Content::fill(TermStore& terms, std::uint64_t offset, std::uint64_t count, const Value& byte) {
  if (count == 0) return;
  set_written(offset, count);
  if (!terms_ && byte.is_number()) {
    std::memset(bytes_.data() + offset, static_cast<int>(byte.number), count);
    return;
  }
  as_terms(terms).fill(terms, offset, count, term_of(terms, byte, 8));
  settle(terms);
}

void Content::copy(TermStore& terms, std::uint64_t offset, const Content& source, std::uint64_t source_offset,
                   std::uint64_t count) {
  if (count == 0) return;
  std::vector<bool> is_unset(count);
  bool has_unset = false;
  for (std::uint64_t i = 0; i < count; ++i) {
    is_unset[i] = source.is_unwritten(source_offset + i);
    has_unset = has_unset || is_unset[i];
  }
  if (!terms_ && !source.terms_) {
    std::memmove(bytes_.data() + offset, source.bytes_.data() + source_offset, count);
  } else if (source.terms_) {
    const TermBytes from = *source.terms_;
    as_terms(terms).copy(terms, offset, from, source_offset, count);
  } else {
    as_terms(terms).copy(terms, offset, TermBytes(source.bytes_, source.size_), source_offset, count);
  }
  if (has_unset && unwritten_.empty()) unwritten_.assign((size_ + 7) / 8, 0);
  set_written(offset, count);
  if (has_unset && unwritten_.empty()) unwritten_.assign((size_ + 7) / 8, 0);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!is_unset[i]) continue;
    const std::uint64_t to = offset + i;
    unwritten_[to / 8] = static_cast<std::uint8_t>(unwritten_[to / 8] | 1U << (to % 8));
  }
  settle(terms);
}

Value Content::load(TermStore& terms, Term offset, std::uint64_t count) const {
  const TermBytes bytes = terms_ ? *terms_ : TermBytes(bytes_, size_);
  return value_of(terms, bytes.load(terms, offset, count));
}

void Content::store(TermStore& terms, Term offset, const Value& value, std::uint32_t width) {
  as_terms(terms).store(terms, offset, term_of(terms, value, width), terms.boolean(true));
  settle(terms);
}

void Content::for_each_word(TermStore& terms, std::uint32_t bytes,
                            const std::function<void(const Value&)>& visit) const {
  if (terms_ && terms_->is_array()) {
    visit({0, terms_->array()});
    return;
  }
  for (std::uint64_t offset = 0; offset + bytes <= size_; offset += bytes) {
    if (terms_ ? false : !unwritten_.empty() && is_unwritten(offset)) continue;
    visit(load(terms, offset, bytes));
  }
}

void Content::encode(std::vector<std::uint8_t>& out, std::vector<Term>& holes) const {
  const std::size_t start = out.size();
  const std::size_t first_hole = holes.size();
  put(out, std::uint32_t{0});
  const bool is_array = terms_ && terms_->is_array();
  const auto flags = static_cast<std::uint8_t>((unwritten_.empty() ? 0 : kHasUnwritten) | (terms_ ? kHasTerms : 0) |
                                               (is_array ? kIsArray : 0));
  out.push_back(flags);
  if (flags != 0) put(out, size_);
  if (is_array) {
    put(out, terms_->array_unit());
    holes.push_back(terms_->array());
  } else if (terms_) {
    const std::vector<TermBytes::TermRun> runs = terms_->term_runs();
    put(out, static_cast<std::uint32_t>(runs.size()));
    for (const TermBytes::TermRun& run : runs) {
      put(out, run.offset);
      put(out, run.count);
      put(out, run.index);
      holes.push_back(run.term);
    }
    for (std::uint64_t i = 0; i < size_; ++i) out.push_back(terms_->number(i).value_or(0));
  } else {
    out.insert(out.end(), bytes_.begin(), bytes_.end());
  }
  out.insert(out.end(), unwritten_.begin(), unwritten_.end());
  const auto count = static_cast<std::uint32_t>(holes.size() - first_hole);
  std::memcpy(out.data() + start, &count, sizeof count);
}

Content Content::decode(TermStore& terms, std::span<const std::uint8_t> in, std::span<const Term> holes) {
  Content made;
  take<std::uint32_t>(in);
  const auto flags = take<std::uint8_t>(in);
  made.size_ = flags == 0 ? in.size() : take<std::uint64_t>(in);
  if ((flags & kHasTerms) == 0) {
    made.bytes_.assign(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(made.size_));
    in = in.subspan(made.size_);
  } else {
    if ((flags & kIsArray) != 0) {
      const auto unit = take<std::uint64_t>(in);
      made.terms_ = TermBytes::of_array(holes[0], unit, made.size_);
    } else {
      const auto count = take<std::uint32_t>(in);
      std::vector<TermBytes::TermRun> runs(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        runs[i].offset = take<std::uint64_t>(in);
        runs[i].count = take<std::uint64_t>(in);
        runs[i].index = take<std::uint32_t>(in);
        runs[i].term = holes[i];
      }
      made.terms_ = TermBytes(in.subspan(0, made.size_), made.size_);
      made.terms_->set_runs(terms, runs);
      in = in.subspan(made.size_);
    }
  }
  made.unwritten_.assign(in.begin(), in.end());
  return made;
}

std::optional<std::span<const std::uint8_t>> Content::plain(std::span<const std::uint8_t> encoded) {
  if (encoded[kHeader - 1] != 0) return std::nullopt;
  return encoded.subspan(kHeader);
}

}  // namespace plumb::explore
