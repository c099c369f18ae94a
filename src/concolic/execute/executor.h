#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/budget.h"
#include "instrument/subject.h"
#include "replay/run_end.h"
#include "replay/run_limits.h"
#include "result/test_case.h"

namespace plumb::concolic {

using instrument::SiteId;
using instrument::Subject;
using replay::RunEnd;

/// Of a traced run.
struct RunLimits : replay::RunLimits {
  std::uint32_t max_inputs = 100'000;
  std::uint32_t max_nodes = 100'000;
  /// Bytes of an object that is accessed exactly at a symbolic address: as many as the tables of toupper() have.
  std::uint32_t max_object = 1536;
  std::uint32_t stream_words = 16U << 20;
};

struct RunRequest {
  std::span<const result::TestInput> inputs;  ///< given; what is asked for beyond them is random or zero
  std::uint64_t random_seed = 0;              ///< 0: zeros
  std::span<const std::uint8_t> modes;        ///< by region: 1 to summarise it
  std::uint32_t max_nodes = 0;                ///< 0: as the limits say
};

/// Views into the shared memory, good until the next run.
struct RunRecord {
  RunEnd end = RunEnd::Exit;
  int code = 0;
  SiteId error_site = 0;
  std::uint64_t fault_address = 0;
  std::span<const std::uint32_t> stream;   ///< complete records
  std::span<const std::uint8_t> coverage;  ///< by EdgeId: not 0 if the run took it
  double seconds = 0;
};

/// Runs the instrumented program again and again through its fork server, in a scratch directory that is emptied after
/// every run. Crashes, hangs and worse are outcomes; if the fork server itself dies it is started anew. Throws
/// UserError if the executable cannot be started at all. One a worker; not thread-safe.
class Executor {
 public:
  Executor(const Subject& subject, const RunLimits& limits);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  RunRecord run(const RunRequest& request, const Budget& budget);
  const RunLimits& limits() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::concolic
