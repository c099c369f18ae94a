#include "check/yaml.h"

#include <gtest/gtest.h>

#include <string>

namespace plumb::check {
namespace {

/// The document in a form without layout.
std::string shape(const YamlNode& node) {
  std::string text;
  switch (node.kind) {
    case YamlNode::Kind::Null:
      return "~";
    case YamlNode::Kind::Scalar:
      return node.is_quoted ? "'" + node.text + "'" : node.text;
    case YamlNode::Kind::Sequence:
      for (const YamlNode& item : node.items) text += (text.empty() ? "" : ",") + shape(item);
      return "[" + text + "]";
    case YamlNode::Kind::Mapping:
      for (const YamlNode::Entry& entry : node.entries)
        text += (text.empty() ? "" : ",") + entry.key + ":" + shape(entry.value);
      return "{" + text + "}";
  }
  return text;
}

std::string read(const std::string& text) { return shape(parse_yaml(text, "f.yml")); }

/// `line:column: message` of what is wrong with the text.
std::string complaint(const std::string& text) {
  try {
    parse_yaml(text, "f.yml");
  } catch (const UserError& error) {
    return std::to_string(error.location().line) + ":" + std::to_string(error.location().column) + ": " +
           error.message();
  }
  return "none";
}

TEST(Yaml, ReadsBlocksInsideOfBlocks) {
  EXPECT_EQ(read("a: 1\nb:\n  c: x y\n  d:\n    - 1\n    - e: 2\n      f: 3\ng: 4\n"),
            "{a:1,b:{c:x y,d:[1,{e:2,f:3}]},g:4}");
}

TEST(Yaml, AListMayStandInTheColumnOfItsKey) { EXPECT_EQ(read("a:\n- 1\n- 2\nb: 3\n"), "{a:[1,2],b:3}"); }

TEST(Yaml, ReadsNestedLists) { EXPECT_EQ(read("- - 1\n  - 2\n-\n  - 3\n-\n- x: 4\n"), "[[1,2],[3],~,{x:4}]"); }

TEST(Yaml, ReadsFlowCollectionsOverSeveralLines) {
  EXPECT_EQ(read("a: [1, 'b, c', {d: e, f: []},\n    g] # end\nh: {}\n"), "{a:[1,'b, c',{d:e,f:[]},g],h:{}}");
}

TEST(Yaml, QuotesKeepWhatPlainScalarsCannotHave) {
  EXPECT_EQ(read("a: 'it''s: #1'\nb: \"t\\tn\\\"\"\nc: x#y\nd: http://e\n"),
            "{a:'it's: #1',b:'t\tn\"',c:x#y,d:http://e}");
}

TEST(Yaml, NothingAndNullAreNull) {
  EXPECT_EQ(read(""), "~");
  EXPECT_EQ(read("# only a comment\n\n"), "~");
  EXPECT_EQ(read("a:\nb: ~\nc: null\nd: 'null'\n"), "{a:~,b:~,c:~,d:'null'}");
}

TEST(Yaml, DocumentMarksAndByteOrderMarksAreSkipped) {
  EXPECT_EQ(read("\xEF\xBB\xBF# x\n---\na: 1\n...\n"), "{a:1}");
  EXPECT_EQ(read("---\r\na: 1\r\nb:\r\n  - 2\r\n"), "{a:1,b:[2]}");
}

TEST(Yaml, MistakesHaveTheirPlace) {
  EXPECT_EQ(complaint("a: 1\n  b: 2\n"), "2:3: indented further than what it belongs to");
  EXPECT_EQ(complaint("a: 1\nb\n"), "2:2: a colon is missing after 'b'");
  EXPECT_EQ(complaint("a: 1\na: 2\n"), "2:1: 'a' is there twice");
  EXPECT_EQ(complaint("a: 'x\nb: 1\n"), "1:4: the quote is not closed on its line");
  EXPECT_EQ(complaint("a: [1, 2\n"), "1:4: this is never closed by ']'");
  EXPECT_EQ(complaint("a: {b: 1 c: 2}\n"), "1:11: a comma or '}' is expected");
  EXPECT_EQ(complaint("a:\n\t- 1\n"), "2:2: a tab in the indentation");
  EXPECT_EQ(complaint("a: b: c\n"), "1:5: a mapping that begins behind a key");
  EXPECT_EQ(complaint("a: - b\n"), "1:4: a list that begins behind a key");
  EXPECT_EQ(complaint("a: 1\n---\nb: 2\n"), "2:1: a second document begins here");
  EXPECT_EQ(complaint("  a: 1\nb: 2\n"), "2:1: this belongs to nothing before it");
  EXPECT_EQ(complaint("a: \"\\q\"\n"), "1:6: '\\q' is an escape that is not read here");
}

TEST(Yaml, WhatIsNotReadIsRefusedByName) {
  for (const std::string text : {"a: &x 1\n", "a: *x\n", "a: !!str 1\n", "a: |\n  text\n", "a: >\n  text\n", "? a\n"})
    EXPECT_NE(complaint(text).find("not read here"), std::string::npos) << text;
}

TEST(Yaml, DeepNestingIsRefusedAndNotRecursedInto) {
  EXPECT_NE(complaint(std::string(100'000, '[')).find("levels deep"), std::string::npos);
  std::string lists;
  for (int i = 0; i < 50'000; ++i) lists += "- ";
  EXPECT_NE(complaint(lists + "x").find("levels deep"), std::string::npos);
}

}  // namespace
}  // namespace plumb::check
