#include "result/export/testcomp.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "result/xml_text.h"

namespace plumb::result {
namespace {

constexpr std::string_view kMetadataHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
    "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" "
    "\"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n";
constexpr std::string_view kTestHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
    "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" "
    "\"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n";

enum class Form : std::uint8_t { Signed, Unsigned, Bool, Float };

/// How the value of a nondet function of this type is written; nothing if it is the name of an object.
std::optional<Form> form_of(std::string_view type) {
  constexpr std::array kSigned = {"char",    "signed char", "short",  "int",     "long",    "long long",
                                  "int8",    "int16",       "int32",  "int64",   "int8_t",  "int16_t",
                                  "int32_t", "int64_t",     "loff_t", "ssize_t", "__int128"};
  constexpr std::array kUnsigned = {"size_t",  "sector_t", "uint8",    "uint16",   "uint32", "uint64",
                                    "uint8_t", "uint16_t", "uint32_t", "uint64_t", "char *", "void *"};
  const auto is = [&](std::string_view word) { return word == type; };
  if (type == "_Bool") return Form::Bool;
  if (type == "float" || type == "double" || type == "long double") return Form::Float;
  if (std::ranges::any_of(kSigned, is)) return Form::Signed;
  if (type.starts_with("unsigned ") || std::ranges::any_of(kUnsigned, is)) return Form::Unsigned;
  return std::nullopt;
}

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

std::string integer_text(std::span<const std::uint8_t> bytes, bool is_signed) {
  Wide number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | bytes[i];
  if (!is_signed) return fmt::format("{}", number);
  const auto shift = static_cast<unsigned>(128 - 8 * bytes.size());
  return fmt::format("{}", static_cast<SignedWide>(number << shift) >> shift);
}

template <class Number>
std::string number_text(std::span<const std::uint8_t> bytes) {
  Number number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  return fmt::format("{}", number);
}

std::string float_text(std::span<const std::uint8_t> bytes) {
  if (bytes.size() == sizeof(float)) return number_text<float>(bytes);
  return bytes.size() == sizeof(double) ? number_text<double>(bytes) : number_text<long double>(bytes);
}

std::string value_text(std::span<const std::uint8_t> bytes, Form form) {
  if (form == Form::Float) return float_text(bytes);
  if (form == Form::Bool) return (bytes[0] & 1) != 0 ? "1" : "0";
  return integer_text(bytes, form == Form::Signed);
}

bool is_scalar(std::size_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

std::string input_elements(const TestInput& input) {
  if (input.bytes.empty()) return {};
  const std::string name = xml_text(input.name);
  if (const auto form = form_of(input.name); form && input.bytes.size() <= 16)
    return fmt::format("  <input type=\"{}\">{}</input>\n", name, value_text(input.bytes, *form));
  if (!name.empty() && is_scalar(input.bytes.size()))
    return fmt::format("  <input variable=\"{}\">{}</input>\n", name, value_text(input.bytes, Form::Signed));
  std::string elements;
  for (std::size_t i = 0; i < input.bytes.size(); ++i) {
    const std::string variable = name.empty() ? "" : fmt::format(" variable=\"{}[{}]\"", name, i);
    elements += fmt::format("  <input{} type=\"unsigned char\">{}</input>\n", variable, input.bytes[i]);
  }
  return elements;
}

std::string test_text(const StoredTest& test) {
  std::string text(kTestHead);
  text += reaches_error(test) ? "<testcase coversError=\"true\">\n" : "<testcase>\n";
  for (const TestInput& input : test.test.inputs) text += input_elements(input);
  return text + "</testcase>\n";
}

std::string metadata_text(const SuiteProgram& program, const TestCompFacts& facts) {
  const std::string specification = fmt::format("COVER( init({}()), FQL(COVER EDGES({})) )", program.entry,
                                                facts.covers_error_call ? "@CALL(reach_error)" : "@DECISIONEDGE");
  const std::pair<std::string_view, std::string> elements[] = {
      {"sourcecodelang", "C"},
      {"producer", facts.producer},
      {"specification", specification},
      {"programfile", fmt::format("{}", fmt::join(program.files, " "))},
      {"programhash", facts.program_hash},
      {"entryfunction", program.entry},
      {"architecture", fmt::format("{}bit", program.word_size)},
      {"creationtime", facts.creation_time}};
  std::string text(kMetadataHead);
  text += "<test-metadata>\n";
  for (const auto& [name, value] : elements) text += fmt::format("  <{0}>{1}</{0}>\n", name, xml_text(value));
  return text + "</test-metadata>\n";
}

}  // namespace

std::string_view testcomp_metadata_head() { return kMetadataHead; }
std::string_view testcomp_test_head() { return kTestHead; }

Export to_testcomp(std::span<const StoredTest> tests, const SuiteProgram& program, const TestCompFacts& facts) {
  Export result;
  result.files.push_back({"metadata.xml", metadata_text(program, facts)});
  Losses losses;
  for (const StoredTest& test : tests) {
    result.files.push_back({fmt::format("testcase-{:06}.xml", test.number), test_text(test)});
    if (test.test.environment != Environment{})
      losses.add(test, "arguments, files, standard input or variables, which Test-Comp's format does not have");
  }
  result.losses = losses.sentences();
  return result;
}

}  // namespace plumb::result
