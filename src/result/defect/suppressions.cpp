#include "result/defect/suppressions.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/file.h"
#include "base/spelling.h"
#include "result/defect/defect_kinds.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

bool is_match(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

/// The whole name, or what stands after one of its slashes.
bool is_file_match(const std::string& pattern, std::string file) {
  if (file.starts_with("./")) file.erase(0, 2);
  if (is_match(pattern, file)) return true;
  if (pattern.starts_with('/')) return false;
  for (std::size_t slash = file.find('/'); slash != std::string::npos; slash = file.find('/', slash + 1))
    if (is_match(pattern, file.substr(slash + 1))) return true;
  return false;
}

std::string kinds_hint(std::string_view word) {
  std::vector<std::string_view> ids;
  for (const DefectKind& kind : defect_kinds()) ids.push_back(kind.id);
  if (const std::string_view near = nearest_name(word, ids); !near.empty())
    return fmt::format("did you mean '{}'?", near);
  return fmt::format("the kinds are * (all) and {}", fmt::join(ids, ", "));
}

/// A quote that begins a literal, not one between the digits of a number.
bool begins_literal(std::string_view line, std::size_t at) {
  if (line[at] == '"') return true;
  if (line[at] != '\'') return false;
  std::size_t begin = at;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(line[begin - 1])) != 0 || line[begin - 1] == '_' ||
                       line[begin - 1] == '\''))
    --begin;
  return begin == at || std::isdigit(static_cast<unsigned char>(line[begin])) == 0;
}

std::size_t end_of_literal(std::string_view line, std::size_t at) {
  const char quote = line[at];
  for (++at; at < line.size() && line[at] != quote; ++at)
    if (line[at] == '\\') ++at;
  return std::min(at + 1, line.size());
}

/// The texts of the comments of a line.
std::vector<std::string_view> comments_of(std::string_view line) {
  std::vector<std::string_view> comments;
  for (std::size_t at = 0; at < line.size();) {
    if (line.substr(at, 2) == "//") {
      comments.push_back(line.substr(at + 2));
      break;
    }
    if (line.substr(at, 2) == "/*") {
      const std::size_t end = std::min(line.find("*/", at + 2), line.size());
      comments.push_back(line.substr(at + 2, end - at - 2));
      at = std::min(end + 2, line.size());
    } else {
      at = begins_literal(line, at) ? end_of_literal(line, at) : at + 1;
    }
  }
  return comments;
}

/// Takes the word from the front of the text, with the space before it.
bool take(std::string_view& text, std::string_view word) {
  const std::string_view rest = trimmed(text);
  if (!rest.starts_with(word)) return false;
  text = rest.substr(word.size());
  return true;
}

}  // namespace

std::vector<std::string> ignored_kinds(std::string_view line) {
  constexpr std::string_view kMark = "plumb:";
  std::vector<std::string> kinds;
  for (std::string_view comment : comments_of(line))
    for (std::size_t at = comment.find(kMark); at != std::string_view::npos; at = comment.find(kMark)) {
      comment.remove_prefix(at + kMark.size());
      if (!take(comment, "ignore") || !take(comment, "(")) continue;
      const std::size_t end = comment.find(')');
      if (end == std::string_view::npos) continue;
      for (std::string_view list = comment.substr(0, end); !list.empty();) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (const std::string_view word = trimmed(list.substr(0, comma)); !word.empty()) kinds.emplace_back(word);
        list.remove_prefix(std::min(comma + 1, list.size()));
      }
    }
  return kinds;
}

void Suppressions::read(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  SourceLocation place{path.string(), 0, 1};
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++place.line;
    line = trimmed(line.substr(0, std::min(line.find('#'), line.size())));
    if (!line.empty()) patterns_.push_back(parse(line, place));
  }
}

Suppressions::Pattern Suppressions::parse(std::string_view text, const SourceLocation& place) {
  constexpr const char* kForm = "write KIND:FILE, KIND:FILE:LINE or KIND:FUNCTION, as in leak:vendor/* or *:list.c:12";
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    throw UserError(place, fmt::format("'{}' is no pattern of defects: it has no ':'", utf8(text)), kForm);
  const std::string_view kind = trimmed(text.substr(0, colon));
  std::string_view where = trimmed(text.substr(colon + 1));
  if (kind != "*" && find_kind(kind) == nullptr)
    throw UserError(place, fmt::format("'{}' is no kind of defect", utf8(kind)), kinds_hint(kind));
  Pattern pattern;
  pattern.kind = kind;
  pattern.place = place;
  pattern.text = text;
  if (const std::size_t last = where.rfind(':'); last != std::string_view::npos && last + 1 < where.size()) {
    const std::string_view digits = where.substr(last + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pattern.line);
    if (std::isdigit(static_cast<unsigned char>(digits.front())) != 0) {
      if (error != std::errc() || end != digits.data() + digits.size() || pattern.line == 0)
        throw UserError(place, fmt::format("'{}' is no number of a line", utf8(digits)), kForm);
      where = where.substr(0, last);
    }
  }
  if (where.empty()) throw UserError(place, fmt::format("'{}' names no file and no function", utf8(text)), kForm);
  if (pattern.line != 0 || where.find_first_of("./") != std::string_view::npos) {
    pattern.file = where.starts_with("./") ? where.substr(2) : where;
  } else if (where != "*") {
    pattern.function = where;
  }
  return pattern;
}

bool Suppressions::matches(const Pattern& pattern, const Defect& defect) {
  if (pattern.kind != "*" && pattern.kind != defect.kind) return false;
  if (pattern.line != 0 && pattern.line != defect.place.line) return false;
  if (!pattern.file.empty() && !is_file_match(pattern.file, defect.place.file)) return false;
  return pattern.function.empty() || is_match(pattern.function, defect.function);
}

std::optional<Suppression> Suppressions::find_comment(const Defect& defect, SourceLines& sources) {
  const auto line = sources.line(defect.place);
  if (!line) return std::nullopt;
  const SourceLocation by{defect.place.file, defect.place.line, 0};
  std::optional<Suppression> found;
  for (const std::string& kind : ignored_kinds(*line)) {
    if (kind == "all" || kind == defect.kind) {
      found.emplace(by, true, fmt::format("ignore({})", kind));
    } else if (find_kind(kind) == nullptr) {
      std::string note = fmt::format("{}: the comment names '{}', which is no kind of defect: {}", by.to_string(),
                                     utf8(kind), kinds_hint(kind));
      if (std::ranges::find(bad_comments_, note) == bad_comments_.end()) bad_comments_.push_back(std::move(note));
    }
  }
  return found;
}

std::optional<Suppression> Suppressions::find(const Defect& defect, SourceLines& sources) {
  std::optional<Suppression> found = find_comment(defect, sources);
  for (Pattern& pattern : patterns_) {
    if (!matches(pattern, defect)) continue;
    pattern.is_used = true;  // also if another one was first: it is of use all the same
    if (!found) found.emplace(SourceLocation{pattern.place.file, pattern.place.line, 0}, false, pattern.text);
  }
  return found;
}

std::vector<std::string> Suppressions::notes() const {
  std::vector<std::string> list = bad_comments_;
  for (const Pattern& pattern : patterns_)
    if (!pattern.is_used)
      list.push_back(fmt::format("{}:{}: the suppression '{}' matched no defect", pattern.place.file,
                                 pattern.place.line, utf8(pattern.text)));
  return list;
}

}  // namespace plumb::result
