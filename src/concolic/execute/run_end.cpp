#include "concolic/execute/run_end.h"

#include <signal.h>

#include <optional>

#include "concolic/trace/stream_reader.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {
namespace {

/// The end that the runtime itself wrote down, if it did.
struct WrittenEnd {
  std::optional<RunEnd> end;
  int code = 0;
  SiteId site = 0;
};

RunEnd of_end_code(std::uint32_t code) {
  switch (code) {
    case PLUMB_END_ASSUME:
      return RunEnd::AssumeFailed;
    case PLUMB_END_INPUTS:
      return RunEnd::InputLimit;
    case PLUMB_END_DEPTH:
      return RunEnd::DepthLimit;
    case PLUMB_END_STREAM:
      return RunEnd::StreamLimit;
    case PLUMB_END_MISSING:
      return RunEnd::MissingCode;
    default:
      return RunEnd::Corrupted;
  }
}

RunEnd of_error_code(std::uint32_t code) {
  if (code == PLUMB_ERROR_SIGNAL) return RunEnd::Signal;
  return code == PLUMB_ERROR_DEFECT ? RunEnd::Defect : RunEnd::Error;
}

/// Does a record that ends a run stand among the last words? They may also be the middle of another record: a yes is
/// only worth a closer look.
bool may_have_end(std::span<const std::uint32_t> stream) {
  const auto is_kind = [&](std::size_t from_end, std::uint32_t kind) {
    return stream.size() >= from_end && (stream[stream.size() - from_end] & 0xffU) == kind;
  };
  return is_kind(1, PLUMB_END) || is_kind(2, PLUMB_ERROR) || is_kind(3, PLUMB_ERROR);
}

WrittenEnd written_end(const Subject& subject, std::span<const std::uint32_t> stream) {
  WrittenEnd result;
  if (!may_have_end(stream)) return result;
  StreamReader reader(subject, stream);
  std::uint32_t defect = 0;
  while (const std::optional<RecordHead> head = reader.next()) {
    if (head->kind == PLUMB_ERROR) {
      result.site = reader.word();
      if (result.site >= subject.sites.size()) result.site = 0;
      result.end = of_error_code(head->code);
      result.code = static_cast<int>(*result.end == RunEnd::Defect ? defect : head->code);
      break;
    }
    if (head->kind == PLUMB_DEFECT) defect = head->code;
    if (head->kind == PLUMB_END) {
      result.end = of_end_code(head->code);
      break;
    }
    reader.skip(*head);
  }
  if (reader.has_failed()) result.end = RunEnd::Corrupted;
  return result;
}

}  // namespace

void set_end(RunRecord& record, const Subject& subject, ProcessEnd end) {
  if (end.kind == ProcessEnd::Kind::TimedOut || end.kind == ProcessEnd::Kind::Lost) {
    record.end = end.kind == ProcessEnd::Kind::Lost ? RunEnd::Corrupted : RunEnd::Timeout;
    return;
  }
  const WrittenEnd written = written_end(subject, record.stream);
  const int signal = end.kind == ProcessEnd::Kind::Signalled ? end.code : 0;
  record.error_site = written.site;
  if (signal == SIGXFSZ) {
    record.end = RunEnd::FileLimit;
  } else if (signal == SIGXCPU) {
    record.end = RunEnd::Timeout;
  } else if (written.end && *written.end != RunEnd::Signal) {
    record.end = *written.end;
    record.code = written.code;
  } else if (signal == SIGKILL) {
    record.end = RunEnd::Killed;
  } else if (signal != 0) {
    record.end = RunEnd::Signal;
    record.code = signal;
  } else {
    record.end = RunEnd::Exit;
    record.code = end.code;
  }
}

}  // namespace plumb::concolic
