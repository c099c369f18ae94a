#include "lang/bip/emit/cpp_text.h"

namespace plumb::bip {

const std::string_view kCppGuide = R"emitted(
// Bad usage or a bad guide: exit code 2.
struct Error {
  std::string message;
};

struct Word {
  std::string text;
  std::size_t line;
  std::size_t column;
};

struct GuideStep {
  Word word;
  Choice choice;
};

struct Guide {
  std::string file;
  Values values;
  std::vector<bool> is_given;  // by variable: has a value
  std::vector<GuideStep> steps;
};

[[noreturn]] inline void fail(const std::string& file, const Word& word, const std::string& message,
                              const std::string& hint) {
  throw Error{file + ":" + std::to_string(word.line) + ":" + std::to_string(word.column) + ": error: " + message +
              "\n  hint: " + hint};
}

template <typename Number>
bool parse_number(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data(), end, number);
  return result.ec == std::errc() && result.ptr == end;
}

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Words are between blanks; = is one by itself. A # at the start of a word ends the line.
inline std::vector<Word> split(const std::string& line, std::size_t number) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < line.size() && (is_blank(line[i]) || line[i] != '#')) {
    const std::size_t start = i++;
    if (is_blank(line[start])) continue;
    while (line[start] != '=' && i < line.size() && !is_blank(line[i]) && line[i] != '=') ++i;
    words.push_back({line.substr(start, i - start), number, start + 1});
  }
  return words;
}

inline Int read_value(const Guide& guide, const Word& word, const Variable& variable) {
  if (variable.is_bool) {
    if (word.text != "true" && word.text != "false")
      fail(guide.file, word, quoted(word.text) + " is not a bool", "write 'true' or 'false'");
    return word.text == "true" ? 1 : 0;
  }
  Int value = 0;
  if (!parse_number(word.text, value))
    fail(guide.file, word, quoted(word.text) + " is not an int", "write a decimal number");
  const Int least = -(Int{1} << (kBits - 1));
  if (wrap(bits(value)) != value)
    fail(guide.file, word, std::to_string(value) + " does not fit an int of " + std::to_string(kBits) + " bits",
         "write a number from " + std::to_string(least) + " to " + std::to_string(-(least + 1)));
  return value;
}

inline void read_initial_value(Guide& guide, const std::vector<Word>& words) {
  if (words.size() != 4 || words[2].text != "=")
    fail(guide.file, words[0], "an initial value is not complete", "write 'init VARIABLE = VALUE'");
  std::size_t v = 0;
  while (v < kComponentVariables && words[1].text != variables[v].name) ++v;
  if (v == kComponentVariables)
    fail(guide.file, words[1], "there is no variable " + quoted(words[1].text),
         "write it with its component: 'init COMPONENT.VARIABLE = VALUE'");
  if (!variables[v].is_free)
    fail(guide.file, words[1],
         quoted(words[1].text) + " does not start with any value: the model sets it at the start", "remove the line");
  if (guide.is_given[v])
    fail(guide.file, words[1], quoted(words[1].text) + " has an initial value already", "remove one of the lines");
  guide.values[v] = read_value(guide, words[3], variables[v]);
  guide.is_given[v] = true;
}

inline std::size_t find_interaction(const Guide& guide, const Word& word) {
  List executable;
  for (std::size_t i = 0; i < interactions.size(); ++i) {
    if (interactions[i].is_executable) executable.push_back(i);
    if (word.text != interactions[i].name) continue;
    if (!interactions[i].is_executable)
      fail(guide.file, word, quoted(word.text) + " never fires by itself: its connector has an exported port",
           "write the interaction of the outermost connector");
    return i;
  }
  if (word.text.find_first_not_of("0123456789") != std::string::npos)
    fail(guide.file, word, "there is no interaction " + quoted(word.text),
         "write 'CONNECTOR:COMPONENT.PORT,...', or its number");
  std::size_t number = 0;
  if (!parse_number(word.text, number) || number >= executable.size())
    fail(guide.file, word, "there is no interaction " + word.text,
         executable.empty() ? "the model has no interaction"
                            : "the numbers are 0 to " + std::to_string(executable.size() - 1));
  return executable[number];
}

// The transition has to belong to the port that the step has of its component.
inline void check_port(const Guide& guide, const Word& word, const Choice& choice, std::size_t component,
                       std::size_t transition) {
  const Component& owner = components[component];
  const std::size_t port = owner.transitions[transition].port;
  const std::string found =
      port == kNone ? "it is an internal one" : "it is one of port " + quoted(owner.ports[port]);
  if (choice.interaction == kNone) {
    if (port != kNone) fail(guide.file, word, quoted(word.text) + " is not an internal transition", found);
    return;
  }
  for (const PortUse& use : interactions[choice.interaction].ports) {
    if (use.component != component) continue;
    if (use.port != port)
      fail(guide.file, word, quoted(word.text) + " is not a transition of port " + quoted(owner.ports[use.port]),
           found);
    return;
  }
  fail(guide.file, word, "component " + quoted(owner.name) + " does not take part in the interaction", "remove it");
}

inline void read_transition(const Guide& guide, const Word& word, Choice& choice) {
  const std::size_t hash = word.text.find('#');
  if (hash == std::string::npos)
    fail(guide.file, word, quoted(word.text) + " is not a transition",
         "write 'COMPONENT#NUMBER'; one step is one line");
  const std::string name = word.text.substr(0, hash);
  const std::string number = word.text.substr(hash + 1);
  std::size_t c = 0;
  while (c < components.size() && name != components[c].name) ++c;
  if (c == components.size())
    fail(guide.file, word, "there is no component " + quoted(name), "write 'COMPONENT#NUMBER'");
  const std::size_t count = components[c].transitions.size();
  std::uint32_t transition = 0;
  if (!parse_number(number, transition) || transition >= count)
    fail(guide.file, word, "component " + quoted(name) + " has no transition " + quoted(number),
         count == 0 ? "it has none"
                    : "the numbers are 0 to " + std::to_string(count - 1) + ", in the order of the file");
  for (const auto& move : choice.transitions)
    if (move.first == c)
      fail(guide.file, word, "component " + quoted(name) + " has a transition in this step already",
           "remove one of the two");
  check_port(guide, word, choice, c, transition);
  choice.transitions.emplace_back(c, transition);
}

inline Guide read_guide(const std::string& file, const std::string& text) {
  Guide guide{file, Values(variables.size()), std::vector<bool>(variables.size()), {}};
  std::size_t number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::vector<Word> words = split(text.substr(start, end - start), ++number);
    start = end + 1;
    if (words.empty()) continue;
    if (words[0].text == "init") {
      read_initial_value(guide, words);
      continue;
    }
    GuideStep step{words[0], {}};
    if (words[0].text != "internal") step.choice.interaction = find_interaction(guide, words[0]);
    for (std::size_t i = 1; i < words.size(); ++i) read_transition(guide, words[i], step.choice);
    guide.steps.push_back(step);
  }
  return guide;
}
)emitted";

}  // namespace plumb::bip
