// How objects are represented. Accesses at unknown offsets are arrays of the largest elements that each access covers
// entirely or stays inside of; everything else is a variable between two neighbouring ends of accesses. So an object of
// which all accesses are at known offsets is a set of registers, whatever overlaps, and a struct with an array in it is
// registers and an array.

#include "flatten/memory/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace plumb::flatten {

using program::InstructionId;
using ObjectKind = AbstractObject::Kind;

namespace {

constexpr std::uint64_t kLargestElement = 8;
/// Of a table of constants that is read at unknown offsets.
constexpr std::uint64_t kLargestTable = 65536;
/// Of an array in objects of which there are several: each is set by itself when an object is made.
constexpr std::uint64_t kLongestInSlots = 4096;

/// Every place of the access is inside of an element of this size, always at the same distance from its beginning, or
/// covers elements entirely.
bool fits(const PlannedAccess& access, std::uint64_t start, std::uint64_t element) {
  if (access.offset.stride() % element != 0) return false;
  const std::uint64_t inside = (static_cast<std::uint64_t>(access.offset.first()) - start) % element;
  return inside + access.size <= element || (inside == 0 && access.size % element == 0);
}

/// Accesses at known places can be anywhere in an element.
std::uint64_t element_size(const std::vector<PlannedAccess>& accesses, std::uint64_t start, std::uint64_t end) {
  std::vector<PlannedAccess> moving;
  std::uint64_t largest = 0;
  for (const PlannedAccess& access : accesses) {
    const auto first = static_cast<std::uint64_t>(access.offset.first());
    if (access.offset.is_exact() || first < start || first >= end) continue;
    moving.push_back(access);
    if (!access.is_bulk) largest = std::max(largest, access.size);
  }
  std::uint64_t element = largest == 0 ? kLargestElement : std::min(kLargestElement, std::bit_floor(largest));
  const auto fits_all = [&] {
    return std::all_of(moving.begin(), moving.end(), [&](const PlannedAccess& a) { return fits(a, start, element); });
  };
  while (element > 1 && !fits_all()) element /= 2;
  return element;
}

}  // namespace

PartMaker::PartMaker(Memory::Plan& plan, const Budget& budget) : plan_(plan), accesses_(plan.groups.size()) {
  for (InstanceId i = 0; i < plan_.instances.all().size(); ++i) {
    budget.check();
    for (InstructionId at = 0; at < plan_.function(i).instructions.size(); ++at) collect(i, at);
  }
  for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
    budget.check();
    Group& group = plan_.groups[g];
    if (group.gap) continue;
    make_arrays(group, accesses_[g]);
    make_fields(group, accesses_[g]);
    note_writes(group, accesses_[g]);
    make_variables(group);
  }
}

void PartMaker::collect(InstanceId instance, InstructionId at) {
  for (const AddressUse& use : address_uses(plan_, instance, at)) {
    if (use.is_release || use.is_probe || (use.size.is_exact() && use.size.first() <= 0)) continue;
    const std::uint64_t size = use.size.is_exact() ? static_cast<std::uint64_t>(use.size.first()) : 1;
    for (const auto& [g, range] : planned_spots(plan_, instance, at, use.position, size, use.is_write).spots)
      add_access(plan_.groups[g], g, range, use);
  }
}

void PartMaker::add_access(const Group& group, std::uint32_t g, Progression offset, const AddressUse& use) {
  PlannedAccess access{offset, 1, use.is_write, use.is_bulk};
  if (use.size.is_exact()) {
    access.size = static_cast<std::uint64_t>(use.size.first());
  } else {
    // So many bytes one behind the other, in units that divide the size.
    std::uint64_t unit = kLargestElement;
    const auto divides = [&](std::uint64_t u) {
      return use.size.stride() % u == 0 && use.size.first() % static_cast<std::int64_t>(u) == 0 && u <= group.size;
    };
    while (unit > 1 && !divides(unit)) unit /= 2;
    access.size = unit;
    const Progression more = Progression::between(0, static_cast<std::int64_t>(group.size), unit);
    access.offset = offset.sum(more);
  }
  if (access.size > group.size) return;
  access.offset = access.offset.below(group.size - access.size + 1);
  if (!access.offset.is_empty()) accesses_[g].push_back(access);
}

void PartMaker::make_arrays(Group& group, const std::vector<PlannedAccess>& accesses) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  for (const PlannedAccess& access : accesses)
    if (!access.offset.is_exact())
      spans.emplace_back(access.offset.first(), static_cast<std::uint64_t>(access.offset.last()) + access.size);
  std::sort(spans.begin(), spans.end());
  for (std::size_t i = 0; i < spans.size();) {
    auto [start, end] = spans[i];
    for (; i < spans.size() && spans[i].first < end; ++i) end = std::max(end, spans[i].second);
    Part& part = group.parts.emplace_back();
    part.start = start;
    part.element = element_size(accesses, start, end);
    part.count = (end - start + part.element - 1) / part.element;
    // An element that ends behind the span takes in what is there.
    while (i < spans.size() && spans[i].first < part.end()) {
      end = std::max(part.end(), spans[i++].second);
      part.element = element_size(accesses, start, end);
      part.count = (end - start + part.element - 1) / part.element;
    }
  }
}

void PartMaker::make_fields(Group& group, const std::vector<PlannedAccess>& accesses) {
  const std::vector<Part> arrays = group.parts;
  std::set<std::uint64_t> cuts;
  for (const Part& array : arrays) {
    cuts.insert(array.start);
    cuts.insert(array.end());
  }
  for (const PlannedAccess& access : accesses) {
    if (!access.offset.is_exact()) continue;
    cuts.insert(static_cast<std::uint64_t>(access.offset.first()));
    cuts.insert(static_cast<std::uint64_t>(access.offset.first()) + access.size);
  }
  std::vector<std::uint64_t> ends(cuts.begin(), cuts.end());
  std::vector<bool> is_touched(ends.size(), false);
  for (const PlannedAccess& access : accesses) {
    if (!access.offset.is_exact()) continue;
    const auto first = static_cast<std::uint64_t>(access.offset.first());
    auto at = std::lower_bound(ends.begin(), ends.end(), first);
    for (; at != ends.end() && *at < first + access.size; ++at)
      is_touched[static_cast<std::size_t>(at - ends.begin())] = true;
  }
  for (const Part& array : arrays)
    for (auto at = std::lower_bound(ends.begin(), ends.end(), array.start); *at < array.end(); ++at)
      is_touched[static_cast<std::size_t>(at - ends.begin())] = false;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (!is_touched[i]) continue;
    Part& field = group.parts.emplace_back();
    field.start = ends[i];
    field.element = ends[i + 1] - ends[i];
  }
  std::sort(group.parts.begin(), group.parts.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
}

void PartMaker::note_writes(Group& group, const std::vector<PlannedAccess>& accesses) {
  for (const PlannedAccess& access : accesses) {
    if (!access.is_write || group.is_constant) continue;
    const auto first = static_cast<std::uint64_t>(access.offset.first());
    const std::uint64_t last = static_cast<std::uint64_t>(access.offset.last()) + access.size;
    const auto from = std::partition_point(group.parts.begin(), group.parts.end(),
                                           [&](const Part& part) { return part.end() <= first; });
    for (auto part = from; part != group.parts.end() && part->start < last; ++part) part->is_written = true;
  }
}

void PartMaker::make_variables(Group& group) {
  const bool has_content = group.kind != ObjectKind::Stack && group.kind != ObjectKind::Heap;
  std::uint64_t bytes = 0;
  for (const Part& part : group.parts)
    if (!has_content || part.is_written) bytes += part.element * part.count * group.slots;
  const bool has_large_table = has_content && std::any_of(group.parts.begin(), group.parts.end(), [](const Part& part) {
                                 return !part.is_written && part.count > kLargestTable;
                               });
  if (bytes_ + bytes > plan_.options.max_bytes || has_large_table) {
    group.gap = fmt::format("an object of {} bytes among {} bytes of memory", group.size, bytes_ + bytes);
    group.parts.clear();
    return;
  }
  const std::uint64_t longest =
      std::accumulate(group.parts.begin(), group.parts.end(), std::uint64_t{0},
                      [](std::uint64_t most, const Part& part) { return std::max(most, part.count); });
  if (group.slots > 1 && longest > kLongestInSlots) {
    group.gap = fmt::format("an array of {} elements in each of {} objects", longest, group.slots);
    group.parts.clear();
    return;
  }
  bytes_ += bytes;
  group.is_zeroed = group.kind == ObjectKind::Heap && is_zeroed(group);
  std::vector<std::uint8_t> content = initial_bytes(group);
  for (Part& part : group.parts) make_variable(group, part, content);
}

void PartMaker::make_variable(const Group& group, Part& part, std::vector<std::uint8_t>& bytes) {
  term::TermStore& store = plan_.store();
  const auto width = static_cast<std::uint32_t>(part.element * 8);
  part.index_bits = part.count == 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(part.count - 1));
  const std::uint32_t index_width = part.index_bits + group.slot_bits;
  std::vector<Term> content;
  if (group.kind != ObjectKind::Stack && group.kind != ObjectKind::Heap) {
    bytes.resize(std::max<std::size_t>(bytes.size(), part.end()), 0);  // the last element may end behind the object
    for (std::uint64_t i = 0; i < part.count; ++i) {
      const std::uint64_t first = part.start + i * part.element;
      BitVector value(8, bytes[first]);
      for (std::uint64_t b = 1; b < part.element; ++b) value = BitVector(8, bytes[first + b]).concat(value);
      content.push_back(store.constant(value));
    }
    if (!part.is_written) {
      part.table = std::move(content);
      return;
    }
  }
  if (group.is_zeroed) content.assign(part.count, store.zero(width));
  const Flattened::Source source = source_of(group, part, part.name);
  const std::uint64_t places = (std::uint64_t{group.slots - 1} << part.index_bits) + part.count;
  Term init;
  if (!content.empty() && index_width == 0) init = content.front();
  if (!content.empty() && index_width > 0) {
    init = store.constant_array(index_width, store.zero(width));
    for (std::uint64_t i = 0; i < content.size(); ++i)
      init = store.store(init, store.constant(index_width, i), content[i]);
  }
  part.variable = plan_.add_variable({width, index_width}, part.name, init, index_width == 0 ? 0 : places, source);
}

bool PartMaker::is_zeroed(const Group& group) const {
  return std::all_of(group.members.begin(), group.members.end(), [&](ObjectId o) {
    const AbstractObject& object = plan_.pointers.objects()[o];
    return plan_.function(object.instance).instructions[object.instruction].intrinsic() == program::Intrinsic::Calloc;
  });
}

std::vector<std::uint8_t> PartMaker::initial_bytes(const Group& group) const {
  const bool has_content = group.kind != ObjectKind::Stack && group.kind != ObjectKind::Heap && !group.parts.empty();
  if (!has_content) return {};
  const ObjectId o = group.members.front();
  const std::uint32_t word = plan_.pointer_width / 8;
  std::vector<std::uint8_t> bytes(group.size, 0);
  const auto put = [&](std::uint64_t offset, std::uint64_t value) {
    for (std::uint32_t i = 0; i < word; ++i) bytes[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
  };
  if (group.kind == ObjectKind::ProgramName) {
    const std::string_view name = kProgramName;
    std::copy(name.begin(), name.end(), bytes.begin());
  } else if (group.kind == ObjectKind::Arguments) {
    put(0, plan_.address_of(plan_.pointers.program_name()));
  } else if (group.kind == ObjectKind::Global) {
    const program::GlobalObject& global = plan_.program.globals[plan_.pointers.objects()[o].index];
    std::copy_n(global.bytes.begin(), std::min<std::size_t>(global.bytes.size(), bytes.size()), bytes.begin());
    for (const program::Relocation& relocation : global.relocations) {
      const ObjectId target =
          relocation.is_function ? plan_.pointers.function(relocation.index) : plan_.pointers.global(relocation.index);
      put(relocation.offset, plan_.address_of(target) + static_cast<std::uint64_t>(relocation.addend));
    }
  }
  return bytes;
}

Flattened::Source PartMaker::source_of(const Group& group, const Part& part, std::string& name) const {
  const AbstractObject& object = plan_.pointers.objects()[group.members.front()];
  Flattened::Source source;
  if (object.kind == ObjectKind::Global) {
    name = plan_.program.globals[object.index].name;
  } else if (object.instance != program::kNone) {
    const program::Function& function = plan_.function(object.instance);
    const program::ValueId result = function.instructions[object.instruction].first_result;
    if (result < function.value_names.size()) name = function.value_names[result];
    source.function = plan_.instances[object.instance].function;
    if (name.empty() || object.kind == ObjectKind::Heap) name = fmt::format("{}.{}", name, plan_.variable_count());
  }
  const bool is_whole = part.start == 0 && part.end() >= group.size && group.slots == 1;
  if (is_whole && object.kind != ObjectKind::Heap && !name.empty() && name.find('.') == std::string::npos)
    source.name = name;
  else
    name = fmt::format("{}@{}", name, part.start);
  return source;
}

}  // namespace plumb::flatten
