#include "circuit/abc_driver_files.h"

#include <charconv>

#include "base/error.h"
#include "circuit/aiger.h"

namespace plumb::circuit {
namespace {

/// Calls visit(line) until it returns false; returns whether it never did.
template <typename Visit>
bool each_line(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!visit(line)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  while (true) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos) return result;
    line.remove_prefix(start);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    result.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The number behind "key =".
std::optional<std::uint32_t> field(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = words(line.substr(at + key.size()));
  return rest.size() < 2 || rest[0] != "=" ? std::nullopt : number(rest[1]);
}

std::optional<std::string> content(const std::filesystem::path& file) {
  try {
    return read_file(file);
  } catch (const UserError&) {
    return std::nullopt;
  }
}

std::optional<Aig> aiger_content(const std::filesystem::path& file) {
  try {
    return read_aiger(read_file(file), file.filename().string());
  } catch (const UserError&) {
    return std::nullopt;
  }
}

/// A graph with an input for each latch of the model's circuit, in order.
class LatchGraph {
 public:
  LatchGraph(const AbcModel& model, std::size_t latches) : model_(model) {
    for (std::size_t i = 0; i < latches; ++i) inputs_.push_back(graph.add_input());
  }
  /// A latch of the model, by name.
  std::optional<Lit> latch(std::string_view name) const {
    const auto meaning = model_.latch_meaning(name);
    if (!meaning) return std::nullopt;
    if (!meaning->latch) return meaning->complemented ? kTrue : kFalse;
    return inputs_[*meaning->latch] ^ meaning->complemented;
  }

  Aig graph;

 private:
  const AbcModel& model_;
  std::vector<Lit> inputs_;
};

}  // namespace

AbcStatus read_abc_status(std::string_view output) {
  AbcStatus status = AbcStatus::None;
  bool says_holds = false;
  bool says_violated = false;
  each_line(output, [&](std::string_view line) {
    const auto starts = [&](std::string_view with) { return line.starts_with(with); };
    says_holds |= starts("Property proved") || starts("Networks are equivalent") || starts("UNSATISFIABLE");
    says_violated |= starts("Networks are not equivalent") || starts("SATISFIABLE") ||
                     (starts("Output ") && line.find("was asserted in frame") != std::string_view::npos);
    if (starts("Status = 1 ")) status = AbcStatus::Holds;
    if (starts("Status = 0 ")) status = AbcStatus::Violated;
    if (starts("Status = -1 ")) status = AbcStatus::Undecided;
    return true;
  });
  const bool fits = (status != AbcStatus::Holds || (says_holds && !says_violated)) &&
                    (status != AbcStatus::Violated || (says_violated && !says_holds));
  return fits ? status : AbcStatus::Contradictory;
}

std::vector<AigSize> read_abc_sizes(std::string_view output, std::string_view mark) {
  std::vector<AigSize> sizes;
  bool is_marked = false;
  each_line(output, [&](std::string_view line) {
    const auto latches = field(line, "lat");
    const auto ands = field(line, "and");
    const auto levels = field(line, "lev");
    if (line.find(mark) != std::string_view::npos) {
      is_marked = true;
    } else if (is_marked && latches && ands && levels) {
      sizes.push_back({*latches, *ands, *levels});
      is_marked = false;
    }
    return true;
  });
  return sizes;
}

std::optional<std::vector<std::string>> read_latch_names(const std::filesystem::path& file) {
  const auto aig = aiger_content(file);
  if (!aig) return std::nullopt;
  std::vector<std::string> names;
  for (const Latch& latch : aig->latches()) names.push_back(latch.name);
  return names;
}

std::optional<AbcCounterexample> read_abc_counterexample(const std::filesystem::path& file, const AbcModel& model) {
  const auto text = content(file);
  if (!text) return std::nullopt;
  AbcCounterexample run;
  bool is_complete = false;
  std::uint32_t steps = 0;
  const bool is_sound = each_line(*text, [&](std::string_view line) {
    constexpr std::string_view kLength = "# COUNTEREXAMPLE LENGTH: ";
    if (line.starts_with(kLength)) {
      const auto length = number(line.substr(kLength.size()));
      steps = length.value_or(0);
      // A step without inputs has no lines, so the length counts; a file of a few bytes must not cost more than that.
      return length && *length > 0 && *length < (1U << 24);
    }
    if (line.starts_with("# DONE")) is_complete = true;
    if (line.empty() || line.front() == '#') return true;
    const std::size_t equals = line.rfind('=');
    if (equals == std::string_view::npos || line.size() != equals + 2) return false;
    std::string_view name = line.substr(0, equals);
    const std::size_t at = name.rfind('@');
    const auto step = at == std::string_view::npos ? std::optional<std::uint32_t>(0) : number(name.substr(at + 1));
    name = name.substr(0, at);
    const char value = line.back();
    if (!step || *step >= std::max(steps, 1U) || (value != '0' && value != '1')) return false;
    // Latches are listed as well, all with zero, and so is what a reduction made; whether the run is one of the circuit
    // is for whoever replays it.
    if (!model.latch_meaning(name)) model.choose(run, name, *step, value == '1');
    return true;
  });
  // The combinational form has neither header nor end.
  if (!is_sound || (steps != 0 && !is_complete)) return std::nullopt;
  model.extend(run, std::max(steps, 1U));
  return run;
}

std::optional<AbcInvariant> read_pdr_invariant(const std::filesystem::path& file, const AbcModel& model) {
  const auto text = content(file);
  if (!text || text->find("# Inductive invariant") == std::string::npos) return std::nullopt;
  LatchGraph result(model, model.latch_count());
  std::vector<Lit> columns;
  bool is_complete = false;
  const bool is_sound = each_line(*text, [&](std::string_view line) {
    const auto parts = words(line);
    if (parts.empty() || line.front() == '#') return true;
    if (parts[0] == ".e") is_complete = true;
    if (parts[0] == ".ilb") {
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const auto latch = result.latch(parts[i]);
        if (!latch) return false;
        columns.push_back(*latch);
      }
    }
    if (parts[0].front() == '.') return true;
    if (parts.size() != 2 || parts[1] != "1" || parts[0].size() != columns.size()) return false;
    Lit cube = kTrue;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (parts[0][i] != '-') cube = result.graph.and_(cube, columns[i] ^ (parts[0][i] == '0'));
      if (parts[0][i] != '-' && parts[0][i] != '0' && parts[0][i] != '1') return false;
    }
    result.graph.add_output(~cube);
    return true;
  });
  if (!is_sound || !is_complete) return std::nullopt;
  return AbcInvariant{std::move(result.graph)};
}

std::optional<AbcInvariant> read_interpolants(const std::filesystem::path& file, const std::vector<std::string>& names,
                                              const AbcModel& model) {
  const auto read = aiger_content(file);
  if (!read || !read->latches().empty() || read->inputs().size() != names.size()) return std::nullopt;
  LatchGraph result(model, model.latch_count());
  std::vector<Lit> literals(read->size(), kFalse);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto latch = result.latch(names[i]);
    if (!latch) return std::nullopt;
    literals[read->inputs()[i].node] = *latch;
  }
  const auto literal = [&](Lit l) { return literals[l.node()] ^ l.complemented(); };
  for (std::uint32_t node = 1; node < read->size(); ++node)
    if (read->is_and(node))
      literals[node] = result.graph.and_(literal(read->fanin0(node)), literal(read->fanin1(node)));
  Lit any = kFalse;
  for (const NamedLit& output : read->outputs()) any = result.graph.or_(any, literal(output.lit));
  result.graph.add_output(any);
  return AbcInvariant{std::move(result.graph)};
}

}  // namespace plumb::circuit
