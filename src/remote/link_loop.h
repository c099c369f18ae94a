#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/file_descriptor.h"
#include "remote/listen.h"
#include "remote/order_queue.h"
#include "remote/serial_line.h"
#include "remote/server.h"
#include "remote/session.h"

struct pollfd;

namespace plumb::remote {

struct Link;

/// The thread that has all links: it accepts connections, opens serial lines, moves bytes between them and their
/// sessions, and gives orders to targets that are free.
///
/// Who has not proved to have the token gets little: a bounded number of places, of which the oldest is freed for a new
/// connection, for a bounded time, at a bounded rate. So connections that do nothing, or nonsense, take nothing from
/// targets that work.
class LinkLoop {
 public:
  /// Throws UserError if it cannot listen there, or must not. `session`: what all sessions have in common.
  LinkLoop(const ServerOptions& options, const SessionOptions& session);
  /// Says goodbye to all targets.
  ~LinkLoop();
  LinkLoop(const LinkLoop&) = delete;
  LinkLoop& operator=(const LinkLoop&) = delete;

  OrderQueue& orders() noexcept { return orders_; }
  std::vector<std::string> addresses() const;
  LinkStatistics statistics() const;
  std::vector<BoardStatus> boards() const;
  /// What was to be said before is told at once.
  void set_listener(std::function<void(bool is_warning, const std::string&)> listener);

 private:
  using Links = std::vector<std::unique_ptr<Link>>;

  void run();
  void wake() noexcept;
  std::vector<pollfd> wait_for();
  int milliseconds_to_wait(Time now) const;
  void accept_all(const Listener& listener, Time now);
  void add_connection(Listener connection, Time now);
  void make_room(Time now);
  bool may_accept(Time now) const;
  void reopen_lines(Time now);
  /// Gives why it cannot be opened.
  std::string open_line(Link& link, Time now);
  void read_from(Link& link, Time now);
  void write_to(Link& link, Time now);
  void handle_events(Link& link, Time now);
  void handle_answer(Link& link, RunAnswer answer);
  void handle_end(Link& link, const SessionEvent& event);
  void lose_order(Link& link, Loss loss);
  /// The other side is gone.
  void drop(Link& link, const std::string& why);
  void give_orders(Time now);
  void remove_dropped(Time now);
  void say_goodbye();
  void tell(bool is_warning, const Link& link, const std::string& what);
  void tell_news();
  void tell_refusal(const Link& link, const std::string& why, Time now);

  ServerOptions options_;
  SessionOptions session_;
  SessionSources sources_;
  FileDescriptor wake_;
  OrderQueue orders_;
  std::vector<Listener> listeners_;
  std::uint32_t last_session_ = 0;

  mutable std::mutex mutex_;  ///< of what follows; never held while the thread sleeps or the listener is called
  Links links_;
  LinkStatistics statistics_;
  double places_;  ///< connections that may be accepted at once
  Time places_at_;
  Time last_refusal_;
  std::deque<std::pair<bool, std::string>> news_;
  double news_places_ = 0;  ///< lines that may be told at once
  Time news_at_{};
  std::uint64_t news_left_out_ = 0;

  std::mutex listener_mutex_;
  std::function<void(bool, const std::string&)> listener_;
  std::atomic<bool> is_stopping_{false};
  std::thread thread_;
};

}  // namespace plumb::remote
