// llvm-cov and the search see the same conditions in two ways: as ranges of the source, and as branches of the compiled
// code with the place that clang's debug information gives them. That place follows a rule. A condition that is the
// left side of && or || has the operator's place; the last one of an expression has the place where the expression
// begins, or that of the loop's keyword (of the closing brace before the `while` of a do). A switch has its keyword's
// place, and its cases the order of the labels. So each range is led to one place by the text around it, and what has
// no branch there is not guessed at: a && b that is only a value has no branch for b. A loop over a && b has one, but
// for the value of both, so that it says little of b.
//
// Which of the compiled sides is the true one of the source is not needed. If one side ran in both views, it is the
// same, and so is the other; if none ran, both have the state of a condition that was not reached. Where the views
// differ more than that, all states that it may be are told.
#include "result/coverage/uncovered.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "result/coverage/source_text.h"

namespace plumb::result {
namespace {

namespace fs = std::filesystem;
using Reasons = std::vector<UncoveredReason>;

/// A branch or a switch of the compiled code: its sides, or its default and cases in their order.
struct Site {
  bool is_switch = false;
  std::vector<const StoredBranch*> sides;
};
using SitesByPlace = std::map<TextPosition, std::vector<Site>>;

UncoveredReason reason_of(StoredBranch::State state) {
  switch (state) {
    case StoredBranch::State::Covered:
      return UncoveredReason::InCampaign;
    case StoredBranch::State::Infeasible:
      return UncoveredReason::Infeasible;
    case StoredBranch::State::Refuted:
      return UncoveredReason::Refuted;
    case StoredBranch::State::TimedOut:
      return UncoveredReason::TimedOut;
    case StoredBranch::State::Open:
      return UncoveredReason::Open;
    case StoredBranch::State::NotReached:
      return UncoveredReason::NotReached;
  }
  INVARIANT(false, "every state of a branch should be known");
}

std::string normal(const fs::path& directory, const std::string& file) {
  return (directory / file).lexically_normal().string();
}

std::map<std::string, SitesByPlace> sites_by_file(std::span<const StoredBranch> known, const fs::path& directory) {
  std::vector<const StoredBranch*> sorted;
  for (const StoredBranch& branch : known) sorted.push_back(&branch);
  std::ranges::stable_sort(sorted, {}, [](const StoredBranch* branch) { return branch->edge; });
  std::map<std::string, SitesByPlace> all;
  for (const StoredBranch* branch : sorted) {
    std::vector<Site>& here = all[normal(directory, branch->file)][{branch->line, branch->column}];
    // The first side of each.
    const bool is_switch = branch->side == "default";
    if (here.empty() || is_switch || branch->side == "true") here.push_back({is_switch, {}});
    here.back().sides.push_back(branch);
  }
  return all;
}

Reasons distinct(Reasons reasons) {
  std::ranges::sort(reasons);
  const auto rest = std::ranges::unique(reasons);
  reasons.erase(rest.begin(), rest.end());
  return reasons;
}

/// What the sides that no run of the search took are said of; that it was taken there if there are none.
Reasons reasons_of(std::span<const StoredBranch* const> sides) {
  Reasons reasons;
  for (const StoredBranch* side : sides)
    if (side->state != StoredBranch::State::Covered) reasons.push_back(reason_of(side->state));
  if (reasons.empty() && !sides.empty()) reasons.push_back(UncoveredReason::InCampaign);
  return distinct(std::move(reasons));
}

/// Of branches that need not be the one in question.
Reasons without_certainty(Reasons reasons) {
  if (reasons.empty()) return reasons;
  std::erase(reasons, UncoveredReason::InCampaign);
  reasons.push_back(UncoveredReason::Unknown);
  return reasons;
}

/// One file in both views.
class FileJoin {
 public:
  FileJoin(std::string file, const SitesByPlace* sites) : file_(std::move(file)), sites_(sites) {
    try {
      text_.emplace(read_file(file_));
    } catch (const UserError&) {
      // Without the source nothing can be matched; llvm-cov's own numbers do not need it.
    }
  }

  void add(const BranchRegion& region) {
    regions_.push_back(&region);
    ++regions_at_[region.use];
  }

  void join(std::vector<UncoveredSide>& found) {
    if (text_ && sites_ != nullptr) {
      find_switches();
      find_operators();
    }
    for (const BranchRegion* region : regions_) {
      const std::optional<std::size_t> begin = offset_of(*region);
      if (begin && is_label(*begin)) {
        add_label_sides(*region, *begin, found);
      } else if (begin && is_implicit_default(*begin)) {
        add_sides(*region, {"default", "not default"}, {switch_of_condition(*begin)}, found);
      } else {
        add_sides(*region, {"true", "false"}, condition_site(*region), found);
      }
    }
  }

 private:
  struct Switch {
    std::size_t begin;
    std::size_t end;
    const Site* site;
    std::vector<std::size_t> cases{};  ///< offsets of labels, rising
  };
  /// What the search knows of a condition.
  struct Known {
    std::vector<const StoredBranch*> taken;
    std::vector<const StoredBranch*> other;
    bool is_exact = true;  ///< these are surely its branches
  };
  struct Match {
    std::span<const Site> sites{};
    bool is_exact = true;
  };
  struct Names {
    std::string taken;
    std::string other;
  };

  std::optional<std::size_t> offset_of(const BranchRegion& region) const {
    return text_ && !region.is_in_macro ? text_->offset(region.begin) : std::nullopt;
  }
  bool is_label(std::size_t begin) const { return text_->has(begin, "case") || text_->has(begin, "default"); }
  bool is_implicit_default(std::size_t begin) const {
    const SourceText::Before before = text_->before(begin);
    return before.word && text_->has(*before.word, "switch");
  }

  void find_switches() {
    for (const auto& [place, sites] : *sites_) {
      const std::optional<std::size_t> begin = text_->offset(place);
      if (sites.size() != 1 || !sites.front().is_switch || !begin) continue;
      if (const auto extent = text_->switch_extent(*begin))
        switches_.push_back({extent->first, extent->second, &sites.front()});
    }
    for (const BranchRegion* region : regions_)
      if (const auto begin = offset_of(*region); begin && text_->has(*begin, "case"))
        if (Switch* owner = innermost_switch(*begin)) owner->cases.push_back(*begin);
    for (Switch& each : switches_) std::ranges::sort(each.cases);
  }

  Switch* innermost_switch(std::size_t at) {
    Switch* innermost = nullptr;
    for (Switch& each : switches_)
      if (each.begin < at && at < each.end && (innermost == nullptr || each.begin > innermost->begin))
        innermost = &each;
    return innermost;
  }

  /// Which condition stands at the left of which operator.
  void find_operators() {
    for (const BranchRegion* region : regions_) {
      const std::optional<std::size_t> begin = offset_of(*region);
      const std::optional<std::size_t> end = begin ? text_->offset(region->end) : std::nullopt;
      if (!end || is_label(*begin)) continue;
      if (const auto sign = text_->operator_after(*end)) {
        // Of nested ranges that end at the same operator, the condition is the outermost.
        const auto [known, is_new] = left_of_.try_emplace(*sign, *begin);
        if (!is_new) known->second = std::min(known->second, *begin);
      }
    }
  }

  std::span<const Site> sites_at(TextPosition place) const {
    if (sites_ == nullptr) return {};
    const auto found = sites_->find(place);
    return found == sites_->end() ? std::span<const Site>() : std::span<const Site>(found->second);
  }

  std::span<const Site> conditions_at(std::size_t offset) const {
    const std::span<const Site> sites = sites_at(text_->position(offset));
    return std::ranges::any_of(sites, &Site::is_switch) ? std::span<const Site>() : sites;
  }

  Match condition_site(const BranchRegion& region) const {
    if (regions_at_.at(region.use) > 1 || region.is_in_macro) return shared_sites(region);
    const std::optional<std::size_t> begin = offset_of(region);
    const std::optional<std::size_t> end = begin ? text_->offset(region.end) : std::nullopt;
    if (!end || sites_ == nullptr) return {};
    if (const auto sign = text_->operator_after(*end)) return {conditions_at(*sign)};
    // The last of its expression. Back to where that begins.
    std::size_t first = *begin;
    SourceText::Before before = text_->before(first);
    while (before.is_operator) {
      const auto left = left_of_.find(*before.word);
      if (left == left_of_.end() || left->second >= first) return {};
      first = left->second;
      before = text_->before(first);
    }
    if (first == *begin)
      if (const auto exact = conditions_at(first); !exact.empty()) return {exact};
    for (std::size_t at = before.first; at <= first; ++at)
      if (const auto found = conditions_at(at); !found.empty()) return {found};
    if (!before.word) return {};
    return {loop_site(*before.word), first == *begin};
  }

  /// The code of a macro has one place. What is only a value in it, or is not evaluated (the copy of the condition in
  /// glibc's assert), is among its regions, but has no branch.
  Match shared_sites(const BranchRegion& region) const {
    const std::span<const Site> sites = sites_at(region.use);
    return {sites, regions_at_.at(region.use) == sites.size()};
  }

  /// `word`: what stands before the condition.
  std::span<const Site> loop_site(std::size_t word) const {
    if (text_->has(word, "while")) {
      if (const auto found = conditions_at(word); !found.empty()) return found;
      const SourceText::Before body = text_->before(word);
      return body.word && text_->has(*body.word, "}") ? conditions_at(*body.word) : std::span<const Site>();
    }
    if (!text_->has(word, ";")) return {};
    for (auto at = sites_->lower_bound(text_->position(word)); at != sites_->begin();) {
      --at;
      const std::optional<std::size_t> begin = text_->offset(at->first);
      if (begin && text_->has(*begin, "for")) return conditions_at(*begin);
    }
    return {};
  }

  std::span<const Site> switch_of_condition(std::size_t begin) const {
    return sites_at(text_->position(*text_->before(begin).word));
  }

  /// A branch, or the default of a switch.
  static void add_sides(const BranchRegion& region, const Names& names, const Match& match,
                        std::vector<UncoveredSide>& found) {
    std::vector<const StoredBranch*> taken;
    std::vector<const StoredBranch*> other;
    for (const Site& site : match.sites) {
      if (site.is_switch) {
        taken.push_back(site.sides.front());
        other.insert(other.end(), site.sides.begin() + 1, site.sides.end());
      } else {
        taken.insert(taken.end(), site.sides.begin(), site.sides.end());
        other = taken;
      }
    }
    add(region, names, {taken, other, match.is_exact}, found);
  }

  void add_label_sides(const BranchRegion& region, std::size_t begin, std::vector<UncoveredSide>& found) {
    const std::size_t end = text_->offset(region.end).value_or(begin);
    const std::string label(text_->written(begin, end));
    std::vector<const StoredBranch*> taken;
    std::vector<const StoredBranch*> other;
    if (const Switch* owner = innermost_switch(begin)) {
      const std::vector<const StoredBranch*>& sides = owner->site->sides;
      const auto at = std::ranges::lower_bound(owner->cases, begin);
      const std::size_t number =
          text_->has(begin, "default") ? 0 : static_cast<std::size_t>(at - owner->cases.begin()) + 1;
      const bool is_in_order = owner->cases.size() + 1 == sides.size();
      for (std::size_t i = 0; i < sides.size(); ++i) {
        if (i == number || (!is_in_order && number != 0 && i != 0)) taken.push_back(sides[i]);
        if (i != number) other.push_back(sides[i]);
      }
    }
    add(region, {label, "not " + label}, {taken, other, true}, found);
  }

  static void add(const BranchRegion& region, const Names& names, const Known& all, std::vector<UncoveredSide>& found) {
    const bool is_evaluated = region.times_true + region.times_false > 0;
    const auto add_side = [&](const std::string& side, std::span<const StoredBranch* const> known) {
      Reasons reasons = all.is_exact ? reasons_of(known) : without_certainty(reasons_of(known));
      const auto is_covered = [](const StoredBranch* each) { return each->state == StoredBranch::State::Covered; };
      // Neither side ran here, so this one may be the one that ran there.
      if (!is_evaluated && std::ranges::any_of(known, is_covered)) reasons.push_back(UncoveredReason::InCampaign);
      if (!is_evaluated && (!all.is_exact || reasons.empty())) reasons = {UncoveredReason::NotReached};
      if (reasons.empty()) reasons.push_back(UncoveredReason::Unknown);
      found.push_back(
          {region.use_file, region.use, region.is_in_macro, region.function, side, distinct(std::move(reasons))});
    };
    if (region.times_true == 0) add_side(names.taken, all.taken);
    if (region.times_false == 0) add_side(names.other, all.other);
  }

  std::string file_;
  const SitesByPlace* sites_;
  std::optional<SourceText> text_;
  std::vector<const BranchRegion*> regions_;
  std::map<TextPosition, std::size_t> regions_at_;
  std::vector<Switch> switches_;
  std::map<std::size_t, std::size_t> left_of_;  ///< by operator: where the condition at its left begins
};

}  // namespace

std::string_view name(UncoveredReason reason) {
  switch (reason) {
    case UncoveredReason::Infeasible:
      return "infeasible";
    case UncoveredReason::Refuted:
      return "refuted";
    case UncoveredReason::TimedOut:
      return "timed-out";
    case UncoveredReason::Open:
      return "open";
    case UncoveredReason::NotReached:
      return "not-reached";
    case UncoveredReason::InCampaign:
      return "in-campaign";
    case UncoveredReason::Unknown:
      return "unknown";
  }
  INVARIANT(false, "every reason should have a name");
}

std::string_view describe(UncoveredReason reason) {
  switch (reason) {
    case UncoveredReason::Infeasible:
      return "infeasible (whole program explored)";
    case UncoveredReason::Refuted:
      return "refuted on the paths of the runs";
    case UncoveredReason::TimedOut:
      return "solver timed out";
    case UncoveredReason::Open:
      return "reached, not tried before the end";
    case UncoveredReason::NotReached:
      return "never reached";
    case UncoveredReason::InCampaign:
      return "taken in the campaign, by none of these tests";
    case UncoveredReason::Unknown:
      return "not known to the search";
  }
  INVARIANT(false, "every reason should be described");
}

std::string describe(const UncoveredSide& side) {
  std::vector<std::string_view> words;
  for (const UncoveredReason reason : side.reasons) words.push_back(describe(reason));
  return fmt::format("{}{}", words.size() > 1 ? "one of: " : "", fmt::join(words, "; "));
}

std::vector<UncoveredSide> uncovered_sides(const Coverage& coverage, std::span<const StoredBranch> known,
                                           const fs::path& directory) {
  const std::map<std::string, SitesByPlace> sites = sites_by_file(known, directory);
  std::vector<UncoveredSide> found;
  for (std::size_t i = 0; i < coverage.branches.size();) {
    const std::string& file = coverage.branches[i].use_file;
    const auto here = sites.find(fs::path(file).lexically_normal().string());
    FileJoin join(file, here == sites.end() ? nullptr : &here->second);
    for (; i < coverage.branches.size() && coverage.branches[i].use_file == file; ++i) join.add(coverage.branches[i]);
    join.join(found);
  }
  return found;
}

}  // namespace plumb::result
