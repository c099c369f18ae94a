#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace plumb::system {

/// A Value Change Dump as IEEE 1364 and GTKWave's strings define it, read by words alone: an oracle for the writer.
struct Vcd {
  struct Variable {
    std::string type;
    unsigned width = 0;
    std::map<std::uint64_t, std::string> changes;  ///< by time
  };
  std::map<std::string, Variable> variables;  ///< by full name, with dots
  std::vector<std::string> comments;
  std::uint64_t end = 0;

  /// The value of a variable at a time.
  std::string at(const std::string& name, std::uint64_t time) const {
    const auto& changes = variables.at(name).changes;
    auto it = changes.upper_bound(time);
    if (it == changes.begin()) throw std::runtime_error("no value yet of " + name);
    return (--it)->second;
  }

  static std::string unescaped(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        result += text[i];
        continue;
      }
      result += static_cast<char>(std::stoi(text.substr(i + 1, 3), nullptr, 8));
      i += 3;
    }
    return result == std::string(1, '\0') ? std::string() : result;
  }

  static Vcd parse(const std::string& text) {
    Vcd vcd;
    std::istringstream in(text);
    std::map<std::string, std::string> names;  // by code
    std::vector<std::string> scopes;
    std::string word;
    const auto expect_end = [&] {
      if (!(in >> word) || word != "$end") throw std::runtime_error("expected $end, found " + word);
    };
    bool is_defined = false;
    while (!is_defined && in >> word) {
      if (word == "$scope") {
        std::string kind, name;
        in >> kind >> name;
        scopes.push_back(name);
        expect_end();
      } else if (word == "$upscope") {
        if (scopes.empty()) throw std::runtime_error("upscope without scope");
        scopes.pop_back();
        expect_end();
      } else if (word == "$var") {
        Variable variable;
        std::string code, name;
        in >> variable.type >> variable.width >> code >> name;
        std::string full;
        for (const std::string& scope : scopes) full += scope + ".";
        full += name;
        if (!names.emplace(code, full).second) throw std::runtime_error("code used twice: " + code);
        if (!vcd.variables.emplace(full, variable).second) throw std::runtime_error("name used twice: " + full);
        in >> word;
        if (word != "$end") {
          if (word != "[" + std::to_string(variable.width - 1) + ":0]") throw std::runtime_error("bad range " + word);
          expect_end();
        }
      } else if (word == "$enddefinitions") {
        expect_end();
        is_defined = true;
      } else if (word == "$version" || word == "$timescale" || word == "$comment") {
        const bool is_comment = word == "$comment";
        std::string content;
        while (in >> word && word != "$end") content += (content.empty() ? "" : " ") + word;
        if (is_comment) vcd.comments.push_back(content);
      } else {
        throw std::runtime_error("unexpected " + word);
      }
    }
    if (!is_defined || !scopes.empty()) throw std::runtime_error("definitions do not end well");
    while (in >> word) {
      if (word[0] == '#') {
        const std::uint64_t time = std::stoull(word.substr(1));
        if (time != 0 && time <= vcd.end) throw std::runtime_error("time goes back");
        vcd.end = time;
        continue;
      }
      if (word == "$dumpvars" || word == "$end") continue;
      std::string code, value;
      if (word[0] == 'b' || word[0] == 's') {
        value = word[0] == 's' ? unescaped(word.substr(1)) : word.substr(1);
        in >> code;
      } else {
        value = word.substr(0, 1);
        code = word.substr(1);
        if (value != "0" && value != "1") throw std::runtime_error("bad value " + word);
      }
      Variable& variable = vcd.variables.at(names.at(code));
      if ((word[0] == 's') != (variable.type == "string")) throw std::runtime_error("string and word mixed up");
      if (variable.type != "string" && value.size() != variable.width) throw std::runtime_error("width of " + word);
      if (!variable.changes.emplace(vcd.end, value).second) throw std::runtime_error("two values at one time");
    }
    return vcd;
  }
};

}  // namespace plumb::system
