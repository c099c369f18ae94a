#include "sample_program.h"

#include "program/function_builder.h"
#include "runtime/checks/checks.h"
#include "runtime/link/wire.h"
#include "unit/concolic/trace/stream_writer.h"

namespace plumb::remote {
namespace {

using instrument::Site;
using instrument::SiteKind;
using term::Op;

Site site(SiteKind kind, std::uint32_t first_edge) {
  Site result;
  result.kind = kind;
  result.function = 0;
  if (kind != SiteKind::Branch) return result;
  result.first_edge = first_edge;
  result.edge_count = 2;
  result.is_counted = true;
  return result;
}

}  // namespace

instrument::Subject sample_subject() {
  instrument::Subject subject;
  program::FunctionBuilder b("f");
  const program::ValueId condition = b.undefined(1);
  const program::BlockId start = b.add_block();
  const program::BlockId small = b.add_block();
  const program::BlockId large = b.add_block();
  const program::BlockId end = b.add_block();
  b.select(start);
  b.branch(condition, {small, {}}, {large, {}});
  b.select(small);
  b.branch(condition, {end, {}}, {end, {}});
  b.select(large);
  b.branch(condition, {end, {}}, {end, {}});
  b.select(end);
  b.return_values({});
  subject.program.functions.push_back(b.finish());
  subject.program.entry = 0;
  subject.sites = {site(SiteKind::Error, 0), site(SiteKind::Branch, 0), site(SiteKind::Branch, 2),
                   site(SiteKind::Error, 0), site(SiteKind::Access, 0), site(SiteKind::Branch, 4)};
  subject.edge_count = 6;
  subject.terminator_sites = {{kOuterSite, kInnerSite, kOtherSite, 0}};
  return subject;
}

SampleRun run_sample(const std::vector<std::vector<std::uint8_t>>& inputs) {
  const auto byte = [&](std::size_t i) -> std::uint8_t {
    return i < inputs.size() && !inputs[i].empty() ? inputs[i][0] : std::uint8_t{0};
  };
  const std::uint8_t x = byte(0);
  const std::uint8_t y = byte(1);
  concolic::StreamWriter w;
  SampleRun run;
  const std::uint32_t x_id = w.input("x", {x}, 1);
  const std::uint32_t y_id = w.input("y", {y}, 1);
  const std::uint32_t is_small = w.operation(Op::Ult, 1, x_id, w.constant(8, 10));
  w.branch(kOuterSite, x < 10 ? 0 : 1, is_small);
  run.edges.push_back(x < 10 ? 0 : 1);
  const std::uint8_t wanted = x < 10 ? 42 : 7;
  const std::uint32_t is_it = w.operation(Op::Eq, 1, y_id, w.constant(8, wanted));
  w.branch(x < 10 ? std::uint32_t{kInnerSite} : std::uint32_t{kOtherSite}, y == wanted ? 0 : 1, is_it);
  run.edges.push_back((x < 10 ? 2U : 4U) + (y == wanted ? 0U : 1U));
  if (y == wanted && x < 10) {
    w.error(PLUMB_ERROR_REACHED, kErrorSite);
    run.how = PLUMB_WIRE_SIGNALLED;
    run.code = 6;
  } else if (y == wanted) {
    w.defect(PLUMB_DEFECT_POINTER, PLUMB_OBJECT_HEAP, kDefectSite, 5);
  }
  run.words = std::move(w.words);
  return run;
}

}  // namespace plumb::remote
