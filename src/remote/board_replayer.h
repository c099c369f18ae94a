#pragma once

#include <memory>
#include <string_view>

#include "remote/server.h"
#include "replay/replayer.h"

namespace plumb::remote {

/// Runs tests on a target, where nothing but the instrumented program with its checks can run: what it tells is in
/// Replay::seen, without defects.
class BoardReplayer : public replay::Replayer {
 public:
  /// Both must outlive it.
  BoardReplayer(const instrument::Subject& subject, Server& server);

  std::string_view name() const override { return "target"; }
  replay::Replay run(const replay::Evidence& evidence, const Budget& budget) override;

 private:
  const instrument::Subject& subject_;
  std::unique_ptr<concolic::Target> target_;
};

}  // namespace plumb::remote
