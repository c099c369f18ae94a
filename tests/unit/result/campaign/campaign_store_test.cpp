#include "result/campaign/campaign_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>

#include "base/error.h"
#include "base/file.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;
using Mode = CampaignStore::Mode;

StoredTest test_of(std::uint32_t number) {
  StoredTest test;
  test.number = number;
  test.test.inputs = {{"int", {static_cast<std::uint8_t>(number), 0, 0, 0}}};
  test.test.environment.arguments = {"-n", std::string("\xff\x01", 2)};
  test.end = "exit";
  test.code = 3;
  test.seconds = 0.25 * number;
  test.edges = {0, number, 1000 + number};
  return test;
}

template <typename Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

TEST(CampaignStore, WhatWasStoredIsReadAgain) {
  const TemporaryDirectory directory;
  {
    CampaignStore store(directory.path(), Mode::Create);
    StoredProgram program;
    program.fingerprint = "abc";
    program.directory = "/somewhere";
    program.files = {"a.c", "b c.c"};
    program.compiler_flags = {"-DX=\"1\""};
    program.entry = "main";
    program.options = {{"--sym-args", "1 10 2"}};
    store.set_program(program);
    store.add_test(test_of(1));
    store.add_test(test_of(2));
    StoredError error{"error", 4, 17, 9, test_of(2).test, 2, 1};
    store.set_error(error);
    error.runs = 5;
    store.set_error(error);
    store.set_branches({{3, "a.c", 7, 2, "main", "true", StoredBranch::State::Open}});
    store.set_branches({{3, "a.c", 7, 2, "main", "true", StoredBranch::State::TimedOut}});
    store.add_progress({1.5, 20, 3, 8});
    store.add_run({1, 77, {1, 2}});
    store.add_run({2, ~std::uint64_t{0}, {0, 0}}, 1);
    store.add_refuted(~std::uint64_t{0});
    store.add_run_one(5);
    store.add_settled(6);
    store.set_search({.seconds = 1.5,
                      .runs = 2,
                      .sessions = 1,
                      .divergences = 3,
                      .depth = 128,
                      .is_incomplete = true,
                      .stop = "complete",
                      .modes = {1, 0},
                      .refuted = {},
                      .run_ones = {},
                      .settled = {}});
    store.commit();
  }
  const CampaignStore store(directory.path(), Mode::Read);
  EXPECT_EQ(store.program().files, (std::vector<std::string>{"a.c", "b c.c"}));
  EXPECT_EQ(store.program().compiler_flags, std::vector<std::string>{"-DX=\"1\""});
  EXPECT_EQ(store.program().options.at("--sym-args"), "1 10 2");
  const auto tests = store.tests();
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[1].test, test_of(2).test);
  EXPECT_EQ(tests[1].edges, test_of(2).edges);
  EXPECT_EQ(tests[1].seconds, 0.5);
  ASSERT_EQ(store.errors().size(), 1U);
  EXPECT_EQ(store.errors()[0].runs, 5U);
  ASSERT_EQ(store.branches().size(), 1U);
  EXPECT_EQ(store.branches()[0].state, StoredBranch::State::TimedOut);
  EXPECT_EQ(store.progress().at(0).covered, 3U);
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), 1U) << "a run that goes on where another stopped replaces it";
  EXPECT_EQ(runs[0].random_seed, ~std::uint64_t{0});
  const StoredSearch search = store.search();
  EXPECT_EQ(search.depth, 128U);
  EXPECT_TRUE(search.is_incomplete);
  EXPECT_EQ(search.modes, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(search.refuted, std::vector<std::uint64_t>{~std::uint64_t{0}});
  EXPECT_EQ(search.run_ones, std::vector<std::uint64_t>{5});
  EXPECT_EQ(search.settled, std::vector<std::uint64_t>{6});
}

TEST(CampaignStore, TestsOfAKilledProcessAreThere) {
  const TemporaryDirectory directory;
  const pid_t child = fork();
  if (child == 0) {
    CampaignStore store(directory.path(), Mode::Create);
    for (std::uint32_t i = 1; i <= 20; ++i) store.add_test(test_of(i));
    store.add_run({1, 1, {}});
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  CampaignStore store(directory.path(), Mode::Resume);
  EXPECT_EQ(store.tests().size(), 20U);
  EXPECT_TRUE(store.runs().empty()) << "what was not committed is not there, not even a part";
}

TEST(CampaignStore, ANewOneTakesNothingOfTheLogOfAKilledOne) {
  const TemporaryDirectory directory;
  const pid_t child = fork();
  if (child == 0) {
    CampaignStore store(directory.path(), Mode::Create);
    for (std::uint32_t i = 1; i <= 20; ++i) store.add_test(test_of(i));
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(fs::exists(directory.path() / "campaign.db-wal"));
  CampaignStore store(directory.path(), Mode::Create);
  EXPECT_TRUE(store.tests().empty());
  store.add_test(test_of(1));
  EXPECT_EQ(store.tests().size(), 1U);
}

TEST(CampaignStore, ASecondWriterIsToldAndAReaderIsNotDisturbed) {
  const TemporaryDirectory directory;
  CampaignStore store(directory.path(), Mode::Create);
  store.add_test(test_of(1));
  for (const Mode mode : {Mode::Create, Mode::Resume})
    EXPECT_NE(message_of([&] { CampaignStore(directory.path(), mode); }).find("another plumb"), std::string::npos);
  EXPECT_EQ(CampaignStore(directory.path(), Mode::Read).tests().size(), 1U);
}

TEST(CampaignStore, WhatIsNoCampaignIsRefusedWithARemedy) {
  const TemporaryDirectory directory;
  EXPECT_NE(message_of([&] { CampaignStore(directory.path(), Mode::Resume); }).find("no campaign"), std::string::npos);
  write_file(directory.path() / "campaign.db", "This is no database.\n");
  for (const Mode mode : {Mode::Resume, Mode::Read})
    EXPECT_NE(message_of([&] { CampaignStore(directory.path(), mode); }).find("--input"), std::string::npos);
  // A new one may be made in its place.
  EXPECT_TRUE(CampaignStore(directory.path(), Mode::Create).tests().empty());
}

TEST(CampaignStore, DamagedFilesGiveAMessageOrAllTests) {
  const TemporaryDirectory directory;
  {
    CampaignStore store(directory.path(), Mode::Create);
    store.set_program(
        {.fingerprint = "f", .directory = "d", .files = {"a.c"}, .compiler_flags = {}, .entry = "main", .options = {}});
    for (std::uint32_t i = 1; i <= 200; ++i) store.add_test(test_of(i));
  }
  const fs::path file = directory.path() / "campaign.db";
  const std::string whole = read_file(file);
  std::mt19937 random(4);
  int refused = 0;
  for (int round = 0; round < 150; ++round) {
    std::string damaged = whole;
    if (round % 3 == 0) {
      damaged.resize(random() % damaged.size());
    } else {
      const std::size_t at = round % 3 == 1 ? random() % 4096 : random() % damaged.size();
      for (std::size_t i = at; i < std::min(damaged.size(), at + 16); ++i) damaged[i] = static_cast<char>(random());
    }
    write_file(file, damaged);
    const std::string message = message_of([&] {
      const CampaignStore store(directory.path(), round % 2 == 0 ? Mode::Read : Mode::Resume);
      static_cast<void>(store.program());
      static_cast<void>(store.tests());
      static_cast<void>(store.branches());
      static_cast<void>(store.runs());
      static_cast<void>(store.search());
    });
    refused += message.empty() ? 0 : 1;
    for (const char* ending : {"-wal", "-shm"}) fs::remove(file.string() + ending);
  }
  EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace plumb::result
