#include "result/defect/defect_fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <tuple>

#include "result/export/sha256.h"

namespace plumb::result {
namespace {

std::string without_space(std::string_view line) {
  std::string text;
  for (const char c : line)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) text += c;
  return text;
}

}  // namespace

std::vector<std::string> fingerprints(std::span<const Defect> defects, SourceLines& sources) {
  std::vector<std::size_t> order(defects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const SourceLocation& place = defects[i].place;
    return std::tie(place.file, place.line, place.column);
  });
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> prints(defects.size());
  for (const std::size_t i : order) {
    const Defect& defect = defects[i];
    // A zero byte stands in none of the parts.
    std::string key = defect.kind;
    key += '\0' + defect.place.file + '\0' + defect.function + '\0';
    key += without_space(sources.line(defect.place).value_or(std::string_view()));
    prints[i] = sha256(fmt::format("{}{}{}", key, '\0', seen[key]++)).substr(0, 32);
  }
  return prints;
}

}  // namespace plumb::result
