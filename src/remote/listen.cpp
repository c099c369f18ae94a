#include "remote/listen.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <memory>
#include <system_error>

#include "base/error.h"

namespace plumb::remote {
namespace {

constexpr int kBacklog = 512;

struct HostPort {
  std::string host;
  std::string port;
};

[[noreturn]] void fail(const std::string& text, const std::string& why, const std::string& hint = {}) {
  throw UserError(fmt::format("cannot listen on '{}': {}", text, why), hint);
}

HostPort split(const std::string& text) {
  const std::string hint = "give ADDRESS:PORT, as in 127.0.0.1:4711 or [::1]:4711; port 0 is any that is free";
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) fail(text, "it has no port", hint);
  HostPort result{text.substr(0, colon), text.substr(colon + 1)};
  if (result.host.starts_with('[') && result.host.ends_with(']'))
    result.host = result.host.substr(1, result.host.size() - 2);
  else if (result.host.find(':') != std::string::npos)
    fail(text, "an IPv6 address stands in brackets", hint);
  const bool is_number = !result.port.empty() && result.port.size() <= 5 &&
                         result.port.find_first_not_of("0123456789") == std::string::npos;
  if (result.host.empty() || !is_number || std::stoul(result.port) > 65535)
    fail(text, "it is no address and port", hint);
  return result;
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  }
  if (address->sa_family != AF_INET6) return false;
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr) != 0;
}

std::string describe(const sockaddr_storage& address, socklen_t size) {
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "?";
  if (address.ss_family == AF_INET6) return fmt::format("[{}]:{}", host.data(), port.data());
  return fmt::format("{}:{}", host.data(), port.data());
}

}  // namespace

Listener open_listener(const std::string& text, bool has_token) {
  const HostPort wanted = split(text);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(wanted.host.c_str(), wanted.port.c_str(), &hints, &found); error != 0)
    fail(text, gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, &freeaddrinfo);
  if (!has_token && !is_loopback(found->ai_addr))
    fail(text, "other machines could send results without a token",
         "give --token-file FILE, the same to the target; or listen on 127.0.0.1");

  Listener listener;
  listener.socket =
      FileDescriptor(socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, found->ai_protocol));
  const int on = 1;
  const int file = listener.socket.get();
  if (file >= 0 && found->ai_family == AF_INET6) setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  if (file >= 0) setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (file < 0 || bind(file, found->ai_addr, found->ai_addrlen) != 0 || ::listen(file, kBacklog) != 0)
    fail(text, std::generic_category().message(errno), "choose another port, or 0 for any that is free");
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  getsockname(file, reinterpret_cast<sockaddr*>(&bound), &size);
  listener.address = describe(bound, size);
  return listener;
}

Listener accept_connection(const Listener& listener) {
  sockaddr_storage from{};
  socklen_t size = sizeof from;
  Listener connection;
  connection.socket = FileDescriptor(
      accept4(listener.socket.get(), reinterpret_cast<sockaddr*>(&from), &size, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!connection.socket.is_open()) return connection;
  // Frames are small and wait for each other.
  const int on = 1;
  setsockopt(connection.socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  connection.address = describe(from, size);
  return connection;
}

}  // namespace plumb::remote
