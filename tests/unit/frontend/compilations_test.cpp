#include "frontend/compilations.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "base/error.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

class CompilationsTest : public testing::Test {
 protected:
  CompileJob job(const std::string& name, std::vector<std::string> flags = {}) const {
    return {directory_.path() / name, {}, std::move(flags)};
  }
  void write(const std::string& name, const std::string& text) const { write_file(directory_.path() / name, text); }

  TemporaryDirectory directory_;
  Compilations compilations_;
};

TEST_F(CompilationsTest, ASourceIsReadOnceForAllWhoAskTheSame) {
  write("a.c", "int a;\n");
  write("b.c", "int b;\n");
  const std::vector<fs::path> first = compilations_.compile({job("a.c")}, {}, {});
  write("a.c", "this is no C\n");
  EXPECT_EQ(compilations_.compile({job("b.c"), job("a.c")}, {}, {}).at(1), first.at(0));
  EXPECT_TRUE(fs::exists(first.at(0)));
}

TEST_F(CompilationsTest, WhatChangesTheBitcodeIsAnotherCompilation) {
  write("a.c", "int a;\n");
  std::set<fs::path> files;
  files.insert(compilations_.compile({job("a.c")}, {}, {}).at(0));
  files.insert(compilations_.compile({job("a.c", {"-DX"})}, {}, {}).at(0));
  files.insert(compilations_.compile({job("a.c")}, {.word_size = 32}, {}).at(0));
  files.insert(compilations_.compile({job("a.c")}, {.optimisation = 1}, {}).at(0));
  files.insert(compilations_.compile({job("a.c")}, {.has_inline_bodies = true}, {}).at(0));
  EXPECT_EQ(files.size(), 5U);
  EXPECT_THROW(compilations_.compile({job("a.c", {"-Dint=?"})}, {}, {}), UserError);
}

TEST_F(CompilationsTest, ThreadsThatAskForTheSameShareIt) {
  write("a.c", "int a;\n");
  std::vector<fs::path> files(4);
  {
    std::vector<std::jthread> threads;
    for (fs::path& file : files)
      threads.emplace_back([&] { file = compilations_.compile({job("a.c")}, {}, {}).at(0); });
  }
  EXPECT_EQ(std::set<fs::path>(files.begin(), files.end()).size(), 1U);
}

}  // namespace
}  // namespace plumb::frontend
