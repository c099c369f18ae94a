#include "result/schedule_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

constexpr std::string_view kForm = R"(a step is {"thread": 1, "operations": 3}, threads being numbered from 0)";

}  // namespace

nlohmann::ordered_json to_json(const Schedule& schedule) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ScheduleStep& step : schedule) {
    nlohmann::ordered_json entry = {{"thread", step.thread}, {"operations", step.operations}};
    if (step.woken != kNobody) entry["woken"] = step.woken;
    list.push_back(std::move(entry));
  }
  return list;
}

Schedule parse_schedule(const nlohmann::json& list, std::string_view text, const std::string& file) {
  const std::size_t at = text.find("\"schedule\"");
  const SourceLocation place = place_of_byte(text, at == std::string_view::npos ? 0 : at, file);
  if (!list.is_array()) throw UserError(place, "\"schedule\" is not a list of steps", std::string(kForm));
  Schedule schedule;
  for (const nlohmann::json& entry : list) {
    const auto fail = [&](std::string_view what) {
      throw UserError(place, fmt::format("step {} of \"schedule\" {}", schedule.size() + 1, what), std::string(kForm));
    };
    if (!entry.is_object()) fail("is no object");
    const auto number = [&](const char* key, std::uint64_t most) -> std::uint64_t {
      const auto value = entry.find(key);
      if (value == entry.end() || !value->is_number_unsigned()) fail(fmt::format("has no number \"{}\"", key));
      if (value->get<std::uint64_t>() > most) fail(fmt::format("has a \"{}\" that is too large", key));
      return value->get<std::uint64_t>();
    };
    ScheduleStep step{static_cast<std::uint32_t>(number("thread", kNobody - 1)),
                      number("operations", ~std::uint64_t{0})};
    if (entry.contains("woken")) step.woken = static_cast<std::uint32_t>(number("woken", kNobody - 1));
    schedule.push_back(step);
  }
  return schedule;
}

}  // namespace plumb::result
