#include <gtest/gtest.h>

#include "lang/bip/property/property.h"
#include "unit/lang/bip/property/small_model.h"

namespace plumb::bip {
namespace {

using hand_made::small_model;

struct Failure {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string message;
};

template <typename Read>
Failure failure(const Read& read) {
  try {
    read();
  } catch (const UserError& error) {
    EXPECT_EQ(error.location().file, "p.txt");
    return {error.location().line, error.location().column, error.message()};
  }
  return {};
}

TEST(PropertyFile, HasOnePropertyALine) {
  const Model model = small_model();
  const auto found = read_properties(model,
                                     "# all of them\n"
                                     "\n"
                                     "  client1.b   # the first\r\n"
                                     "deadlock\n"
                                     "two: client1.b \\\n"
                                     "   && client2.b \\   # goes on\n"
                                     "   && client3.b\n"
                                     "client1.b leads to client2.b within 3",
                                     "p.txt");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].kind, Property::Kind::Invariant);
  EXPECT_EQ(found[0].condition->text, "client1.b");
  EXPECT_EQ(found[0].location.to_string(), "p.txt:3:3");
  EXPECT_EQ(found[1].kind, Property::Kind::Deadlock);
  EXPECT_EQ(found[2].name, "two");
  EXPECT_EQ(found[2].condition->text, "client1.b && client2.b && client3.b");
  EXPECT_EQ(found[2].location.to_string(), "p.txt:5:1");
  EXPECT_EQ(found[3].kind, Property::Kind::Response);
  EXPECT_EQ(found[3].location.to_string(), "p.txt:8:1");
}

TEST(PropertyFile, WithoutPropertiesIsEmpty) {
  const Model model = small_model();
  EXPECT_TRUE(read_properties(model, "", "p.txt").empty());
  EXPECT_TRUE(read_properties(model, "# nothing\n\n \\\n\n", "p.txt").empty());
}

TEST(PropertyFile, AMistakeOnALineThatGoesOnIsPointedAtWhereItStands) {
  const Model model = small_model();
  const Failure found = failure([&] { read_properties(model, "\nclient1.b &&\\\n  client2.x\\\n&& true\n", "p.txt"); });
  EXPECT_EQ(found.line, 3U);
  EXPECT_EQ(found.column, 11U);
}

TEST(PropertyFile, APostGoesWithThePresBeforeIt) {
  const Model model = small_model();
  const auto found = read_properties(model,
                                     "pre client1.b\n"
                                     "post client1.v >= 0\n"
                                     "deadlock\n"
                                     "pre client2.b || client3.b\n"
                                     "second: post client2.v >= 0\n"
                                     "post the third: client3.v >= 0\n",
                                     "p.txt");
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].kind, Property::Kind::Contract);
  EXPECT_EQ(found[0].name, "contract");
  EXPECT_EQ(found[0].premise->text, "client1.b");
  EXPECT_EQ(found[0].condition->text, "client1.v >= 0");
  EXPECT_EQ(found[2].name, "second");
  EXPECT_EQ(found[2].premise->text, "(client1.b) && (client2.b || client3.b)");
  EXPECT_EQ(to_text(*found[2].premise->expression), "client1.b && (client2.b || client3.b)");
  EXPECT_EQ(to_text(*found[3].premise->expression), "client1.b && (client2.b || client3.b)");
  EXPECT_EQ(found[3].name, "the third");
  EXPECT_EQ(to_text(*found[3].condition->expression), "client3.v >= 0");
}

TEST(PropertyFile, ASideOfAContractAloneIsAnError) {
  const Model model = small_model();
  const Failure post = failure([&] { read_properties(model, "client1.b\n post client1.b\n", "p.txt"); });
  EXPECT_EQ(post.line, 2U);
  EXPECT_EQ(post.column, 2U);
  EXPECT_EQ(post.message, "'post' has no 'pre' before it");
  const Failure pre =
      failure([&] { read_properties(model, "pre client1.b\npost client2.b\npre client3.b\n", "p.txt"); });
  EXPECT_EQ(pre.line, 3U);
  EXPECT_EQ(pre.message, "'pre' has no 'post' behind it");
}

TEST(ContractFile, HasTwoLines) {
  const Model model = small_model();
  for (const std::string text :
       {"client1.b\nforall c in Client: c.v >= 0\n", "pre: client1.b\npost: forall c in Client: c.v >= 0\n",
        "# Fig. 5.3\npre client1.b\n\npost forall c in Client: \\\n c.v >= 0"}) {
    const Property found = read_contract(model, text, "p.txt");
    EXPECT_EQ(found.kind, Property::Kind::Contract);
    EXPECT_EQ(found.name, "contract");
    EXPECT_EQ(found.premise->text, "client1.b");
    EXPECT_EQ(found.condition->text, "forall c in Client: c.v >= 0");
  }
}

TEST(ContractFile, WithOtherThanTwoConditionsIsAnError) {
  const Model model = small_model();
  EXPECT_EQ(failure([&] { read_contract(model, "", "p.txt"); }).line, 1U);
  EXPECT_EQ(failure([&] { read_contract(model, "\nclient1.b\n", "p.txt"); }).line, 2U);
  EXPECT_EQ(failure([&] { read_contract(model, "client1.b\nclient2.b\n#\nclient3.b\n", "p.txt"); }).line, 4U);
  EXPECT_EQ(failure([&] { read_contract(model, "post client1.b\npre client2.b\n", "p.txt"); }).line, 1U);
  EXPECT_EQ(failure([&] { read_contract(model, "client1.b\ndeadlock\n", "p.txt"); }).line, 2U);
  EXPECT_EQ(
      failure([&] { read_contract(model, "client1.b\nclient1.b leads to client2.b within 3\n", "p.txt"); }).column,
      11U);
}

}  // namespace
}  // namespace plumb::bip
