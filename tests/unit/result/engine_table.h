#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "result/engine_list.h"

namespace plumb::result {

/// An engine's line in the table of a document.
inline std::string engine_row(const EngineInfo& engine) {
  std::string defaults;
  for (const std::string_view name : engine.by_default)
    if (!name.empty()) defaults += (defaults.empty() ? "`" : ", `") + std::string(name) + "`";
  if (engine.argument.empty()) defaults = is_default(engine) ? "yes" : "no";
  return "| `" + shown_name(engine) + "` | " + possible_verdicts(engine) + " | " + defaults + " | " +
         std::string(engine.summary) + " |";
}

/// The table behind "## Engines" in docs/`name` has a line for each engine, and no others.
inline void expect_documented(const EngineNames& engines, const std::string& name) {
  std::ifstream file(std::filesystem::path(PLUMB_DOCS) / name);
  std::string line;
  while (std::getline(file, line) && line != "## Engines") continue;
  while (std::getline(file, line) && !line.starts_with("|---")) continue;
  std::vector<std::string> rows;
  while (std::getline(file, line) && line.starts_with('|')) rows.push_back(line);
  std::vector<std::string> expected;
  for (const EngineInfo* engine : engines.infos()) expected.push_back(engine_row(*engine));
  EXPECT_EQ(rows, expected) << "docs/" << name;
}

}  // namespace plumb::result
