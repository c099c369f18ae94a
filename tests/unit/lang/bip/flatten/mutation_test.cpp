#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>

#include "unit/lang/bip/flatten/model_text.h"

namespace plumb::bip {
namespace {

/// Words, numbers and single characters, with the blanks before them.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && std::isspace(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end < text.size() && is_word(text[end]))
      while (end < text.size() && is_word(text[end])) ++end;
    else if (end < text.size())
      ++end;
    pieces.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return pieces;
}

/// 0 for words, 1 for numbers, 2 for signs.
int kind_of(const std::string& piece) {
  const auto last = static_cast<unsigned char>(piece.back());
  if (std::isdigit(last) != 0) return 1;
  return std::isalpha(last) != 0 ? 0 : 2;
}

/// Mostly a word for another word, which parses more often than other damage.
std::string damaged(const std::vector<std::string>& pieces, std::mt19937& random) {
  std::vector<std::string> copy = pieces;
  std::size_t at = random() % copy.size();
  std::size_t other = random() % copy.size();
  switch (random() % 12) {
    case 0:
      copy.erase(copy.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      copy.insert(copy.begin() + static_cast<std::ptrdiff_t>(at), " " + pieces[other]);
      break;
    case 2:
      std::swap(copy[at], copy[other]);
      break;
    default:
      // Near words are often of the same sort.
      while (kind_of(pieces[at]) == 2) at = random() % copy.size();
      do other = std::min(at + 20, copy.size() - 1) - random() % std::min<std::size_t>(at + 1, 40);
      while (kind_of(pieces[at]) != kind_of(pieces[other]));
      copy[at] = " " + pieces[other];
  }
  return fmt::format("{}", fmt::join(copy, ""));
}

/// Has every construct once, so that one changed word often makes another model instead of a syntax error.
constexpr std::string_view kModel = R"(
  const data int N = 3
  atom type Clock(int most)
    data int t = 0
    port Sync tick()
    export port Int ring(t) as r
    export port Int ping(t) as r
    place S, T
    initial to S do { t = most / 2; }
    on tick from S to T provided (t < most) do { if (t > 1) { t = t - 1; } else { t = 2; } }
    on ring from T to S
    on ping from T to T
    internal from S to S provided (t == 7) do { t = 0; }
    priority x tick < ring provided (t > N)
  end
  connector type Max(Int a, Int b)
    data int m
    export port Int e(m)
    define a' b
    on a up { m = a.v; } down { a.v = m; }
    on a b provided (a.v != b.v) up { m = a.v + b.v; } down { a.v = m; b.v = m % N; }
  end
  connector type Sole(Int a)
    define a
  end
  compound type Box(int n, bool f)
    component Clock c(n + 1)
    component Cell d(f ? n : 0)
    connector Max k(d.put, c.r)
    connector Sole s(c.r)
    priority p k:* < s:c.r provided (d.x > 0)
    export port k.e as e
    export data d.x as y
  end
  compound type Top()
    component Box l(1, true), r(N, false)
    component A a(), b()
    connector Max k(l.e, r.e)
    connector Sole o(k.e)
    connector Two w(a.p, b.p)
    priority q w:a.p,b.p < *:*
    priority z w:* < o:k.e provided (l.y == r.y)
  end)";

TEST(Mutations, OfAModelAreModelsOrErrorsWithAPlace) {
  const std::string text = with_types(kModel);
  {
    std::vector<Warning> warnings;
    EXPECT_EQ(read_text(text, warnings).interactions.size(), 25u);
  }
  const std::vector<std::string> pieces = pieces_of(text);
  std::mt19937 random(11);
  int models = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::string mutant = damaged(pieces, random);
    std::vector<Warning> warnings;
    try {
      const Model model = read_text(mutant, warnings);
      ++models;
      // Everything is bound: these throw where it is not.
      interactions_of(model);
      priorities_of(model);
      components_of(model);
    } catch (const UserError& error) {
      EXPECT_GT(error.location().line, 0u) << error.what() << "\n" << mutant;
      EXPECT_FALSE(error.hint().starts_with("hint:")) << error.what();
    } catch (const std::exception& error) {
      FAIL() << error.what() << "\n" << mutant;
    }
  }
  EXPECT_GT(models, 50);
}

}  // namespace
}  // namespace plumb::bip
