#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "lang/bip/property/property.h"
#include "unit/lang/bip/property/small_model.h"

namespace plumb::bip {
namespace {

constexpr std::array<std::string_view, 46> kPieces = {
    "forall",   "exists",    "a",       "b",         "in",   "Client", "client*",    "client?",
    ":",        "a.v",       "a.b",     "a.place",   "IDLE", "==",     "!=",         "=>",
    "&&",       "||",        "!",       "(",         ")",    "?",      "leads to",   "within",
    "3",        "-1",        "timer.t", "light",     "G",    "N",      "left.timer", "left.timer.t",
    "deadlock", "invariant", "pre",     "post",      ",",    "+",      "<",          "true",
    "name:",    ".",         "*",       "client1.b", "b.b",  "\\\n"};

/// Reads a text; says whether it could be, and fails the test if that ends in anything but an error in the text.
bool is_read(const Model& model, const std::string& text) {
  try {
    for (const Property& property : parse_properties(model, text, {"p", 1, 1})) {
      const State state = {std::vector<std::uint32_t>(model.components.size(), 0), Values(model.variables.size(), 0)};
      if (property.condition) holds(model, *property.condition, state);
      if (property.premise) holds(model, *property.premise, state);
    }
    return true;
  } catch (const UserError& error) {
    const auto lines = static_cast<std::uint32_t>(std::ranges::count(text, '\n')) + 1;
    EXPECT_GE(error.location().line, 1U) << text << "\n" << error.what();
    EXPECT_LE(error.location().line, lines) << text << "\n" << error.what();
    EXPECT_LE(error.location().column, text.size() + 1) << text << "\n" << error.what();
    EXPECT_FALSE(error.message().empty()) << text;
  } catch (const std::exception& error) {
    ADD_FAILURE() << text << "\n" << error.what();
  }
  return false;
}

TEST(PropertyMutation, ARowOfWordsIsReadOrRefusedInItsPlace) {
  const Model model = hand_made::small_model();
  std::mt19937 random(11);
  std::size_t read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::size_t length = random() % 8; length > 0; --length)
      text += std::string(kPieces[random() % kPieces.size()]) + (random() % 4 == 0 ? "" : " ");
    read += is_read(model, text) ? 1 : 0;
  }
  EXPECT_GT(read, 20U);
}

TEST(PropertyMutation, APropertyWithAChangeIsReadOrRefusedInItsPlace) {
  const Model model = hand_made::small_model();
  const std::vector<std::string> texts = {
      "in time: forall a, b in Client: a != b => a.v == b.v && a.place != b.place",
      "exists c in client?: forall t in left.*: c.v < t.t || c.place == WAIT",
      "forall c in Client: c.place == WAIT leads to c.place == DONE within 3",
      "invariant (light.place == G ? timer.t : timer.n) <= N",
  };
  std::mt19937 random(12);
  std::size_t read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = texts[random() % texts.size()];
    for (std::size_t changes = random() % 3 + 1; changes > 0; --changes) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 3) {
        case 0:
          text.erase(at, random() % 6);
          break;
        case 1:
          text.insert(at, kPieces[random() % kPieces.size()]);
          break;
        default:
          text.insert(at, 1, static_cast<char>(random() % 256));
      }
    }
    read += is_read(model, text) ? 1 : 0;
  }
  EXPECT_GT(read, 200U);
}

}  // namespace
}  // namespace plumb::bip
