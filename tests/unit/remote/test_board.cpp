#include "test_board.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <optional>

extern "C" {
#include "runtime/link/link.h"
}

namespace plumb::remote {
namespace {

struct Context {
  int file = -1;
  const std::atomic<bool>* is_stopping = nullptr;
};

std::int32_t read_some(void* context, std::uint8_t* bytes, std::uint32_t size, std::uint32_t milliseconds) {
  const Context& at = *static_cast<Context*>(context);
  if (*at.is_stopping) return -1;
  pollfd waited{at.file, POLLIN, 0};
  const int ready = poll(&waited, 1, static_cast<int>(std::min<std::uint32_t>(milliseconds, 100)));
  if (ready <= 0) return *at.is_stopping ? -1 : 0;
  const ssize_t got = read(at.file, bytes, size);
  return got > 0 ? static_cast<std::int32_t>(got) : -1;
}

std::int32_t write_all(void* context, const std::uint8_t* bytes, std::uint32_t size) {
  const Context& at = *static_cast<Context*>(context);
  for (std::uint32_t sent = 0; sent < size;) {
    const ssize_t put = write(at.file, bytes + sent, size - sent);
    if (put <= 0) return -1;
    sent += static_cast<std::uint32_t>(put);
  }
  return 0;
}

int random_bytes(void*, std::uint8_t* bytes, std::uint32_t size) {
  return getrandom(bytes, size, 0) == static_cast<ssize_t>(size) ? 1 : 0;
}

std::optional<std::vector<std::vector<std::uint8_t>>> read_inputs(plumb_link& link, std::uint32_t size) {
  Bytes data(size);
  if (size != 0 && plumb_link_data(&link, data.data(), size) != PLUMB_LINK_OK) return std::nullopt;
  ByteReader reader(data);
  std::vector<std::vector<std::uint8_t>> inputs;
  while (!reader.is_at_end()) {
    const ByteView bytes = reader.bytes(reader.varint32());
    inputs.emplace_back(bytes.begin(), bytes.end());
  }
  return inputs;
}

}  // namespace

FileDescriptor connect_to(const std::string& address) {
  FileDescriptor file(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  to.sin_port = htons(static_cast<std::uint16_t>(std::stoul(address.substr(address.rfind(':') + 1))));
  const timeval patience{20, 0};
  setsockopt(file.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const int on = 1;
  setsockopt(file.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (connect(file.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) return {};
  return file;
}

void send_all(int file, ByteView bytes) { send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL); }

std::vector<ReceivedFrame> receive_until(int file, std::uint8_t kind) {
  Bytes all;
  std::array<std::uint8_t, 4096> buffer;
  while (true) {
    std::vector<ReceivedFrame> frames = frames_of(all);
    if (!frames.empty() && frames.back().kind == kind) return frames;
    const ssize_t got = recv(file, buffer.data(), buffer.size(), 0);
    if (got <= 0) return {};
    put_bytes(all, {buffer.data(), static_cast<std::size_t>(got)});
  }
}

bool is_closed(int file) {
  std::array<std::uint8_t, 4096> buffer;
  while (true) {
    const ssize_t got = recv(file, buffer.data(), buffer.size(), 0);
    if (got == 0) return true;
    if (got < 0) return errno == ECONNRESET;
  }
}

TestBoard::TestBoard(std::function<FileDescriptor()> connect, bool is_line, const SessionOptions& identity,
                     Program program)
    : connect_(std::move(connect)),
      program_(std::move(program)),
      thread_([this, is_line, identity] { run(is_line, identity); }) {}

TestBoard::~TestBoard() {
  is_stopping_ = true;
  thread_.join();
}

void TestBoard::run(bool is_line, const SessionOptions& identity) {
  FileDescriptor line;
  while (!is_stopping_) {
    FileDescriptor connection;
    if (is_line && !line.is_open()) line = connect_();
    if (!is_line) connection = connect_();
    const int file = is_line ? line.get() : connection.get();
    if (file >= 0 && !serve(file, is_line, identity)) return;
    poll(nullptr, 0, 20);
  }
}

bool TestBoard::serve(int file, bool is_line, const SessionOptions& options) {
  Context context{file, &is_stopping_};
  plumb_channel channel{};
  channel.context = &context;
  channel.is_line = is_line ? 1 : 0;
  channel.read = read_some;
  channel.write = write_all;
  channel.random = random_bytes;
  plumb_identity identity{};
  identity.name = "test board";
  std::ranges::copy(options.fingerprint, identity.fingerprint);
  identity.edges = options.edges;
  identity.regions = options.regions;
  identity.token = reinterpret_cast<const std::uint8_t*>(options.token.data());
  identity.token_size = static_cast<std::uint32_t>(options.token.size());
  std::array<std::uint8_t, PLUMB_WIRE_HEAD + 512> in;
  std::array<std::uint8_t, PLUMB_WIRE_HEAD + 512> out;
  plumb_link link{};
  link.channel = &channel;
  link.identity = &identity;
  link.in = in.data();
  link.in_size = in.size();
  link.out = out.data();
  link.out_size = out.size();
  int state = plumb_link_open(&link);
  std::vector<std::uint8_t> covered(options.edges);
  plumb_order order{};
  while (state == PLUMB_LINK_OK && (state = plumb_link_next(&link, &order)) == PLUMB_LINK_OK) {
    Bytes modes((options.regions + 7) / 8);
    if (order.has_modes != 0 && plumb_link_data(&link, modes.data(), static_cast<std::uint32_t>(modes.size())) != 0)
      break;
    const auto inputs =
        read_inputs(link, order.data - (order.has_modes != 0 ? static_cast<std::uint32_t>(modes.size()) : 0));
    if (!inputs) break;
    const SampleRun run = program_(*inputs);
    ++runs_;
    state = plumb_link_events(&link, run.words.data(), static_cast<std::uint32_t>(run.words.size()));
    std::vector<std::uint8_t> now(options.edges);
    for (const std::uint32_t edge : run.edges) now[edge] = 1;
    for (std::uint32_t edge = 0; edge < options.edges && state == PLUMB_LINK_OK; ++edge)
      if (now[edge] != covered[edge]) state = plumb_link_edge(&link, edge);
    covered = now;
    const plumb_ending ending{run.how, run.code, 0, 10, 0};
    if (state == PLUMB_LINK_OK) state = plumb_link_end(&link, &ending);
  }
  was_dismissed_ = was_dismissed_ || state == PLUMB_LINK_OVER;
  return state != PLUMB_LINK_OVER && state != PLUMB_LINK_REFUSED;
}

}  // namespace plumb::remote
