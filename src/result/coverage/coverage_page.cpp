#include "result/coverage/coverage_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

#include "result/xml_text.h"

namespace plumb::result {
namespace {

constexpr std::string_view kStyle = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #222; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25em .8em .25em 0; border-bottom: 1px solid #ddd; vertical-align: top; }
th { font-weight: 600; border-bottom: 2px solid #999; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.total td { font-weight: 600; border-top: 2px solid #999; }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.failed { color: #b00020; font-weight: 600; } .different { color: #8a5a00; }
.bar { display: inline-block; width: 5em; height: .6em; background: #e6e6e6; margin-left: .6em; }
.bar i { display: block; height: 100%; background: #3a7d44; }
a { color: #1a4f8b; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #ddd; } th, td { border-color: #333; } a { color: #8ab4e8; }
  .bar { background: #333; } .failed { color: #ff7a8a; } .different { color: #e0b060; }
}
)";

std::string ratio_cell(const Ratio& ratio) {
  if (ratio.total == 0) return "<td class=\"number\">–</td>";
  return fmt::format(
      "<td class=\"number\" title=\"{0}\">{0} ({1})<span class=\"bar\"><i style=\"width:{2}%\"></i></span></td>",
      counts(ratio), percent(ratio), 100 * ratio.covered / ratio.total);
}

std::string ratio_cells(const CoverageSummary& summary) {
  return ratio_cell(summary.lines) + ratio_cell(summary.branches) + ratio_cell(summary.conditions);
}

/// Where llvm-cov puts the page of a file.
std::string page_of(const CoveragePage& page, const std::string& file) {
  std::string address;
  for (const char c : page.sources + "/coverage" + file + ".html") {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("/._-~+", c) != nullptr;
    address += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address;
}

std::string files_table(const CoveragePage& page) {
  std::string rows;
  for (const FileCoverage& file : page.coverage.files)
    rows += fmt::format("<tr><td><a href=\"{}\">{}</a></td>{}</tr>\n", page_of(page, file.file),
                        xml_text(shown_name(file.file, page.base)), ratio_cells(file.summary));
  return fmt::format(
      "<table><tr><th>File</th><th class=\"number\">Lines</th><th class=\"number\">Branches</th>"
      "<th class=\"number\">Conditions (MC/DC)</th></tr>\n{}<tr class=\"total\"><td>Total</td>{}</tr></table>\n",
      rows, ratio_cells(page.coverage.totals()));
}

std::string reasons_table(const CoveragePage& page) {
  std::map<std::string, std::size_t> counts_by_reason;
  for (const UncoveredSide& side : page.uncovered) ++counts_by_reason[describe(side)];
  std::string rows;
  for (const auto& [reason, count] : counts_by_reason)
    rows += fmt::format("<tr><td>{}</td><td class=\"number\">{}</td></tr>\n", xml_text(reason), count);
  return fmt::format("<table><tr><th>Why</th><th class=\"number\">Sides</th></tr>\n{}</table>\n", rows);
}

std::string uncovered_table(const CoveragePage& page) {
  if (page.uncovered.empty()) return "<p>Every side of every condition was taken.</p>\n";
  std::string rows;
  for (const UncoveredSide& side : page.uncovered)
    rows += fmt::format(
        "<tr><td><a href=\"{}#L{}\">{}:{}:{}</a>{}</td><td><code>{}</code></td><td><code>{}</code></td>"
        "<td>{}</td></tr>\n",
        page_of(page, side.file), side.place.line, xml_text(shown_name(side.file, page.base)), side.place.line,
        side.place.column, side.is_in_macro ? " (macro)" : "", xml_text(side.function), xml_text(side.side),
        xml_text(describe(side)));
  return reasons_table(page) +
         fmt::format("<p></p><table><tr><th>Place</th><th>Function</th><th>Side</th><th>Why</th></tr>\n{}</table>\n",
                     rows);
}

std::string tests_table(const CoveragePage& page) {
  std::string rows;
  for (const CoveragePage::Test& test : page.tests) {
    const std::string_view style = test.is_failure     ? " class=\"failed\""
                                   : test.is_different ? " class=\"different\""
                                                       : "";
    const std::string recorded = test.is_different ? fmt::format(" (recorded: {})", test.recorded) : "";
    rows += fmt::format("<tr><td class=\"number\">{}</td><td><code>{}</code></td><td{}>{}{}</td></tr>\n", test.number,
                        xml_text(test.inputs), style, xml_text(test.end), xml_text(recorded));
  }
  return fmt::format("<table><tr><th class=\"number\">Test</th><th>Input</th><th>End</th></tr>\n{}</table>\n", rows);
}

void put_byte(std::string& text, unsigned char c) {
  if (c == '"' || c == '\\') {
    text += fmt::format("\\{}", static_cast<char>(c));
  } else if (c == '\n') {
    text += "\\n";
  } else if (c < 0x20 || c > 0x7e) {
    text += fmt::format("\\x{:02x}", c);
  } else {
    text += static_cast<char>(c);
  }
}

template <typename Bytes>
std::string in_quotes(const Bytes& bytes) {
  std::string text = "\"";
  for (const auto c : bytes) put_byte(text, static_cast<unsigned char>(c));
  return text + "\"";
}

std::string argument_text(const std::string& argument) {
  const bool is_plain = !argument.empty() && std::ranges::all_of(argument, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("-_=+./,:@%", c) != nullptr;
  });
  return is_plain ? argument : in_quotes(argument);
}

std::string input_text(const TestInput& input) {
  std::uint64_t value = 0;
  if (input.bytes.size() > sizeof value) return fmt::format("{}={}", input.name, in_quotes(input.bytes));
  std::memcpy(&value, input.bytes.data(), input.bytes.size());
  const auto unused = 64 - 8 * input.bytes.size();
  const std::int64_t number = unused == 64 ? 0 : static_cast<std::int64_t>(value << unused) >> unused;
  return fmt::format("{}={}", input.name, number);
}

}  // namespace

std::string counts(const Ratio& ratio) { return fmt::format("{}/{}", ratio.covered, ratio.total); }

std::string percent(const Ratio& ratio) {
  if (ratio.total == 0) return {};
  // Rounded down, lest 100 % is said of less.
  const std::uint64_t tenths = 1000 * ratio.covered / ratio.total;
  return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

std::string shown_name(const std::string& file, const std::filesystem::path& base) {
  if (base.empty()) return file;
  const std::filesystem::path relative = std::filesystem::path(file).lexically_relative(base);
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

std::string short_text(const TestCase& test, std::size_t length) {
  std::vector<std::string> words;
  for (const auto& [name, value] : test.environment.variables)
    words.push_back(fmt::format("{}={}", name, in_quotes(value)));
  for (const std::string& argument : test.environment.arguments) words.push_back(argument_text(argument));
  if (test.environment.standard_input)
    words.push_back(fmt::format("stdin={}", in_quotes(*test.environment.standard_input)));
  for (const Environment::File& file : test.environment.files)
    words.push_back(fmt::format("file {}={}", file.name, in_quotes(file.bytes)));
  if (!test.environment.failing_calls.empty())
    words.push_back(fmt::format("failing calls {}", fmt::join(test.environment.failing_calls, ", ")));
  for (const TestInput& input : test.inputs) words.push_back(input_text(input));
  std::string text = fmt::format("{}", fmt::join(words, " "));
  if (text.size() > length) text = text.substr(0, length) + "…";
  return text;
}

std::string to_html(const CoveragePage& page) {
  std::string notes;
  for (const std::string& note : page.notes) notes += fmt::format("<p>{}</p>\n", xml_text(note));
  return fmt::format(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>{}"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
      "<title>Coverage of {}</title><style>{}</style></head><body>\n<h1>Coverage of {}</h1>\n{}{}"
      "<p><a href=\"{}/index.html\">Sources with counts</a></p>\n"
      "<h2>Not covered</h2>\n{}<h2>Tests</h2>\n{}</body></html>\n",
      kPageMark, xml_text(page.program), kStyle, xml_text(page.program), notes, files_table(page), page.sources,
      uncovered_table(page), tests_table(page));
}

}  // namespace plumb::result
