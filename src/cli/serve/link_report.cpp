#include "cli/serve/link_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace plumb::cli {
namespace {

using remote::LinkStatistics;

double ratio(std::uint64_t bytes, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(count);
}

std::string counted(std::uint64_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

}  // namespace

double bytes_per_run(const LinkStatistics& statistics) {
  return ratio(statistics.run_bytes_received + statistics.run_bytes_sent, statistics.runs);
}

double bytes_per_event(const LinkStatistics& statistics) {
  return ratio(statistics.run_bytes_received + statistics.run_bytes_sent, statistics.events);
}

std::string to_text(const LinkReport& report) {
  const LinkStatistics& link = report.statistics;
  std::string text = fmt::format("link: {}, {}, {} bytes received, {} sent", counted(report.boards.size(), "target"),
                                 counted(link.runs, "run"), link.bytes_received, link.bytes_sent);
  if (link.runs > 0) text += fmt::format("; {:.0f} bytes a run", bytes_per_run(link));
  if (link.events > 0) text += fmt::format(", {:.1f} a symbolic event ({} in all)", bytes_per_event(link), link.events);
  text += fmt::format("\nlink: {}, {} refused, {} broken off, {} made again", counted(link.sessions, "session"),
                      link.refused, link.broken, counted(link.runs_repeated, "run"));
  if (link.runs_given_up > 0) text += fmt::format(", {} given up", link.runs_given_up);
  text += '\n';
  return text;
}

nlohmann::ordered_json to_json(const LinkReport& report) {
  const LinkStatistics& link = report.statistics;
  nlohmann::ordered_json targets = nlohmann::ordered_json::array();
  for (const remote::BoardStatus& board : report.boards)
    targets.push_back({{"name", utf8(board.name)}, {"address", utf8(board.address)}, {"runs", board.runs}});
  nlohmann::ordered_json object = {{"targets", std::move(targets)},
                                   {"runs", link.runs},
                                   {"runs_repeated", link.runs_repeated},
                                   {"runs_given_up", link.runs_given_up},
                                   {"bytes_received", link.bytes_received},
                                   {"bytes_sent", link.bytes_sent},
                                   {"events", link.events},
                                   {"bytes_per_run", bytes_per_run(link)},
                                   {"bytes_per_event", bytes_per_event(link)},
                                   {"left_out", link.left_out},
                                   {"sessions", link.sessions},
                                   {"refused", link.refused},
                                   {"broken", link.broken}};
  if (!report.lost.empty()) object["lost"] = report.lost;
  return object;
}

std::vector<std::string> assumptions_of(const LinkReport& report) {
  std::vector<std::string> list;
  if (const std::uint64_t count = report.statistics.runs_given_up; count > 0)
    list.push_back(count == 1 ? "1 run was given up after its targets were lost"
                              : fmt::format("{} runs were given up after their targets were lost", count));
  if (const std::uint64_t count = report.statistics.left_out; count > 0)
    list.push_back(
        fmt::format("{} left out, because there was no room for them on a target (--plumb-arena of plumb cc)",
                    count == 1 ? "1 symbolic event was" : fmt::format("{} symbolic events were", count)));
  if (!report.lost.empty()) list.push_back(report.lost + " (--lost-after): --resume goes on");
  return list;
}

}  // namespace plumb::cli
