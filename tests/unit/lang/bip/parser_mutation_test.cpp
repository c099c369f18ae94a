#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "lang/bip/syntax/lexer.h"
#include "lang/bip/syntax/parser.h"
#include "unit/lang/bip/parse.h"

namespace plumb::bip {
namespace {

/// It is read, or has an error with a place in the text; anything else ends the test.
void expect_survival(const std::string& text) {
  try {
    parse(text);
  } catch (const UserError& error) {
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n') + 1);
    EXPECT_GE(error.location().line, 1U) << error.what();
    EXPECT_LE(error.location().line, lines) << error.what();
    EXPECT_GE(error.location().column, 1U) << error.what();
    EXPECT_FALSE(error.message().empty());
  }
}

TEST(BipParserMutation, AModelThatIsCutAnywhereIsAnError) {
  const std::size_t end = kEveryConstruct.rfind("end") + 3;
  for (std::size_t i = 0; i < end; ++i) {
    const std::string text = kEveryConstruct.substr(0, i);
    EXPECT_NE(error_of(text), "accepted") << i;
    expect_survival(text);
  }
}

TEST(BipParserMutation, AnyMutationOfBytesGivesAModelOrAnError) {
  std::mt19937 random(11);
  const std::string alphabet = std::string(1, '\0') + "(){}[]<>=!&|^~+-*/%?:;,.'\"@#$ \n\x80\xff" + "019aZ_";
  for (std::size_t i = 0; i < kEveryConstruct.size(); ++i) {
    expect_survival(kEveryConstruct.substr(0, i) + kEveryConstruct.substr(i + 1));
    expect_survival(kEveryConstruct.substr(i));
    std::string changed = kEveryConstruct;
    changed[i] = alphabet[random() % alphabet.size()];
    expect_survival(changed);
    changed = kEveryConstruct;
    changed.insert(i, 1, alphabet[random() % alphabet.size()]);
    expect_survival(changed);
  }
}

TEST(BipParserMutation, AnyMutationOfTokensGivesAModelOrAnError) {
  Tokens tokens(kEveryConstruct, "m.bip");
  std::vector<std::string> words;
  while (!tokens.is_at_end()) words.emplace_back(tokens.next().text);
  const auto joined = [](const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& word : list) text += word + " ";
    return text;
  };
  ASSERT_EQ(error_of(joined(words)), "accepted");
  std::mt19937 random(13);
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::string> changed = words;
    for (std::size_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = random() % changed.size();
      const std::size_t other = random() % changed.size();
      switch (random() % 4) {
        case 0:
          changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 1:
          changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), changed[other]);
          break;
        case 2:
          std::swap(changed[at], changed[other]);
          break;
        default:
          changed[at] = changed[other];
      }
    }
    expect_survival(joined(changed));
  }
}

}  // namespace
}  // namespace plumb::bip
