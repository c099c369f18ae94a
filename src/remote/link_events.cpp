// What becomes of what sessions say, and who gets the next order.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "remote/link.h"
#include "remote/link_loop.h"
#include "runtime/link/wire.h"

namespace plumb::remote {

namespace {

constexpr std::size_t kMaxProved = 192;
/// Waiting for a listener.
constexpr std::size_t kMaxNews = 1000;
constexpr std::chrono::milliseconds kRefusalInterval{1000};
/// Lines that are told at once, and further ones a second: a target can come, talk and go without end.
constexpr double kNewsBurst = 100;
constexpr double kNewsRate = 10;

using Clock = std::chrono::steady_clock;

Loss loss_of(SessionEnd end) { return end == SessionEnd::Stalled ? Loss::Stalled : Loss::Garbage; }

}  // namespace

void LinkLoop::tell(bool is_warning, const Link& link, const std::string& what) {
  const Time now = Clock::now();
  news_places_ = std::min(kNewsBurst, news_places_ + kNewsRate * std::chrono::duration<double>(now - news_at_).count());
  news_at_ = now;
  if (news_places_ < 1) {
    ++news_left_out_;
    return;
  }
  news_places_ -= 1;
  if (const std::uint64_t count = std::exchange(news_left_out_, 0); count > 0)
    news_.emplace_back(true, fmt::format("{} lines about targets are left out", count));
  if (news_.size() >= kMaxNews) news_.pop_front();
  news_.emplace_back(is_warning, link.name.empty() ? fmt::format("{}: {}", link.address, what)
                                                   : fmt::format("{} ({}): {}", link.name, link.address, what));
}

/// Who is refused may come again and again: not all of it is told.
void LinkLoop::tell_refusal(const Link& link, const std::string& why, Time now) {
  ++statistics_.refused;
  if (now - last_refusal_ < kRefusalInterval) return;
  last_refusal_ = now;
  tell(true, link, fmt::format("refused: {}", why));
}

void LinkLoop::handle_events(Link& link, Time now) {
  if (!link.session) return;
  for (SessionEvent& event : link.session->take_events()) {
    switch (event.kind) {
      case SessionEvent::Kind::Proved: {
        const auto is_proved = [](const auto& each) { return each->is_proved; };
        if (std::ranges::count_if(links_, is_proved) >= static_cast<std::ptrdiff_t>(kMaxProved)) {
          link.session->close(PLUMB_WIRE_TOO_MANY, "too many targets");
          tell_refusal(link, "too many targets", now);
          break;
        }
        ++statistics_.sessions;
        link.is_proved = true;
        link.name = link.session->name();
        link.used = now;
        tell(false, link, "it is here");
        break;
      }
      case SessionEvent::Kind::Answered:
        handle_answer(link, std::move(event.answer));
        break;
      case SessionEvent::Kind::Noted:
        tell(event.is_warning, link, event.text);
        break;
      case SessionEvent::Kind::Ended:
        if (!link.is_proved && event.end != SessionEnd::Closed) tell_refusal(link, event.text, now);
        handle_end(link, event);
        break;
    }
  }
}

void LinkLoop::handle_answer(Link& link, RunAnswer answer) {
  if (!link.order) return;
  if (answer.end.how == PLUMB_WIRE_CANNOT_START) {
    lose_order(link, Loss::CannotStart);
    link.session->close(PLUMB_WIRE_REFUSED, "the program cannot be started");
    return;
  }
  ++link.runs;
  ++statistics_.runs;
  statistics_.run_bytes_received += answer.bytes_received;
  statistics_.run_bytes_sent += answer.bytes_sent;
  statistics_.left_out += answer.end.left_out;
  orders_.answer(std::exchange(link.order, nullptr), std::move(answer));
}

void LinkLoop::handle_end(Link& link, const SessionEvent& event) {
  lose_order(link, loss_of(event.end));
  if (!link.is_proved) return;
  link.is_proved = false;
  if (event.end != SessionEnd::Closed) ++statistics_.broken;
  tell(event.end != SessionEnd::Closed, link, event.text);
}

void LinkLoop::lose_order(Link& link, Loss loss) {
  if (!link.order) return;
  switch (orders_.lose(std::exchange(link.order, nullptr), loss, Clock::now())) {
    case OrderQueue::Fate::Repeated:
      ++statistics_.runs_repeated;
      break;
    case OrderQueue::Fate::GivenUp:
      ++statistics_.runs_given_up;
      break;
    case OrderQueue::Fate::Abandoned:
      break;
  }
}

void LinkLoop::give_orders(Time now) {
  std::vector<Link*> free;
  bool is_any_tried = false;
  for (const auto& link : links_) {
    if (!link->is_proved || !link->session) continue;
    is_any_tried |= link->runs > 0;
    if (link->session->is_free() && !link->order) free.push_back(link.get());
  }
  std::ranges::stable_sort(free, {}, &Link::used);
  for (Link* link : free) {
    link->order = orders_.take({link->runs > 0, is_any_tried}, now);
    if (!link->order) continue;
    link->used = now;
    link->session->start(link->order->run, now);
  }
}

}  // namespace plumb::remote
