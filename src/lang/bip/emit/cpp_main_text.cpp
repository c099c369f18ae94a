#include "lang/bip/emit/cpp_text.h"

namespace plumb::bip {

const std::string_view kCppMain = R"emitted(
struct Options {
  std::string guide;
  bool has_guide = false;
  std::uint64_t seed = 1;
  Int cycles = 0;
  bool has_cycles = false;
};

// xorshift64*, seeded by the finaliser of splitmix64.
class ChoiceGenerator {
 public:
  explicit ChoiceGenerator(std::uint64_t seed) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    state_ = (z ^ (z >> 31)) | 1;
  }

  std::size_t choose(std::size_t count) {
    if (count == 1) return 0;
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::size_t>((((state_ * 0x2545f4914f6cdd1dU) >> 32) * count) >> 32);
  }

 private:
  std::uint64_t state_;
};

// Nobody reads what is printed.
struct OutputClosed {
  int reason;
};

inline void print(const std::string& line) {
  if (std::fputs(line.c_str(), stdout) == EOF || std::fputc('\n', stdout) == EOF) throw OutputClosed{errno};
}

inline std::string value_text(std::size_t variable, const State& state) {
  const Int value = state.values[variable];
  if (variables[variable].is_bool) return value != 0 ? "true" : "false";
  return std::to_string(value);
}

// `NAME VALUE, ...` of all places and variables, or with two states `NAME OLD -> NEW, ...` of those that changed.
inline std::string facts(const State* before, const State& after) {
  std::string text;
  const auto add = [&text, before](const std::string& name, const std::string& old, const std::string& now) {
    if (before != nullptr && old == now) return;
    text += (text.empty() ? "  " : ", ") + name + " " + (before != nullptr ? old + " -> " : "") + now;
  };
  for (std::size_t c = 0; c < components.size(); ++c) {
    const Component& component = components[c];
    add(std::string(component.name) + ".place", component.places[(before != nullptr ? *before : after).places[c]],
        component.places[after.places[c]]);
    for (const std::size_t v : component.variables)
      add(variables[v].name, value_text(v, before != nullptr ? *before : after), value_text(v, after));
  }
  return text;
}

inline std::string possibilities(const Run& run) {
  if (!run.is_stable()) return "internal transitions come first";
  constexpr std::size_t most = 5;
  const List choices = run.choices();
  std::string text = "possible here: ";
  for (std::size_t i = 0; i < choices.size() && i < most; ++i)
    text += std::string(i == 0 ? "" : " ") + interactions[choices[i]].name;
  if (choices.size() > most) text += " and " + std::to_string(choices.size() - most) + " more";
  return text;
}

class Emulation {
 public:
  Emulation(const Options& options, const Guide& guide)
      : options_(options),
        guide_(guide),
        run_(guide.values),
        generator_(options.seed),
        is_past_guide_(!options.has_guide) {}

  // Returns the exit code.
  int run() {
    print("0  initial" + facts(nullptr, run_.state()));
    while (true) {
      const char* end = find_end();
      if (end != nullptr) {
        print(end + (" after " + std::to_string(count_)) + (count_ == 1 ? " interaction" : " interactions"));
        return is_stuck_ ? 10 : 0;
      }
      fire(choose());
    }
  }

 private:
  static constexpr std::uint64_t kMostInternalSteps = 100000;

  // Fills in the first that is enabled, or one at random, for components that have no transition yet.
  template <typename Choose>
  void complete(Choice& choice, const Choose& choose_one) const {
    const auto add = [&choice, &choose_one](std::size_t component, const List& enabled) {
      for (const auto& move : choice.transitions)
        if (move.first == component) return;
      if (!enabled.empty()) choice.transitions.emplace_back(component, enabled[choose_one(enabled.size())]);
    };
    if (choice.interaction == kNone) {
      const std::vector<List> enabled = run_.internal_transitions();
      for (std::size_t c = 0; c < enabled.size(); ++c) add(c, enabled[c]);
    } else {
      for (const PortUse& port : interactions[choice.interaction].ports)
        add(port.component, run_.enabled_transitions(port.component, port.port));
    }
  }

  static std::size_t first(std::size_t) { return 0; }

  const char* find_end() {
    const bool is_stable = run_.is_stable();
    is_stuck_ = is_stable ? run_.choices().empty() : internal_steps_ >= kMostInternalSteps;
    if (is_stuck_) return is_stable ? "deadlock" : "internal transitions do not end";
    if (!is_stable) return nullptr;
    if (options_.cycles > 0 && count_ >= static_cast<std::uint64_t>(options_.cycles)) return "stopped";
    return options_.has_guide && !options_.has_cycles && next_ == guide_.steps.size() ? "the guide ends" : nullptr;
  }

  Choice choose() {
    const bool is_stable = run_.is_stable();
    Choice choice;
    if (!is_past_guide_ && next_ < guide_.steps.size()) {
      const GuideStep& step = guide_.steps[next_];
      const bool is_mentioned = is_stable || step.choice.interaction == kNone;
      if (is_mentioned) choice = step.choice;
      complete(choice, first);
      if (is_mentioned) check(step, choice);
      return choice;
    }
    // Internal steps behind the last line still belong to the guide.
    is_past_guide_ = is_past_guide_ || is_stable;
    if (is_stable) {
      const List choices = run_.choices();
      choice.interaction = choices[generator_.choose(choices.size())];
    }
    if (is_past_guide_)
      complete(choice, [this](std::size_t count) { return generator_.choose(count); });
    else
      complete(choice, first);
    return choice;
  }

  void check(const GuideStep& step, const Choice& choice) {
    ++next_;
    const std::string objection = run_.objection(choice);
    if (objection.empty()) return;
    const std::string what = choice.interaction == kNone
                                 ? "the internal transitions cannot be executed here: "
                                 : quoted(interactions[choice.interaction].name) + " cannot be fired here: ";
    fail(guide_.file, step.word, what + objection, possibilities(run_));
  }

  void fire(const Choice& choice) {
    const bool is_internal = choice.interaction == kNone;
    internal_steps_ = is_internal ? internal_steps_ + 1 : 0;
    if (!is_internal) ++count_;
    const State before = run_.state();
    run_.fire(choice);
    print((is_internal ? "   internal" : std::to_string(count_) + "  " + interactions[choice.interaction].name) +
          facts(&before, run_.state()));
  }

  const Options& options_;
  const Guide& guide_;
  Run run_;
  ChoiceGenerator generator_;
  std::size_t next_ = 0;  // step of the guide
  bool is_past_guide_;
  bool is_stuck_ = false;
  std::uint64_t count_ = 0;           // of interactions
  std::uint64_t internal_steps_ = 0;  // in a row
};

inline std::string read_file(const std::string& name) {
  std::FILE* const file = name == "-" ? stdin : std::fopen(name.c_str(), "rb");
  if (file == nullptr) throw Error{name + ": error: " + std::strerror(errno)};
  std::string text;
  std::vector<char> buffer(4096);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file)) text.append(buffer.data(), count);
  const bool is_bad = std::ferror(file) != 0;
  if (file != stdin) std::fclose(file);
  if (is_bad) throw Error{name + ": error: it cannot be read"};
  return text;
}

constexpr const char* kUsage = "usage: emulator [--guide FILE] [--seed N] [--cycles N]";

// Takes `--name value` and `--name=value`.
inline Options read_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::size_t equals = std::min(arguments[i].find('='), arguments[i].size());
    const std::string name = arguments[i].substr(0, equals);
    if (name != "--guide" && name != "--seed" && name != "--cycles")
      throw Error{"error: unknown option " + quoted(arguments[i]) + "\n  hint: " + kUsage};
    if (equals == arguments[i].size() && i + 1 == arguments.size())
      throw Error{"error: " + name + " needs a value\n  hint: " + kUsage};
    const std::string value = equals < arguments[i].size() ? arguments[i].substr(equals + 1) : arguments[++i];
    bool is_good = true;
    if (name == "--guide") {
      options.guide = value;
      options.has_guide = true;
    } else if (name == "--seed") {
      is_good = parse_number(value, options.seed);
    } else {
      is_good = parse_number(value, options.cycles);
      options.has_cycles = true;
    }
    if (!is_good) throw Error{"error: " + quoted(value) + " is not a value of " + name + "\n  hint: write a number"};
  }
  return options;
}

// The end of a pipe that nobody reads (`| head`) is no error.
inline int end_of_output(int reason) {
  if (reason == EPIPE) return 0;
  std::fprintf(stderr, "error: standard output: %s\n", std::strerror(reason));
  return 1;
}

}  // namespace emulator

int main(int argc, char** argv) {
  using namespace emulator;
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) return std::puts(kUsage) == EOF ? 1 : 0;
  try {
    const Options options = read_options(arguments);
    const Guide guide = options.has_guide ? read_guide(options.guide, read_file(options.guide)) : read_guide("", "");
    const int code = Emulation(options, guide).run();
    return std::fflush(stdout) == 0 ? code : end_of_output(errno);
  } catch (const Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", error.message.c_str());
    return 2;
  } catch (const OutputClosed& closed) {
    return end_of_output(closed.reason);
  }
}
)emitted";

}  // namespace plumb::bip
