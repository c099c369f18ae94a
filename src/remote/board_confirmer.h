#pragma once

#include <memory>

#include "base/budget.h"
#include "concolic/search/search.h"
#include "remote/server.h"
#include "replay/confirmer.h"

namespace plumb::remote {

/// Repeats errors on a target: one counts if another run of its test there shows the same kind at the same site, in a
/// model in the same call. What shows it is the instrumented program with its checks, for nothing else runs there;
/// `shown_by` says so. Not counted are signals that are no crash, and null pointers of a bare-metal runtime without
/// room.
class BoardConfirmer {
 public:
  /// Both must outlive it.
  BoardConfirmer(const instrument::Subject& subject, Server& server);

  /// As replay::Confirmer::confirm().
  replay::Confirmation confirm(const replay::FoundError& error, const Budget& budget);

 private:
  void judge(const replay::FoundError& error, replay::Confirmation& confirmation, const Budget& budget);

  const instrument::Subject& subject_;
  std::unique_ptr<concolic::Target> target_;
};

}  // namespace plumb::remote
