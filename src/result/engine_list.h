#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::result {

/// What an engine works on.
enum class EngineInput : std::uint8_t { Program, System };
std::string_view to_string(EngineInput input);  ///< "C programs", "systems"

/// What an engine is. Stands beside its code; options, help, messages, `plumb doctor`, the tables of the documents and
/// the portfolios come from here.
struct EngineInfo {
  std::string_view name;  ///< "bmc"
  EngineInput takes = EngineInput::System;
  // What it can say beside "unknown".
  bool can_hold = false;
  bool can_bound = false;  ///< "holds up to"
  bool can_violate = false;
  std::string_view summary{};  ///< half a sentence
  /// What runs where nobody chooses; nothing: only on request. The name, or with arguments the names of some.
  std::array<std::string_view, 2> by_default{};
  std::string_view argument{};     ///< what stands after the name: "PROOF"
  std::string_view former_name{};  ///< still understood
  std::string_view program{};      ///< the one it calls: "berkeley-abc"
};
std::string shown_name(const EngineInfo& engine);         ///< "bmc", "abc PROOF"
std::string possible_verdicts(const EngineInfo& engine);  ///< "holds, violated"
bool is_default(const EngineInfo& engine);

/// The engines of a module, in the order in which they are listed and started.
class EngineNames {
 public:
  explicit EngineNames(std::vector<const EngineInfo*> infos) : infos_(std::move(infos)) {}

  const std::vector<const EngineInfo*>& infos() const noexcept { return infos_; }
  std::vector<std::string> defaults() const;
  /// As `wanted`, with former names replaced, each with a sentence in `notes`; defaults() if it is empty or "auto".
  /// Throws UserError for a name that no engine has, with the nearest one.
  std::vector<std::string> resolve(const std::vector<std::string>& wanted, std::vector<std::string>& notes) const;
  /// The position of the engine of a resolved name, with its argument or without one.
  std::size_t position(std::string_view name) const;
  /// For help: "bmc, 'bmc split', k-induction, 'abc PROOF'".
  std::string text() const;

 private:
  std::vector<const EngineInfo*> infos_;
};

/// The same with what the module knows of each: `Engine` has an `info`.
template <typename Engine>
class EngineList : public EngineNames {
 public:
  EngineList(std::initializer_list<const Engine*> engines) : EngineNames(infos_of(engines)), engines_(engines) {}

  const Engine& find(std::string_view name) const { return *engines_[position(name)]; }
  auto begin() const noexcept { return engines_.begin(); }
  auto end() const noexcept { return engines_.end(); }

 private:
  static std::vector<const EngineInfo*> infos_of(std::initializer_list<const Engine*> engines) {
    std::vector<const EngineInfo*> infos;
    for (const Engine* engine : engines) infos.push_back(&engine->info);
    return infos;
  }

  std::vector<const Engine*> engines_;
};

}  // namespace plumb::result
