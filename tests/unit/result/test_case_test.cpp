#include "result/test_case.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "base/error.h"
#include "base/file.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

std::string message_of_text(std::string_view text) {
  return message_of([&] { parse_test_case(text, "t.json"); });
}

/// The bytes of the only input of a test.
Bytes bytes_of(const std::string& element) {
  const TestCase test = parse_test_case("{\"inputs\": [" + element + "]}", "t.json");
  EXPECT_EQ(test.inputs.size(), 1u);
  return test.inputs.at(0).bytes;
}

TEST(TestCase, WhatIsWrittenIsReadBack) {
  TestCase test;
  for (const char* name : {"int", "unsigned int", "float", "", "a \"quoted\" name\n", "größe"})
    for (std::size_t size = 0; size < 20; ++size) {
      Bytes bytes;
      for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 91 + size * 37));
      test.inputs.push_back({name, bytes});
    }
  EXPECT_EQ(parse_test_case(to_json(test), "t.json"), test);
  EXPECT_EQ(parse_test_case(to_json({}), "t.json"), TestCase{});
}

TEST(TestCase, ValuesThatNothingSetAreReadBack) {
  TestCase test;
  test.unset = {{"main.x:12", 0, 0, {5, 0, 0, 0}}, {"f.s:3#2", 7, 16, {1, 2, 3}}};
  EXPECT_EQ(parse_test_case(to_json(test), "t.json"), test);
  EXPECT_NE(message_of_text(R"({"inputs": [], "uninitialised": [{"site": 3}]})"), "no error");
  EXPECT_NE(message_of_text(R"({"inputs": [], "uninitialised": 3})"), "no error");
}

TEST(TestCase, AnEnvironmentIsReadBack) {
  TestCase test;
  test.environment.arguments = {"",
                                "-n",
                                "a \"b\"\n",
                                "gr\xc3\xb6\xc3\x9f"
                                "e",
                                "\xff\xfe",
                                "\xc3"};
  test.environment.standard_input = Bytes{};
  test.environment.files = {{"A", {0, 255, 10}}, {"B", {}}};
  test.environment.variables = {{"EMPTY", ""}, {"LANG", "C"}, {"RAW", "\x80"}};
  test.environment.failing_calls = {0, 4294967295u};
  EXPECT_EQ(parse_test_case(to_json(test), "t.json"), test);
  for (unsigned byte = 1; byte < 256; ++byte) {
    TestCase one;
    one.environment.arguments = {std::string(1, static_cast<char>(byte))};
    EXPECT_EQ(parse_test_case(to_json(one), "t.json"), one);
  }
}

TEST(TestCase, AScheduleIsReadBack) {
  TestCase test;
  test.inputs = {{"int", {1, 0, 0, 0}}};
  test.schedule = {{0, 12}, {3, 0}, {1, ~std::uint64_t{0}, 3}};
  EXPECT_EQ(parse_test_case(to_json(test), "t.json"), test);
  EXPECT_EQ(parse_test_case(R"({"schedule": [{"thread": 1, "operations": 2}]})", "t.json").schedule,
            (Schedule{{1, 2}}));
  EXPECT_EQ(to_json(TestCase{}).find("schedule"), std::string::npos);
}

TEST(TestCase, AScheduleThatIsNoneIsRefusedWithItsStep) {
  for (const char* steps :
       {"3", "[3]", R"([{"thread": 1}])", R"([{"operations": 1}])", R"([{"thread": -1, "operations": 1}])",
        R"([{"thread": 4294967295, "operations": 1}])", R"([{"thread": 1, "operations": 1, "woken": "x"}])"})
    EXPECT_NE(message_of_text(std::string("{\"schedule\": ") + steps + "}").find("t.json:1:2: "), std::string::npos)
        << steps;
}

TEST(TestCase, AnEnvironmentThatIsNotThereIsNotWritten) {
  EXPECT_EQ(to_json({}).find("environment"), std::string::npos);
  TestCase test;
  test.environment.arguments = {"x"};
  const std::string text = to_json(test);
  EXPECT_NE(text.find("\"arguments\""), std::string::npos);
  EXPECT_EQ(text.find("stdin"), std::string::npos);
  EXPECT_EQ(text.find("failing_calls"), std::string::npos);
}

TEST(TestCase, AnEnvironmentNeedsNoInputs) {
  const TestCase test = parse_test_case(R"({"environment": {"arguments": ["x", {"bytes": "FF"}]}})", "t.json");
  EXPECT_EQ(test.environment.arguments, (std::vector<std::string>{"x", "\xff"}));
  EXPECT_TRUE(test.inputs.empty());
}

TEST(TestCase, EnvironmentsThatCannotBeAreRefused) {
  const auto message = [](const std::string& part) {
    return message_of_text("{\"inputs\": [],\n \"environment\": {" + part + "}}");
  };
  EXPECT_EQ(message(""), "no error");
  EXPECT_TRUE(message(R"("arguments": 3)").starts_with("t.json:2:2: error: \"arguments\" is not a list"));
  EXPECT_NE(message(R"("arguments": [3])").find("neither a text nor"), std::string::npos);
  EXPECT_NE(message(R"("arguments": ["a\u0000b"])").find("zero byte"), std::string::npos);
  EXPECT_NE(message(R"("stdin": "0g")").find("hexadecimal"), std::string::npos);
  EXPECT_NE(message(R"("stdin": "000")").find("hexadecimal"), std::string::npos);
  for (const char* name : {"", ".", "..", "/etc/passwd", "../x"})
    EXPECT_NE(message("\"files\": [{\"name\": \"" + std::string(name) + "\", \"bytes\": \"\"}]").find("not the name"),
              std::string::npos)
        << name;
  EXPECT_NE(message(R"("variables": {"A=B": "c"})").find("cannot be the name"), std::string::npos);
  EXPECT_NE(message(R"("failing_calls": [-1])").find("numbers of calls"), std::string::npos);
  EXPECT_NE(message_of_text(R"({"environment": []})").find("not an object"), std::string::npos);
}

TEST(TestCase, EveryByteIsReadBackFromItsValueAndFromItsDigits) {
  for (unsigned byte = 0; byte < 256; ++byte) {
    const Bytes expected = {static_cast<std::uint8_t>(byte)};
    const int as_signed = byte < 128 ? static_cast<int>(byte) : static_cast<int>(byte) - 256;
    for (const int value : {static_cast<int>(byte), as_signed})
      EXPECT_EQ(bytes_of("{\"name\": \"c\", \"width\": 8, \"value\": " + std::to_string(value) + "}"), expected);
    for (const char* name : {"char", "unsigned char"}) {
      const TestCase test{{{name, expected}}};
      EXPECT_EQ(parse_test_case(to_json(test), "t.json"), test);
    }
  }
}

TEST(TestCase, ShowsPeopleTheValueWithTheSignOfItsType) {
  const auto text = [](const char* name, Bytes bytes) { return to_json({{{name, std::move(bytes)}}}); };
  EXPECT_NE(text("int", {0xfd, 0xff, 0xff, 0xff}).find("\"value\": -3"), std::string::npos);
  EXPECT_NE(text("unsigned int", {0xfd, 0xff, 0xff, 0xff}).find("\"value\": 4294967293"), std::string::npos);
  EXPECT_EQ(text("float", {0, 0, 0x80, 0x3f}).find("\"value\""), std::string::npos);
  EXPECT_EQ(text("name", {1, 2, 3}).find("\"value\""), std::string::npos);
}

TEST(TestCase, TakesValuesWithAWidthAndPlainNumbers) {
  EXPECT_EQ(bytes_of(R"({"name": "n", "value": -3, "width": 32})"), (Bytes{0xfd, 0xff, 0xff, 0xff}));
  EXPECT_EQ(bytes_of(R"({"value": 1, "width": 1})"), (Bytes{1}));
  EXPECT_EQ(bytes_of(R"({"value": -1, "width": 12})"), (Bytes{0xff, 0x0f}));
  EXPECT_EQ(bytes_of("18446744073709551615"), Bytes(8, 0xff));
  EXPECT_EQ(bytes_of("-1"), Bytes(8, 0xff));
  EXPECT_EQ(bytes_of("258"), (Bytes{2, 1, 0, 0, 0, 0, 0, 0}));
}

TEST(TestCase, ValuesThatDoNotFitAreRefused) {
  for (const int width : {1, 7, 8, 12}) {
    for (int value = -5000; value <= 5000; ++value) {
      const bool fits = value >= -(1 << (width - 1)) && value < (1 << width);
      const std::string text =
          "{\"inputs\": [{\"value\": " + std::to_string(value) + ", \"width\": " + std::to_string(width) + "}]}";
      EXPECT_EQ(message_of_text(text) == "no error", fits) << text;
    }
  }
}

TEST(TestCase, ErrorsNameTheirPlace) {
  EXPECT_TRUE(message_of_text("{\n  \"inputs\": [1, ]\n}").starts_with("t.json:2:17: error: this is not JSON"));
  EXPECT_TRUE(message_of_text("").starts_with("t.json:1:1: error: this is not JSON"));
  EXPECT_TRUE(message_of_text("\n [1]").starts_with("t.json:2:2: error: a test is an object"));
  EXPECT_TRUE(message_of_text("{}").starts_with("t.json:1:1: error: a test needs a list"));
  const std::string before = "{\"x\": [1, {\"inputs\": [7]}], \"inputs\": [\n 1, {\"bytes\": \"a,]\\\"\"},\n  ";
  EXPECT_TRUE(message_of_text(before + "2]}").starts_with("t.json:2:5: error: \"bytes\" has ',',"));
  const std::string good = "{\"inputs\": [{\"name\": \"[,\\\"]\", \"bytes\": \"00\"},\n [],";
  EXPECT_TRUE(message_of_text(good + "1]}").starts_with("t.json:2:2: error: expected an input"));
}

TEST(TestCase, ContradictionsAndNonsenseAreRefused) {
  const auto message = [](const std::string& element) { return message_of_text("{\"inputs\": [" + element + "]}"); };
  EXPECT_NE(message(R"({"bytes": "2a000000", "value": 43})").find("keep one of them"), std::string::npos);
  EXPECT_EQ(message(R"({"bytes": "ff", "value": -1})"), "no error");
  EXPECT_EQ(message(R"({"bytes": "ff", "value": 255})"), "no error");
  EXPECT_NE(message(R"({"bytes": "123"})").find("odd number of digits"), std::string::npos);
  EXPECT_NE(message(R"({"name": "x"})").find("neither"), std::string::npos);
  EXPECT_NE(message(R"({"name": 3, "bytes": ""})").find("\"name\" is not a text"), std::string::npos);
  EXPECT_NE(message(R"({"value": 1, "width": 65})").find("from 1 to 64"), std::string::npos);
  EXPECT_NE(message(R"({"value": 1.5})").find("not an integer"), std::string::npos);
  EXPECT_NE(message("99999999999999999999").find("expected an input"), std::string::npos);
}

TEST(TestCase, ADirectoryGivesItsTestsByName) {
  const TemporaryDirectory directory;
  for (const int number : {3, 1, 2})
    write_file(directory.path() / (std::to_string(number) + ".json"),
               to_json({{{"int", {static_cast<std::uint8_t>(number)}}}}));
  write_file(directory.path() / "notes.txt", "not a test");
  const auto tests = read_test_cases(directory.path());
  ASSERT_EQ(tests.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(tests[i].first.filename(), std::to_string(i + 1) + ".json");
    EXPECT_EQ(tests[i].second.inputs[0].bytes[0], i + 1);
  }
  EXPECT_EQ(read_test_cases(directory.path() / "2.json").size(), 1u);
}

TEST(TestCase, WhatCannotBeReadIsSaid) {
  const TemporaryDirectory directory;
  EXPECT_NE(message_of([&] { read_test_cases(directory.path()); }).find("has no tests"), std::string::npos);
  EXPECT_NE(message_of([] { read_test_cases("/nowhere"); }).find("No such file"), std::string::npos);
}

}  // namespace
}  // namespace plumb::result
