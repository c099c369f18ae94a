#include "cli/serve/options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/file.h"
#include "cli/campaign_options.h"

namespace plumb::cli {
namespace {

/// A command line of `plumb serve`, without the words before its options.
struct Parsed {
  explicit Parsed(std::vector<std::string> words) {
    add_serve_options(app, options, common);
    std::ranges::reverse(words);
    app.parse(std::move(words));
  }
  CLI::App app{"", "serve"};
  CommonOptions common;
  ServeOptions options;
};

TEST(ServeOptions, ListensOnLoopbackUnlessToldOtherwise) {
  EXPECT_EQ(server_options(Parsed({"control"}).options).listen, std::vector<std::string>{"127.0.0.1:7707"});
  const Parsed given({"--listen", "127.0.0.1:0", "--listen", "[::1]:0", "control"});
  EXPECT_EQ(server_options(given.options).listen, (std::vector<std::string>{"127.0.0.1:0", "[::1]:0"}));
  EXPECT_EQ(given.options.program, std::vector<std::string>{"control"});
}

TEST(ServeOptions, SerialLineAloneOpensNoPort) {
  const remote::ServerOptions server = server_options(Parsed({"--serial", "/dev/ttyS9:9600", "control"}).options);
  EXPECT_TRUE(server.listen.empty());
  EXPECT_EQ(server.serial, std::vector<std::string>{"/dev/ttyS9:9600"});
}

TEST(ServeOptions, SolverHasTwoNames) {
  EXPECT_EQ(Parsed({"--smt-solver", "z3", "control"}).options.search.engine.solver, "z3");
  EXPECT_EQ(Parsed({"--solver", "cvc5", "control"}).options.search.engine.solver, "cvc5");
}

TEST(ServeOptions, CampaignKeepsThePathOfTheTokenAndNeverTheToken) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "token").string();
  write_file(file, "correct horse battery staple\n");
  const Parsed parsed({"--listen", "127.0.0.1:0", "--token-file", file, "--address-file", "a", "--out", "o",
                       "--wait-for-targets", "2", "control"});
  EXPECT_EQ(server_options(parsed.options).token, "correct horse battery staple");
  const auto words = words_of(parsed.app);
  for (const char* name : {"PROGRAM", "--listen", "--token-file", "--wait-for-targets"})
    EXPECT_TRUE(words.contains(name)) << name;
  for (const char* name : {"--address-file", "--out", "--replay"}) EXPECT_FALSE(words.contains(name)) << name;
  for (const auto& [name, text] : words) EXPECT_EQ(text.find("horse"), std::string::npos) << name;

  Parsed resumed({"--resume", "--listen", "127.0.0.1:7"});
  restore_words(resumed.app, words);
  EXPECT_EQ(resumed.options.program, std::vector<std::string>{"control"});
  EXPECT_EQ(resumed.options.listen, std::vector<std::string>{"127.0.0.1:7"});
  EXPECT_EQ(resumed.options.token_file, file);
  EXPECT_EQ(resumed.options.wait_for_targets, 2U);
}

TEST(ServeOptions, OneProgramIsServed) { EXPECT_THROW(Parsed({"control", "other"}), CLI::ParseError); }

}  // namespace
}  // namespace plumb::cli
