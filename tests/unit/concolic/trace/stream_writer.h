#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "program/float_op.h"
#include "runtime/concolic/protocol.h"
#include "term/op.h"

namespace plumb::concolic {

/// Writes records as a target does, one function a kind. Functions that make expressions give the id of the first.
class StreamWriter {
 public:
  struct Run {
    std::uint32_t offset, id, first, total, length;
  };
  struct Object {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<Run> runs;
    std::uint32_t known = 0;  ///< index of a constant global plus 1
  };

  std::vector<std::uint32_t> words;
  std::vector<std::size_t> starts;  ///< of the records

  std::uint32_t constant(std::uint32_t width, std::uint64_t value) {
    head(PLUMB_CONSTANT, 0, width);
    put_value(value);
    return make(1);
  }
  std::uint32_t operation(term::Op op, std::uint32_t width, std::uint32_t a, std::uint32_t b = 0, std::uint32_t c = 0,
                          std::uint32_t parameter = 0) {
    head(PLUMB_OPERATOR, static_cast<std::uint32_t>(op), width);
    put({parameter, a, b, c});
    return make(1);
  }
  std::uint32_t float_comparison(program::FloatOp op, std::uint32_t width, std::uint32_t a, std::uint32_t b) {
    head(PLUMB_FLOAT, static_cast<std::uint32_t>(op), width);
    put({a, b});
    return make(1);
  }
  std::uint32_t input(std::string_view name, const std::vector<std::uint8_t>& bytes, std::uint32_t element) {
    head(PLUMB_INPUT, 0, 0);
    put({inputs_++, static_cast<std::uint32_t>(bytes.size()), element, static_cast<std::uint32_t>(name.size())});
    put_bytes(name.data(), name.size());
    put_bytes(bytes.data(), bytes.size());
    return make(static_cast<std::uint32_t>(bytes.size()) / element);
  }
  std::uint32_t read(std::uint32_t width, std::uint32_t id, std::uint64_t address, const Object& from) {
    head(PLUMB_READ, 0, width);
    put({id});
    put_value(address);
    object(from);
    return make(1);
  }
  std::uint32_t write(std::uint32_t width, std::uint32_t id, std::uint64_t address, std::uint32_t value_id,
                      std::uint64_t value, const Object& to) {
    head(PLUMB_WRITE, 0, width);
    put({id});
    put_value(address);
    put({value_id});
    put_value(value);
    object(to);
    return make(static_cast<std::uint32_t>(to.bytes.size()));
  }
  void branch(std::uint32_t site, std::uint32_t edge, std::uint32_t id) { event(PLUMB_BRANCH, {site, edge, id}); }
  void switch_over(std::uint32_t site, std::uint32_t edge, std::uint32_t id) { event(PLUMB_SWITCH, {site, edge, id}); }
  void assume(std::uint32_t site, bool held, std::uint32_t id) { event(PLUMB_ASSUME, {site, held ? 1U : 0U, id}); }
  void check(std::uint32_t site, bool held, std::uint32_t id) { event(PLUMB_CHECK, {site, held ? 1U : 0U, id}); }
  /// (value - base) <= limit; ids of 0 are for values that are concrete.
  struct Range {
    std::uint32_t defect = 1;
    std::uint32_t width = 64;
    std::uint32_t site = 0;
    std::uint32_t object = 0;
    std::uint32_t value_id = 0;
    std::uint64_t value = 0;
    std::uint64_t base = 0;
    std::uint32_t limit_id = 0;
    std::uint64_t limit = 0;
  };
  void range(bool held, const Range& r) {
    head(PLUMB_RANGE, r.defect, r.width);
    put({r.site, held ? 1U : 0U, r.object, r.value_id});
    put_value(r.value);
    put_value(r.base);
    put({r.limit_id});
    put_value(r.limit);
  }
  struct Operand {
    std::uint32_t id = 0;
    std::uint64_t value = 0;
  };
  void overflow(bool held, std::uint32_t site, term::Op op, std::uint32_t width, Operand a, Operand b) {
    head(PLUMB_OVERFLOW, static_cast<std::uint32_t>(op), width);
    put({site, held ? 1U : 0U, a.id});
    put_value(a.value);
    put({b.id});
    put_value(b.value);
  }
  void defect(std::uint32_t kind, std::uint32_t object_kind, std::uint32_t site, std::uint32_t hash) {
    head(PLUMB_DEFECT, kind, object_kind);
    put({site, 4, hash});
    for (const std::uint64_t value : {0x5014U, 0x5000U, 20U}) put_value(value);
  }
  void divisor(std::uint32_t site, std::uint32_t id) { event(PLUMB_DIVISOR, {site, id}); }
  void call_target(std::uint32_t site, std::uint32_t id, std::uint64_t target) {
    event(PLUMB_CALL_TARGET, {site, id});
    put_value(target);
  }
  void pin(std::uint32_t reason, std::uint32_t width, std::uint32_t subject, std::uint32_t id, std::uint64_t value) {
    head(PLUMB_PIN, reason, width);
    put({subject, id});
    put_value(value);
  }
  void lost(std::uint32_t reason, std::uint32_t subject) {
    head(PLUMB_LOST, reason, 0);
    put({subject});
  }
  struct In {
    std::uint32_t id = 0;
    std::uint64_t value = 0;
  };
  void region_enter(std::uint32_t region, const std::vector<In>& ins, const std::vector<Object>& slots = {}) {
    event(PLUMB_REGION_ENTER, {region});
    for (const In& in : ins) {
      put({in.id});
      put_value(in.value);
    }
    for (const Object& slot : slots) object(slot);
  }
  std::uint32_t region_exit(std::uint32_t region, std::uint32_t destination, std::uint32_t makes) {
    event(PLUMB_REGION_EXIT, {region, destination});
    return make(makes);
  }
  void error(std::uint32_t code, std::uint32_t site) {
    head(PLUMB_ERROR, code, 0);
    put({site});
  }
  void end(std::uint32_t code) { head(PLUMB_END, code, 0); }

 private:
  void head(std::uint32_t kind, std::uint32_t code, std::uint32_t width) {
    starts.push_back(words.size());
    words.push_back(kind | code << 8 | width << 16);
  }
  void event(std::uint32_t kind, std::initializer_list<std::uint32_t> rest) {
    head(kind, 0, 0);
    put(rest);
  }
  void put(std::initializer_list<std::uint32_t> rest) { words.insert(words.end(), rest); }
  void put_value(std::uint64_t value) {
    put({static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)});
  }
  void put_bytes(const void* bytes, std::size_t size) {
    const std::size_t at = words.size();
    words.resize(at + (size + 3) / 4);
    if (size != 0) std::memcpy(words.data() + at, bytes, size);
  }
  void object(const Object& o) {
    put_value(o.address);
    if (o.known != 0) return put({PLUMB_KNOWN_OBJECT | (o.known - 1)});
    put({static_cast<std::uint32_t>(o.bytes.size())});
    put_bytes(o.bytes.data(), o.bytes.size());
    put({static_cast<std::uint32_t>(o.runs.size())});
    for (const Run& run : o.runs) put({run.offset, run.id, run.first | run.total << 8 | run.length << 16});
  }
  std::uint32_t make(std::uint32_t count) {
    const std::uint32_t first = next_id_;
    next_id_ += count;
    return first;
  }

  std::uint32_t next_id_ = 1;
  std::uint32_t inputs_ = 0;
};

}  // namespace plumb::concolic
