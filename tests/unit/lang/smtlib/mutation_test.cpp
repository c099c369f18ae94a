// Mutants of the system tests' scripts: bytes changed, parts cut, doubled or exchanged. Whatever comes in, a run ends
// with answers or with a UserError, within its budget.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "lang/smtlib/script.h"

namespace plumb::smtlib {
namespace {

std::vector<std::string> corpus() {
  const std::filesystem::path root = std::filesystem::path(__FILE__).parent_path() / "../../../system/solve/cases";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (entry.path().extension() == ".smt2") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(read_file(path));
  return texts;
}

class Mutator {
 public:
  Mutator(std::uint64_t seed, std::vector<std::string> texts) : random_(seed), texts_(std::move(texts)) {}

  std::string next() {
    std::string text = texts_[below(texts_.size())];
    for (std::size_t i = 1 + below(4); i > 0; --i) mutate(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void mutate(std::string& text) {
    static constexpr std::string_view kInteresting[] = {"(",
                                                        ")",
                                                        "((",
                                                        "()",
                                                        " (push 1) ",
                                                        " (pop 1) ",
                                                        "(check-sat)",
                                                        " 0 ",
                                                        "-1",
                                                        "99999999999999999999",
                                                        "|",
                                                        "\"",
                                                        ";",
                                                        "\xff",
                                                        "#x",
                                                        "#b",
                                                        "let",
                                                        "!",
                                                        "_",
                                                        "(_ bv1 65536)",
                                                        "as",
                                                        "(reset)",
                                                        ":named a",
                                                        "true",
                                                        "#b1",
                                                        "Bool",
                                                        "(_ BitVec 1)",
                                                        "distinct",
                                                        "x",
                                                        "bvumulo",
                                                        "ite",
                                                        "(get-model)",
                                                        "(exit)",
                                                        "extract 0 1",
                                                        "repeat 70000"};
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(20), text.size() - at);
    switch (below(7)) {
      case 0:
        if (!text.empty()) text[at] = static_cast<char>(random_());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, texts_[below(texts_.size())].substr(0, below(200)));
        break;
      default:
        text.replace(at, below(2) * length, kInteresting[below(std::size(kInteresting))]);
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> texts_;
};

TEST(Mutation, AMutantEndsWithAnswersOrAUserError) {
  std::size_t accepted = 0;
  std::size_t refused = 0;
  Mutator mutator(20'000, corpus());
  for (int i = 0; i < 3000; ++i) {
    const std::string text = mutator.next();
    term::TermStore store;
    std::ostringstream out;
    const Budget budget = Budget().with_timeout(std::chrono::duration<double>(0.05));
    Script script(
        store,
        [](term::TermStore& s, const solve::SolverOptions& options) {
          return solve::make_solver(s, "native", options);
        },
        {budget, "0"}, out);
    const auto start = std::chrono::steady_clock::now();
    try {
      script.run(text, "mutant");
      ++accepted;
    } catch (const UserError& error) {
      ++refused;
      EXPECT_NE(error.location().line, 0U) << error.what() << "\n" << text;
    } catch (const std::exception& error) {
      FAIL() << "mutant " << i << ": " << error.what() << "\n" << text;
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << text;
  }
  EXPECT_GT(accepted, 100U);
  EXPECT_GT(refused, 100U);
}

}  // namespace
}  // namespace plumb::smtlib
