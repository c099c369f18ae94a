#include "explore/world.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/points_to.h"
#include "program/analysis/value_flow.h"
#include "semantics/ends.h"
#include "semantics/goals.h"

namespace plumb::explore {
namespace {

/// Room for an object of which the program knows no size.
constexpr std::uint64_t kUnknownSize = 4096;
constexpr std::string_view kProgramName = "program";

}  // namespace

AddressPlan::AddressPlan(std::uint32_t pointer_width) {
  if (pointer_width == 32) {
    functions = 0x0800'0000;
    globals = 0x0a00'0000;
    threads = 0x2000'0000;
    thread_size = 0x0100'0000;
    heap_offset = 0x0040'0000;
    guard = 256;
    end = 0xb000'0000;  // below the pattern of memory that was never written
    return;
  }
  functions = 0x1000'0000;
  globals = 0x4000'0000;
  threads = std::uint64_t{1} << 40;
  thread_size = std::uint64_t{1} << 40;
  heap_offset = std::uint64_t{1} << 39;
  guard = std::uint64_t{1} << 16;
  end = std::uint64_t{1} << 47;
}

World::World(const Program& the_program)
    : program(the_program),
      platform(program::platform_of(the_program.layout)),
      plan(the_program.layout.pointer_width),
      code(the_program),
      at_end(semantics::functions_at_end(the_program)) {
  std::uint64_t next = plan.globals;
  for (const program::GlobalObject& global : program.globals) {
    const bool is_unknown = global.is_external && global.size == 0;
    add_global(is_unknown ? kUnknownSize : global.size, global.alignment, global.is_constant, next);
    globals_.back().is_unknown_size = is_unknown;
    globals_.back().info.global = static_cast<GlobalId>(globals_.size() - 1);
  }
  for (GlobalId g = 0; g < program.globals.size(); ++g) globals_[g].initial = initial_content(g);
  add_global(kProgramName.size() + 1, 1, false, next);
  const std::uint64_t name = globals_.back().info.base;
  globals_.back().initial = Content::from(
      {reinterpret_cast<const std::uint8_t*>(kProgramName.data()), kProgramName.size()}, kProgramName.size() + 1);
  add_global(3 * std::uint64_t{pointer_bytes()}, pointer_bytes(), false, next);
  std::vector<std::uint8_t> vector(3 * std::size_t{pointer_bytes()});
  std::memcpy(vector.data(), &name, pointer_bytes());
  globals_.back().initial = Content::from(vector, vector.size());
  if (next > plan.threads) throw UserError("the globals of the program do not fit into its address space", "");
  find_written();
}

void World::add_global(std::uint64_t size, std::uint32_t alignment, bool is_constant, std::uint64_t& next) {
  Global made;
  const std::uint64_t step = std::max<std::uint64_t>(alignment, 16);
  next = (next + step - 1) / step * step;
  made.info.base = next;
  made.info.size = size;
  made.info.alignment = alignment;
  made.info.kind = program::ObjectKind::Global;
  made.info.is_constant = is_constant;
  globals_.push_back(std::move(made));
  next += size + plan.guard;
}

Content World::initial_content(GlobalId g) const {
  const program::GlobalObject& global = program.globals[g];
  if (global.is_external) return Content::unwritten(globals_[g].info.size);
  std::vector<std::uint8_t> bytes = global.bytes;
  bytes.resize(global.size);
  for (const program::Relocation& r : global.relocations) {
    const std::uint64_t base = r.is_function ? address_of_function(r.index) : globals_[r.index].info.base;
    const std::uint64_t address = base + static_cast<std::uint64_t>(r.addend);
    std::memcpy(bytes.data() + r.offset, &address, pointer_bytes());
  }
  return Content::from(bytes, global.size);
}

void World::find_written() {
  // What no instruction that runs may come to stays as it is. A pointer that was made of nothing known could lead
  // anywhere, so what such a one may write counts for all.
  const program::CallGraph calls(program);
  const program::ValueFlow flow(program, calls);
  const program::PointsTo points_to(program, flow);
  const std::vector<bool> is_reached = semantics::reachable_functions(program);
  std::vector<bool> is_written_class(points_to.class_count(), false);
  bool is_any_written = false;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!is_reached[f]) continue;
    const program::Function& function = program.functions[f];
    for (const program::Instruction& i : function.instructions) {
      if (i.kind == program::Kind::Load) continue;
      if (i.kind == program::Kind::Intrinsic && i.intrinsic() == program::Intrinsic::MutexTryLock) may_try_lock = true;
      for (const std::uint32_t position : program::address_operands(i)) {
        const auto written = points_to.pointees(f, function.operands_of(i)[position]);
        if (written == program::kNone || written == points_to.outside()) {
          is_any_written = true;
        } else {
          is_written_class[written] = true;
        }
      }
    }
  }
  const auto main_count = static_cast<std::uint32_t>(program.globals.size());
  for (std::uint32_t g = 0; g < globals_.size(); ++g) {
    Global& global = globals_[g];
    const bool is_of_program = g < main_count;
    if (is_of_program && program.globals[g].is_thread_local) continue;
    const auto its_class = is_of_program ? points_to.of_global(g) : points_to.outside();
    global.is_written = !global.info.is_constant && global.info.size > 0 &&
                        (is_any_written || its_class == program::kNone || is_written_class[its_class]);
    // Bytes that are not known become inputs where they are read, which writes them.
    if (is_of_program && program.globals[g].is_external) global.is_written = true;
    if (global.is_written) written_.push_back(g);
  }
}

std::optional<std::uint32_t> World::global_at(std::uint64_t address) const {
  if (address + plan.guard / 2 < plan.globals || address >= plan.threads) return std::nullopt;
  const auto above = std::ranges::upper_bound(globals_, address, {}, [](const Global& g) { return g.info.base; });
  // The room of an object ends in the middle of the gap behind it.
  if (above != globals_.begin()) {
    const auto below = std::prev(above);
    if (address - below->info.base <= below->info.size + plan.guard / 2)
      return static_cast<std::uint32_t>(below - globals_.begin());
  }
  if (above != globals_.end() && above->info.base - address <= plan.guard / 2)
    return static_cast<std::uint32_t>(above - globals_.begin());
  return std::nullopt;
}

std::optional<FunctionId> World::function_at(std::uint64_t address) const {
  if (address < plan.functions) return std::nullopt;
  const std::uint64_t f = (address - plan.functions) / 16;
  if (f >= program.functions.size() || (address - plan.functions) % 16 != 0) return std::nullopt;
  return static_cast<FunctionId>(f);
}

}  // namespace plumb::explore
