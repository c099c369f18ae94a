#include "remote/server.h"

#include <gtest/gtest.h>
#include <pty.h>

#include "base/error.h"
#include "server_fixture.h"

namespace plumb::remote {
namespace {

using concolic::TargetRun;
using replay::RunEnd;
using std::chrono::milliseconds;

TEST_F(ServerTest, MakesRunsOnATarget) {
  start();
  const auto board = add_board();
  const auto target = server_->make_repeating_target(/*check_traces=*/true);
  for (int round = 0; round < 3; ++round) {
    const TargetRun fine = run(*target, inputs(3, 4));
    EXPECT_EQ(fine.end, RunEnd::Exit);
    EXPECT_EQ(std::vector<std::uint8_t>(fine.coverage.begin(), fine.coverage.end()),
              (std::vector<std::uint8_t>{1, 0, 0, 1, 0, 0}));
    EXPECT_EQ(fine.trace.nodes.size(), 2U);
    EXPECT_TRUE(fine.trace.is_complete);
    const TargetRun wrong = run(*target, inputs(3, 42));
    EXPECT_EQ(wrong.end, RunEnd::Error);
    EXPECT_EQ(wrong.error_site, kErrorSite);
    EXPECT_EQ(wrong.coverage[2], 1);
    EXPECT_EQ(wrong.coverage[3], 0);
  }
  const LinkStatistics statistics = server_->statistics();
  EXPECT_EQ(statistics.runs, 6U);
  EXPECT_EQ(statistics.sessions, 1U);
  EXPECT_EQ(statistics.runs_repeated, 0U);
  // Two inputs, two constants, two operators, two branches; an error.
  EXPECT_EQ(statistics.events, 3U * (8 + 9));
  EXPECT_GT(statistics.run_bytes_received, 0U);
  EXPECT_GT(statistics.bytes_received, statistics.run_bytes_received);
  EXPECT_GT(statistics.bytes_sent, statistics.run_bytes_sent);
  const std::vector<BoardStatus> boards = server_->boards();
  ASSERT_EQ(boards.size(), 1U);
  EXPECT_EQ(boards[0].name, "test board");
  EXPECT_EQ(boards[0].runs, 6U);
}

TEST_F(ServerTest, SaysGoodbye) {
  start();
  const auto board = add_board();
  ASSERT_TRUE(comes_true([&] { return !server_->boards().empty(); }));
  server_.reset();
  EXPECT_TRUE(comes_true([&] { return board->was_dismissed(); }));
}

TEST_F(ServerTest, SharesRunsAmongTargets) {
  start();
  const auto slow = [](const auto& given) {
    std::this_thread::sleep_for(milliseconds(5));
    return run_sample(given);
  };
  const auto first = add_board(slow);
  const auto second = add_board(slow);
  ASSERT_TRUE(comes_true([&] { return server_->boards().size() == 2; }));
  std::vector<std::thread> workers;
  for (int i = 0; i < 2; ++i)
    workers.emplace_back([&] {
      const auto target = server_->make_repeating_target();
      for (int j = 0; j < 20; ++j) EXPECT_EQ(run(*target, inputs(3, 4)).end, RunEnd::Exit);
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(first->runs() + second->runs(), 40U);
  EXPECT_GT(first->runs(), 5U);
  EXPECT_GT(second->runs(), 5U);
}

TEST_F(ServerTest, DoesNotMakeARunTwiceForWorkers) {
  start();
  const auto board = add_board();
  const auto target = server_->make_target(/*check_traces=*/true);
  const TargetRun first = run(*target, inputs(3, 42));
  const TargetRun again = run(*server_->make_target(/*check_traces=*/true), inputs(3, 42));
  EXPECT_EQ(board->runs(), 1U);
  EXPECT_EQ(again.end, first.end);
  EXPECT_EQ(again.code, first.code);
  EXPECT_EQ(again.error_site, kErrorSite);
  EXPECT_EQ(again.trace.nodes.size(), first.trace.nodes.size());
  EXPECT_EQ(again.coverage[2], 1);
  run(*target, inputs(4, 42));
  EXPECT_EQ(board->runs(), 2U);
  run(*server_->make_repeating_target(), inputs(3, 42));
  EXPECT_EQ(board->runs(), 3U);
}

TEST_F(ServerTest, GivesALostRunToATargetThatHasShownThatItWorks) {
  options_.times.answer = milliseconds(50);
  limits_.time = milliseconds(50);
  start();
  const auto board = add_board();
  const auto target = server_->make_repeating_target();
  ASSERT_EQ(run(*target, inputs(1, 2)).end, RunEnd::Exit);
  std::vector<TargetSide> sides(4, TargetSide(identity_));
  std::vector<FileDescriptor> silent;
  for (TargetSide& side : sides) silent.push_back(shake_hands(side));
  ASSERT_TRUE(comes_true([&] { return server_->boards().size() == 5; }));
  // The board's turn; then that of all others, of whom the first has the run and no other is to have it.
  EXPECT_EQ(run(*target, inputs(3, 4)).end, RunEnd::Exit);
  EXPECT_EQ(server_->statistics().runs_repeated, 0U);
  EXPECT_EQ(run(*target, inputs(3, 5)).end, RunEnd::Exit);
  EXPECT_EQ(server_->statistics().runs_repeated, 1U);
}

TEST_F(ServerTest, RepeatsARunWhoseTargetVanishes) {
  start();
  TargetSide side(identity_);
  FileDescriptor file = shake_hands(side);
  ASSERT_TRUE(file.is_open());
  std::unique_ptr<TestBoard> board;
  std::thread vanishing([&] {
    EXPECT_FALSE(receive_until(file.get(), PLUMB_WIRE_RUN).empty());
    send_all(file.get(), side.events(1, {1, 2, 3}));
    file.close();
    board = add_board();
  });
  const auto target = server_->make_target();
  EXPECT_EQ(run(*target, inputs(3, 42)).end, RunEnd::Error);
  vanishing.join();
  EXPECT_EQ(server_->statistics().runs_repeated, 1U);
  EXPECT_EQ(server_->statistics().runs, 1U);
}

/// So many boards that do `deed` with every run, one after the other.
template <typename Deed>
std::thread spoil(int count, const std::string& address, const SessionOptions& identity, Deed deed) {
  return std::thread([count, address, identity, deed] {
    for (int i = 0; i < count; ++i) {
      TargetSide side(identity);
      const FileDescriptor file = connect_to(address);
      send_all(file.get(), side.greet());
      const auto frames = receive_until(file.get(), PLUMB_WIRE_CHALLENGE);
      ASSERT_FALSE(frames.empty());
      send_all(file.get(), side.prove(parse_challenge(frames.back().payload)->nonce));
      ASSERT_FALSE(receive_until(file.get(), PLUMB_WIRE_RUN).empty());
      deed(side, file.get());
      EXPECT_TRUE(is_closed(file.get()));
    }
  });
}

TEST_F(ServerTest, EndsARunThatStallsThreeTimesAsTimeout) {
  options_.times.answer = milliseconds(50);
  limits_.time = milliseconds(50);
  start();
  std::thread boards =
      spoil(3, address(), identity_, [](TargetSide& side, int file) { send_all(file, side.events(1, {1})); });
  const TargetRun lost = run(*server_->make_target(), inputs(3, 4));
  EXPECT_EQ(lost.end, RunEnd::Timeout);
  EXPECT_EQ(lost.coverage.size(), subject_.edge_count);
  boards.join();
  EXPECT_EQ(server_->statistics().runs, 0U);
  EXPECT_EQ(server_->statistics().runs_repeated, 2U);
}

TEST_F(ServerTest, EndsARunThatIsGarbageTwelveTimesAsCorrupted) {
  options_.times.pause = milliseconds(1);
  start();
  std::thread boards = spoil(12, address(), identity_,
                             [](TargetSide& side, int file) { send_all(file, side.end({.run = 1, .words = 99})); });
  EXPECT_EQ(run(*server_->make_target(), inputs(3, 4)).end, RunEnd::Corrupted);
  boards.join();
  EXPECT_EQ(server_->statistics().broken, 12U);
  EXPECT_EQ(server_->statistics().runs_given_up, 1U);
}

TEST_F(ServerTest, SaysThatNobodyCanStartTheProgram) {
  start();
  std::thread boards = spoil(3, address(), identity_, [](TargetSide& side, int file) {
    send_all(file, side.end({.run = 1, .how = PLUMB_WIRE_CANNOT_START}));
  });
  EXPECT_THROW(run(*server_->make_target(), inputs(3, 4)), UserError);
  boards.join();
}

TEST_F(ServerTest, LeavesTargetsAloneWhenOthersDoNothingOrNonsense) {
  start();
  const auto board = add_board();
  ASSERT_TRUE(comes_true([&] { return !server_->boards().empty(); }));
  std::vector<FileDescriptor> others;
  const auto target = server_->make_repeating_target();
  for (int i = 0; i < 200; ++i) {
    others.push_back(connect_to(address()));
    if (i % 3 == 1) send_all(others.back().get(), Bytes{0x70, 0x6c, 1});
    if (i % 3 == 2) send_all(others.back().get(), Bytes(8000, static_cast<std::uint8_t>(i)));
    EXPECT_EQ(run(*target, inputs(3, 4)).end, RunEnd::Exit);
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(run(*target, inputs(3, 42)).end, RunEnd::Error);
  // And one more finds its place.
  const auto another = add_board();
  EXPECT_TRUE(comes_true([&] { return server_->boards().size() == 2; }));
  const LinkStatistics statistics = server_->statistics();
  EXPECT_EQ(statistics.runs, 300U);
  EXPECT_EQ(statistics.runs_repeated, 0U);
  EXPECT_EQ(statistics.broken, 0U);
  EXPECT_GT(statistics.refused, 0U);
}

TEST_F(ServerTest, RefusesAWrongTokenAndGoesOn) {
  start();
  TargetSide stranger(identity_);
  stranger.token = "another";
  EXPECT_FALSE(shake_hands(stranger).is_open());
  const auto board = add_board();
  EXPECT_EQ(run(*server_->make_repeating_target(), inputs(3, 4)).end, RunEnd::Exit);
  EXPECT_EQ(server_->statistics().refused, 1U);
  EXPECT_EQ(server_->statistics().sessions, 1U);
}

TEST_F(ServerTest, TellsWhoComesAndGoes) {
  start();
  TargetSide side(identity_);
  {
    const FileDescriptor file = shake_hands(side);
    send_all(file.get(), side.note("hot"));
  }
  std::mutex mutex;
  std::vector<std::string> lines;
  server_->set_listener([&](bool, const std::string& line) {
    const std::lock_guard lock(mutex);
    lines.push_back(line.substr(line.rfind(": ") + 2));
  });
  EXPECT_TRUE(comes_true([&] {
    const std::lock_guard lock(mutex);
    return lines == std::vector<std::string>{"it is here", "hot", "it is gone"};
  }));
  server_->set_listener({});
}

TEST_F(ServerTest, WaitsForATargetAsLongAsTheBudgetLetsIt) {
  start();
  const auto target = server_->make_repeating_target();
  EXPECT_THROW(run(*target, inputs(3, 4), Budget().with_timeout(std::chrono::duration<double>(0.1))), OutOfBudget);
  const auto board = add_board();
  EXPECT_EQ(run(*target, inputs(3, 4)).end, RunEnd::Exit);
  EXPECT_EQ(board->runs(), 1U);
}

TEST_F(ServerTest, ServesALineAndBeginsAnewAfterNoise) {
  int master = -1;
  int slave = -1;
  std::array<char, 256> name{};
  ASSERT_EQ(openpty(&master, &slave, name.data(), nullptr, nullptr), 0);
  const FileDescriptor board_end(master);
  FileDescriptor other_end(slave);
  options_.listen.clear();
  options_.serial = {std::string(name.data()) + ":115200"};
  start();
  other_end.close();
  std::atomic<int> runs = 0;
  const auto noisy = [&](const auto& given) {
    if (++runs == 2) {
      EXPECT_EQ(write(board_end.get(), "noise", 5), 5);
    }
    return run_sample(given);
  };
  const TestBoard board([&] { return FileDescriptor(dup(board_end.get())); }, true, identity_, noisy);
  const auto target = server_->make_repeating_target();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(*target, inputs(3, 42)).end, RunEnd::Error);
  EXPECT_EQ(server_->statistics().runs_repeated, 1U);
  EXPECT_EQ(server_->statistics().sessions, 2U);
}

TEST_F(ServerTest, ListensElsewhereOnlyWithAToken) {
  options_.token.clear();
  for (const std::string listen : {"0.0.0.0:0", "[::]:0"}) {
    options_.listen = {listen};
    EXPECT_THROW(start(), UserError) << listen;
  }
  options_.listen = {"127.0.0.1:0", "127.1.2.3:0"};
  start();
  EXPECT_EQ(server_->addresses().size(), 2U);
  options_.token = "a token of tests";
  options_.listen = {"0.0.0.0:0"};
  start();
  EXPECT_TRUE(address().starts_with("0.0.0.0:"));
}

TEST_F(ServerTest, NamesWhatIsWrongWithAnAddress) {
  for (const std::string listen :
       {"", "4711", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "::1:80", ":80"}) {
    options_.listen = {listen};
    EXPECT_THROW(start(), UserError) << listen;
  }
  options_.listen.clear();
  for (const std::string serial : {"/dev/null", "/nowhere", "/dev/null:12345"}) {
    options_.serial = {serial};
    EXPECT_THROW(start(), UserError) << serial;
  }
}

}  // namespace
}  // namespace plumb::remote
