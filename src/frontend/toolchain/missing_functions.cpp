#include "frontend/toolchain/missing_functions.h"

#include <fmt/format.h>

#include <string_view>

namespace plumb::frontend {

std::set<std::string> undefined_names(const std::string& messages) {
  std::set<std::string> names;
  for (const std::string_view begin : {"undefined reference to `", "undefined symbol: "}) {
    for (std::size_t at = 0; (at = messages.find(begin, at)) != std::string::npos;) {
      at += begin.size();
      names.insert(messages.substr(at, messages.find_first_of("'\n ", at) - at));
    }
  }
  return names;
}

std::string missing_definitions(const std::set<std::string>& names) {
  std::string text =
      "#include <stdio.h>\n#include <unistd.h>\n__attribute__((weak)) void __plumb_missing(const char *name) {\n"
      "  fprintf(stderr, \"plumb: %s is called and has no definition\\n\", name);\n  _exit(3);\n}\n";
  for (const std::string& name : names) text += fmt::format("void {0}(void) {{ __plumb_missing(\"{0}\"); }}\n", name);
  return text;
}

}  // namespace plumb::frontend
