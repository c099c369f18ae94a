#include "remote/link_loop.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "remote/link.h"
#include "runtime/link/wire.h"

namespace plumb::remote {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxUnproved = 64;
/// Connections that are accepted at once, and further ones a second: one that was let in has kMaxUnproved /
/// kAcceptRate seconds at least before it is dropped for others.
constexpr double kAcceptBurst = 64;
constexpr double kAcceptRate = 100;
constexpr milliseconds kFarewellTime{1000};
constexpr milliseconds kReopenTime{1000};
/// How often a run that was lost is offered again.
constexpr milliseconds kRetryTime{50};
/// What waits to be written to a line before its target has proved itself.
constexpr std::size_t kMaxGreetings = 4096;
constexpr std::size_t kReadSize = std::size_t{64} << 10;

Nonce fresh_nonce() {
  Nonce nonce;
  std::size_t filled = 0;
  while (filled < nonce.size()) {
    const ssize_t got = getrandom(nonce.data() + filled, nonce.size() - filled, 0);
    INVARIANT(got > 0 || errno == EINTR, "the system should have random numbers");
    filled += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
  return nonce;
}

/// A frame shall take two seconds at most.
SessionOptions for_line(SessionOptions options, std::uint32_t baud) {
  options.is_line = true;
  options.longest_payload =
      static_cast<std::uint16_t>(std::clamp<std::uint32_t>(baud / 5, PLUMB_WIRE_LEAST_PAYLOAD, PLUMB_WIRE_PAYLOAD));
  options.bytes_a_second = std::max<std::uint32_t>(baud / 20, 1);
  return options;
}

}  // namespace

LinkLoop::LinkLoop(const ServerOptions& options, const SessionOptions& session)
    : options_(options),
      session_(session),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      orders_([this] { wake(); }, options.times.pause),
      places_(kAcceptBurst),
      places_at_(Clock::now()),
      last_refusal_(Clock::now() - std::chrono::hours(1)) {
  if (!wake_.is_open()) throw UserError("cannot listen: the system has no descriptors left");
  sources_.nonce = fresh_nonce;
  sources_.number = [this] { return ++last_session_; };
  for (const std::string& text : options_.listen) listeners_.push_back(open_listener(text, !options_.token.empty()));
  for (const std::string& text : options_.serial) {
    auto link = std::make_unique<Link>();
    link->line = parse_serial_line(text);
    link->address = link->line->path;
    if (const std::string problem = open_line(*link, Clock::now()); !problem.empty())
      throw UserError(fmt::format("cannot open '{}': {}", link->line->path, problem),
                      "is the board connected, and may you use the device (group dialout)?");
    links_.push_back(std::move(link));
  }
  thread_ = std::thread([this] { run(); });
}

LinkLoop::~LinkLoop() {
  is_stopping_ = true;
  wake();
  thread_.join();
}

void LinkLoop::wake() noexcept {
  const std::uint64_t one = 1;
  // Full means that the thread is about to wake up already.
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
}

std::vector<std::string> LinkLoop::addresses() const {
  std::vector<std::string> result;
  for (const Listener& listener : listeners_) result.push_back(listener.address);
  return result;
}

LinkStatistics LinkLoop::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

std::vector<BoardStatus> LinkLoop::boards() const {
  const std::lock_guard lock(mutex_);
  std::vector<BoardStatus> result;
  for (const auto& link : links_)
    if (link->is_proved) result.push_back({link->name, link->address, link->runs, link->order != nullptr});
  return result;
}

void LinkLoop::set_listener(std::function<void(bool, const std::string&)> listener) {
  {
    const std::lock_guard lock(listener_mutex_);
    listener_ = std::move(listener);
  }
  wake();
}

void LinkLoop::tell_news() {
  const std::lock_guard listener_lock(listener_mutex_);
  if (!listener_) return;
  std::deque<std::pair<bool, std::string>> news;
  {
    const std::lock_guard lock(mutex_);
    news.swap(news_);
  }
  for (const auto& [is_warning, line] : news) listener_(is_warning, line);
}

// --- The loop ---

void LinkLoop::run() {
  while (!is_stopping_) {
    std::vector<pollfd> waited;
    int timeout = 0;
    {
      const std::lock_guard lock(mutex_);
      waited = wait_for();
      timeout = milliseconds_to_wait(Clock::now());
    }
    poll(waited.data(), waited.size(), timeout);
    {
      const std::lock_guard lock(mutex_);
      const Time now = Clock::now();
      std::uint64_t wakes = 0;
      [[maybe_unused]] const ssize_t drained = read(wake_.get(), &wakes, sizeof wakes);
      // In the order of wait_for(), before links are added or removed.
      std::size_t next = 1 + listeners_.size();
      for (const auto& link : links_) {
        const pollfd& polled = waited[next++];
        if (link->file.is_open() && polled.revents != 0 && (polled.revents & ~POLLOUT) != 0) read_from(*link, now);
        if (link->session) link->session->tick(now);
        handle_events(*link, now);
      }
      for (std::size_t i = 0; i < listeners_.size(); ++i)
        if (waited[1 + i].revents != 0) accept_all(listeners_[i], now);
      reopen_lines(now);
      give_orders(now);
      for (const auto& link : links_) write_to(*link, now);
      remove_dropped(now);
    }
    tell_news();
  }
  const std::lock_guard lock(mutex_);
  say_goodbye();
}

std::vector<pollfd> LinkLoop::wait_for() {
  std::vector<pollfd> result;
  result.push_back({wake_.get(), POLLIN, 0});
  const bool accepts = may_accept(Clock::now());
  for (const Listener& listener : listeners_)
    result.push_back({accepts ? listener.socket.get() : -1, POLLIN, 0});  // poll() skips negative ones
  for (const auto& link : links_) {
    const bool has_output = link->sent < link->output.size();
    result.push_back({link->file.get(), static_cast<short>(has_output ? POLLIN | POLLOUT : POLLIN), 0});
  }
  return result;
}

int LinkLoop::milliseconds_to_wait(Time now) const {
  Time until = now + milliseconds(1000);
  if (!may_accept(now)) until = std::min(until, now + milliseconds(10));
  if (orders_.has_lost()) until = std::min(until, now + kRetryTime);
  for (const auto& link : links_) {
    if (link->session) until = std::min(until, link->session->deadline());
    if (link->closes_at) until = std::min(until, *link->closes_at);
  }
  const auto left = std::chrono::ceil<milliseconds>(until - now).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

// --- Connections ---

bool LinkLoop::may_accept(Time now) const {
  return places_ + kAcceptRate * std::chrono::duration<double>(now - places_at_).count() >= 1;
}

void LinkLoop::accept_all(const Listener& listener, Time now) {
  places_ = std::min(kAcceptBurst, places_ + kAcceptRate * std::chrono::duration<double>(now - places_at_).count());
  places_at_ = now;
  for (; places_ >= 1; places_ -= 1) {
    Listener connection = accept_connection(listener);
    if (!connection.socket.is_open()) {
      // Without descriptors the listener would stay ready, and the loop busy.
      if (errno == EMFILE || errno == ENFILE) places_ = 0;
      return;
    }
    make_room(now);
    add_connection(std::move(connection), now);
  }
}

void LinkLoop::make_room(Time now) {
  const auto is_unproved = [](const auto& link) { return link->is_unproved(); };
  if (std::ranges::count_if(links_, is_unproved) >= static_cast<std::ptrdiff_t>(kMaxUnproved)) {
    // Links stand in the order that they came in.
    Link& oldest = **std::ranges::find_if(links_, is_unproved);
    oldest.session->close(PLUMB_WIRE_TOO_MANY, "too many connections");
    handle_events(oldest, now);
    tell_refusal(oldest, "too many connections", now);
    write_to(oldest, now);
    drop(oldest, {});
  }
}

void LinkLoop::add_connection(Listener connection, Time now) {
  auto link = std::make_unique<Link>();
  link->file = std::move(connection.socket);
  link->address = std::move(connection.address);
  link->since = now;
  link->session = std::make_unique<Session>(session_, sources_, now);
  links_.push_back(std::move(link));
}

void LinkLoop::remove_dropped(Time now) {
  for (const auto& link : links_)
    if (link->closes_at && now >= *link->closes_at) link->is_dropped = true;
  std::erase_if(links_, [](const auto& link) { return link->is_dropped && !link->line; });
}

void LinkLoop::drop(Link& link, const std::string& why) {
  lose_order(link, Loss::Vanished);
  if (link.is_proved) {
    ++statistics_.broken;
    tell(true, link, why);
  }
  link.is_proved = false;
  link.file.close();
  link.session.reset();
  link.output.clear();
  link.sent = 0;
  link.is_dropped = true;
}

// --- Lines ---

void LinkLoop::reopen_lines(Time now) {
  for (const auto& link : links_)
    if (link->line && !link->file.is_open() && now - link->since >= kReopenTime) open_line(*link, now);
}

std::string LinkLoop::open_line(Link& link, Time now) {
  link.since = now;
  std::string problem;
  link.file = open_serial_line(*link.line, problem);
  if (!link.file.is_open()) return problem;
  link.is_dropped = false;
  link.session = std::make_unique<Session>(for_line(session_, link.line->baud), sources_, now);
  return {};
}

// --- Bytes ---

void LinkLoop::read_from(Link& link, Time now) {
  std::array<std::uint8_t, kReadSize> buffer;
  const ssize_t got = read(link.file.get(), buffer.data(), buffer.size());
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) {
    drop(link, got == 0 ? "it is gone" : fmt::format("it is gone: {}", std::generic_category().message(errno)));
    return;
  }
  if (link.closes_at || !link.session) return;
  statistics_.bytes_received += static_cast<std::uint64_t>(got);
  link.session->receive({buffer.data(), static_cast<std::size_t>(got)}, now);
}

void LinkLoop::write_to(Link& link, Time now) {
  if (!link.session || link.is_dropped) return;
  if (link.line && !link.is_proved && link.output.size() - link.sent > kMaxGreetings) {
    link.output.clear();
    link.sent = 0;
  }
  const Bytes more = link.session->take_output();
  put_bytes(link.output, more);
  while (link.sent < link.output.size()) {
    const std::uint8_t* from = link.output.data() + link.sent;
    const std::size_t left = link.output.size() - link.sent;
    const ssize_t written =
        link.line ? write(link.file.get(), from, left) : send(link.file.get(), from, left, MSG_NOSIGNAL);
    if (written < 0 && (errno == EAGAIN || errno == EINTR)) break;
    if (written < 0) return drop(link, fmt::format("it is gone: {}", std::generic_category().message(errno)));
    link.sent += static_cast<std::size_t>(written);
    statistics_.bytes_sent += static_cast<std::uint64_t>(written);
  }
  if (link.sent == link.output.size()) {
    link.output.clear();
    link.sent = 0;
  }
  if (link.line || !link.session->is_over() || link.closes_at) return;
  // Closed at once, with bytes that nobody has read, the system would take back what was sent.
  link.closes_at = now + kFarewellTime;
  if (link.output.empty()) shutdown(link.file.get(), SHUT_WR);
}

void LinkLoop::say_goodbye() {
  for (const auto& link : links_) {
    if (!link->session) continue;
    link->session->close(PLUMB_WIRE_OVER, "the campaign is over");
    write_to(*link, Clock::now());
  }
  // So that the last bytes arrive: each target closes when it has read them.
  const Time until = Clock::now() + kFarewellTime / 2;
  const auto is_open = [](const auto& link) { return link->file.is_open() && link->is_proved && !link->line; };
  while (std::ranges::any_of(links_, is_open) && Clock::now() < until) {
    std::vector<pollfd> waited;
    for (const auto& link : links_) waited.push_back({link->line ? -1 : link->file.get(), POLLIN, 0});
    poll(waited.data(), waited.size(), 20);
    for (const auto& link : links_)
      if (is_open(link)) read_from(*link, Clock::now());
  }
}

}  // namespace plumb::remote
