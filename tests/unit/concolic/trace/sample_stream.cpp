#include "sample_stream.h"

#include "program/function_builder.h"
#include "runtime/checks/checks.h"

namespace plumb::concolic {

using instrument::plan_regions;
using instrument::Site;
using instrument::SiteKind;

namespace {

using program::FunctionBuilder;
using program::ValueId;
using term::Op;

program::Function sample_function() {
  FunctionBuilder b("f");
  const ValueId x = b.add_parameter(32, false, "x");
  const ValueId p = b.add_parameter(64, true, "p");
  b.add_result(32);
  const program::BlockId governor = b.add_block("governor");
  const program::BlockId small = b.add_block("small");
  const program::BlockId large = b.add_block("large");
  const program::BlockId join = b.add_block("join");
  const program::BlockId other = b.add_block("other");
  const ValueId y = b.add_block_argument(join, 32, false, "y");
  b.select(governor);
  b.branch(b.op(Op::Ult, {x, b.constant(32, 10)}), {small, {}}, {large, {}});
  b.select(small);
  b.store(p, b.op(Op::Add, {x, b.constant(32, 1)}), 4);
  b.jump({join, {x}});
  b.select(large);
  b.branch(b.op(Op::Ult, {x, b.constant(32, 20)}), {join, {b.constant(32, 5)}}, {other, {}});
  b.select(join);
  b.return_values({{y}});
  b.select(other);
  b.return_values({{x}});
  return b.finish();
}

Site site(SiteKind kind) {
  Site result;
  result.kind = kind;
  return result;
}

}  // namespace

Subject sample_subject() {
  Subject subject;
  subject.program.checks.add(program::Check::Overflow);
  subject.program.functions.push_back(sample_function());
  program::GlobalObject table;
  table.name = "table";
  table.size = 256;
  table.is_constant = true;
  for (unsigned i = 0; i < 256; ++i) table.bytes.push_back(static_cast<std::uint8_t>(255 - i));
  subject.program.globals.push_back(table);
  table.name = "variable";
  table.is_constant = false;
  subject.program.globals.push_back(table);

  subject.sites.resize(8);
  subject.sites[kBranchSite] = site(SiteKind::Branch);
  subject.sites[kBranchSite].first_edge = 0;
  subject.sites[kBranchSite].edge_count = 2;
  subject.sites[kSwitchSite] = site(SiteKind::Switch);
  subject.sites[kSwitchSite].first_edge = 2;
  subject.sites[kSwitchSite].edge_count = 4;
  subject.sites[kSwitchSite].width = 32;
  subject.sites[kSwitchSite].cases = {3, 5, 9};
  subject.sites[kCallSite] = site(SiteKind::CallTarget);
  subject.sites[kAssumeSite] = site(SiteKind::Assume);
  subject.sites[kCheckSite] = site(SiteKind::Check);
  subject.sites[kDivisionSite] = site(SiteKind::Division);
  subject.sites[kInnerSite] = site(SiteKind::Branch);
  subject.sites[kInnerSite].first_edge = 6;
  subject.sites[kInnerSite].edge_count = 2;
  subject.edge_count = 8;
  subject.terminator_sites = {{kBranchSite, 0, kInnerSite, 0, 0}};
  subject.regions = plan_regions(subject.program, 0, {});
  subject.externals = {"puts"};
  return subject;
}

void enter_sample_region(StreamWriter& w, const Subject& subject, std::uint32_t id, std::uint32_t value) {
  const std::uint32_t condition = w.operation(Op::Ult, 1, id, w.constant(32, 10));
  std::vector<StreamWriter::In> ins;
  for (const ValueId in : subject.regions.at(0).ins) {
    const bool is_condition = subject.program.functions[0].values[in].width == 1;
    ins.push_back(is_condition ? StreamWriter::In{condition, value < 10 ? 1U : 0U} : StreamWriter::In{id, value});
  }
  w.region_enter(0, ins, {{0x2000, {1, 2, 3, 4}, {}, 0}});
}

StreamWriter sample_stream() {
  const Subject subject = sample_subject();
  StreamWriter w;
  const std::uint32_t x = w.input("x", {7, 0, 0, 0}, 4);
  const std::uint32_t text = w.input("text", {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1);
  const std::uint32_t seven = w.constant(32, 7);
  w.branch(kBranchSite, 1, w.operation(Op::Ult, 1, x, seven));
  w.switch_over(kSwitchSite, 0, x);
  const std::uint32_t wide = w.operation(Op::ZeroExtend, 64, x);
  const std::uint32_t address = w.operation(Op::Add, 64, wide, w.constant(64, 0x1000));
  w.call_target(kCallSite, address, 0x1007);
  w.assume(kAssumeSite, true, w.operation(Op::Ult, 1, x, w.constant(32, 100)));
  w.check(kCheckSite, true, w.operation(Op::Ult, 1, x, w.constant(32, 50)));
  w.divisor(kDivisionSite, x);
  w.branch(kBranchSite, 1, w.float_comparison(program::FloatOp::Less, 32, w.constant(32, 0x3f800000), x));
  StreamWriter::Object object{0x1000, std::vector<std::uint8_t>(20, 0xaa), {}, 0};
  object.runs = {{0, x, 0, 4, 4}, {5, x, 1, 4, 2}, {8, text, 0, 0, 9}};
  w.check(kCheckSite, true, w.operation(Op::Eq, 1, w.read(8, address, 0x1007, object), w.constant(8, 0xaa)));
  StreamWriter::Object known;
  known.address = 0x1000;
  known.known = 1;
  w.check(kCheckSite, true, w.operation(Op::Eq, 1, w.read(8, address, 0x1007, known), w.constant(8, 248)));
  const std::uint32_t after = w.write(16, address, 0x1007, 0, 0x1234, object);
  w.check(kCheckSite, true, w.operation(Op::Eq, 1, after + 7, w.constant(8, 0x34)));
  w.range(true, {.defect = PLUMB_DEFECT_ARRAY,
                 .site = kCheckSite,
                 .object = 9,
                 .value_id = address,
                 .value = 0x1007,
                 .base = 0x1000,
                 .limit = 16});
  w.overflow(true, kCheckSite, Op::Add, 32, {x, 7}, {0, 1});
  w.defect(PLUMB_DEFECT_POINTER, PLUMB_OBJECT_HEAP, kCheckSite, 77);
  w.lost(PLUMB_PIN_CALL, 0);
  enter_sample_region(w, subject, x, 7);
  const std::uint32_t outs = w.region_exit(0, 0, 2);
  w.check(kCheckSite, true, w.operation(Op::Eq, 1, outs, seven));
  w.check(kCheckSite, true, w.operation(Op::Eq, 1, outs + 1, w.constant(32, 8)));
  w.pin(PLUMB_PIN_CALL, 32, 0, x, 7);
  w.error(PLUMB_ERROR_ABORT, 0);
  w.end(PLUMB_END_DEPTH);
  return w;
}

}  // namespace plumb::concolic
