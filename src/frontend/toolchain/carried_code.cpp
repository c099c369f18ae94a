#include "frontend/toolchain/carried_code.h"

#include <fmt/format.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

#include "base/error.h"
#include "frontend/toolchain/object_file.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

// A record: the mark, its head, then texts, each with its length before it. Linkers put records behind each other,
// perhaps with zero bytes between them.
constexpr std::string_view kMark = "PLUMB\1\2\3";
enum class Kind : std::uint32_t { Unit, Native, LinkC, LinkCxx, Component, Settled };
struct Head {
  Kind kind;
  std::uint32_t reserved;
  std::uint64_t size;  ///< of what follows
  std::uint64_t hash;  ///< of what follows: bitcode that it holds for is what clang wrote
};

std::uint64_t hash_of(std::string_view bytes) { return llvm::xxh3_64bits(llvm::StringRef(bytes.data(), bytes.size())); }

std::string record(Kind kind, const std::vector<std::string_view>& texts) {
  std::string body;
  for (const std::string_view text : texts) {
    const std::uint64_t size = text.size();
    body.append(reinterpret_cast<const char*>(&size), sizeof size);
    body += text;
  }
  const Head head{kind, 0, body.size(), hash_of(body)};
  std::string bytes(kMark);
  bytes.append(reinterpret_cast<const char*>(&head), sizeof head);
  return bytes + body;
}

[[noreturn]] void complain(const fs::path& file) {
  throw UserError(SourceLocation{file.string()}, "the code that it carries is damaged",
                  "build it again with CC=\"plumb cc\"");
}

std::vector<std::string> texts_of(std::string_view body, const fs::path& file) {
  std::vector<std::string> texts;
  while (!body.empty()) {
    std::uint64_t size = 0;
    if (body.size() < sizeof size) complain(file);
    std::memcpy(&size, body.data(), sizeof size);
    body.remove_prefix(sizeof size);
    if (size > body.size()) complain(file);
    texts.emplace_back(body.substr(0, size));
    body.remove_prefix(size);
  }
  return texts;
}

/// Names of symbols, as one text.
std::string lines_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += name + '\n';
  return text;
}
std::vector<std::string> names_of(const std::string& lines) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    names.push_back(lines.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

void add_record(Kind kind, std::vector<std::string> texts, const fs::path& file, CarriedCode& code) {
  switch (kind) {
    case Kind::Unit: {
      if (texts.size() < 3 || code.components.empty()) complain(file);
      CarriedCode::Unit unit{texts[0], texts[1], {}, std::move(texts[2]), code.components.size() - 1};
      unit.words.assign(texts.begin() + 3, texts.end());
      code.units.push_back(std::move(unit));
      return;
    }
    case Kind::Native:
      if (texts.size() != 2) complain(file);
      code.natives.push_back({texts[0], std::move(texts[1])});
      return;
    case Kind::LinkC:
    case Kind::LinkCxx:
      code.is_cxx |= kind == Kind::LinkCxx;
      std::ranges::move(texts, std::back_inserter(code.link_words));
      return;
    case Kind::Settled:
      break;  // not within another record
    case Kind::Component:
      if (texts.size() != 4) complain(file);
      code.components.push_back({texts[0], texts[1] == "linked", names_of(texts[2]), names_of(texts[3])});
      return;
  }
  complain(file);
}

/// The first record of the bytes, which are shortened by it; the kind and the texts. Nothing at the end.
std::optional<std::pair<Kind, std::vector<std::string>>> next_record(std::string_view& bytes, const fs::path& file) {
  const std::size_t start = bytes.find_first_not_of('\0');
  if (start == std::string_view::npos) return std::nullopt;
  bytes.remove_prefix(start);
  Head head;
  if (!bytes.starts_with(kMark) || bytes.size() < kMark.size() + sizeof head) complain(file);
  std::memcpy(&head, bytes.data() + kMark.size(), sizeof head);
  bytes.remove_prefix(kMark.size() + sizeof head);
  if (head.size > bytes.size() || hash_of(bytes.substr(0, head.size)) != head.hash) complain(file);
  std::vector<std::string> texts = texts_of(bytes.substr(0, head.size), file);
  bytes.remove_prefix(head.size);
  return std::pair{head.kind, std::move(texts)};
}

/// Of the last component. True if one of them is all that counts.
bool read_records(std::string_view bytes, const fs::path& file, CarriedCode& code) {
  while (auto record = next_record(bytes, file)) {
    if (record->first != Kind::Settled) {
      add_record(record->first, std::move(record->second), file, code);
      continue;
    }
    if (record->second.size() != 1) complain(file);
    code = {};
    read_records(record->second.front(), file, code);
    if (code.components.empty()) complain(file);
    return true;
  }
  return false;
}

/// Where the dynamic linker looks, and where the linker looked.
std::vector<fs::path> search_paths(const ObjectFile& object, const fs::path& file, const CarriedCode& code) {
  std::vector<fs::path> paths;
  const std::string origin = fs::absolute(file).parent_path().string();
  for (std::string path : object.search_paths) {
    for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"})
      if (const std::size_t at = path.find(name); at != std::string::npos) path.replace(at, name.size(), origin);
    paths.emplace_back(path);
  }
  if (const char* variable = std::getenv("LD_LIBRARY_PATH")) {
    const std::string_view all(variable);
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = std::min(all.find(':', begin), all.size());
      paths.emplace_back(all.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  for (const std::string& word : code.link_words) {
    if (word.starts_with("-L")) paths.emplace_back(word.substr(2));
    if (word.starts_with('/') && word.find(".so") != std::string::npos) paths.push_back(fs::path(word).parent_path());
  }
  for (const char* path : {"/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib"})
    paths.emplace_back(path);
  return paths;
}

/// Reads a file, and the libraries that it needs.
class Loader {
 public:
  CarriedCode load(const fs::path& file) {
    const std::vector<ObjectFile> objects = read_objects(file, kCarriedSection);
    code_.components.push_back({file, false, {}, {}});
    for (const ObjectFile& object : objects) {
      if (read_records(object.carried, file, code_)) return std::move(code_);
      code_.components.front().is_linked |= object.is_linked;
      std::ranges::copy(object.exported, std::back_inserter(code_.components.front().exported));
      std::ranges::copy(object.undefined, std::back_inserter(code_.components.front().imported));
      queue_needed(object, file);
    }
    for (std::size_t i = 0; i < queue_.size(); ++i) load_library(queue_[i].first, queue_[i].second);
    std::erase_if(code_.link_words, [&](const std::string& word) { return is_followed(word); });
    return std::move(code_);
  }

 private:
  void queue_needed(const ObjectFile& object, const fs::path& file) {
    const std::vector<fs::path> paths = search_paths(object, file, code_);
    for (const std::string& soname : object.needed) {
      if (!seen_.insert(soname).second) continue;
      const auto found = std::ranges::find_if(paths, [&](const fs::path& path) { return is_native(path / soname); });
      if (found != paths.end()) queue_.emplace_back(soname, *found / soname);
    }
  }

  void load_library(const std::string& soname, const fs::path& file) {
    const ObjectFile object = read_objects(file, kCarriedSection).front();
    if (object.carried.empty()) return;
    followed_.insert(soname);
    code_.components.push_back({file, true, object.exported, object.undefined});
    read_records(object.carried, file, code_);
    queue_needed(object, file);
  }

  /// A word for a library whose code is part of ours now, or one that is neither needed nor there any more.
  bool is_followed(const std::string& word) const {
    if (word.starts_with("-l"))
      return std::ranges::any_of(followed_,
                                 [name = fmt::format("lib{}.so", word.substr(2))](const std::string& soname) {
                                   return soname == name || soname.starts_with(name + ".");
                                 });
    if (!word.starts_with('/') || word.find(".so") == std::string::npos) return false;
    if (!is_native(word)) return !fs::exists(word);
    const ObjectFile object = read_objects(word, kCarriedSection).front();
    return followed_.contains(object.soname.empty() ? fs::path(word).filename().string() : object.soname);
  }

  CarriedCode code_;
  std::vector<std::pair<std::string, fs::path>> queue_;
  std::set<std::string> seen_;
  std::set<std::string> followed_;
};

}  // namespace

std::string unit_record(const CarriedCode::Unit& unit) {
  std::vector<std::string_view> texts = {unit.source, unit.directory, unit.bitcode};
  texts.insert(texts.end(), unit.words.begin(), unit.words.end());
  return record(Kind::Unit, texts);
}

std::string native_record(const CarriedCode::Native& native) {
  return record(Kind::Native, {native.source, native.object});
}

std::string link_record(const std::vector<std::string>& words, bool is_cxx) {
  return record(is_cxx ? Kind::LinkCxx : Kind::LinkC, {words.begin(), words.end()});
}

std::string settled_records(const CarriedCode& code) {
  std::string records;
  for (std::size_t i = 0; i < code.components.size(); ++i) {
    const CarriedCode::Component& component = code.components[i];
    const std::string exported = lines_of(component.exported);
    const std::string imported = lines_of(component.imported);
    records += record(Kind::Component,
                      {component.file.native(), component.is_linked ? "linked" : "loose", exported, imported});
    for (const CarriedCode::Unit& unit : code.units)
      if (unit.component == i) records += unit_record(unit);
  }
  for (const CarriedCode::Native& native : code.natives) records += native_record(native);
  records += link_record(code.link_words, code.is_cxx);
  return record(Kind::Settled, {records});
}

bool is_native(const fs::path& file) { return format_of(file) != FileFormat::Other; }

bool carries_code(const fs::path& file) {
  return is_native(file) && std::ranges::none_of(read_objects(file, kCarriedSection),
                                                 [](const ObjectFile& object) { return object.carried.empty(); });
}

CarriedCode read_carried_code(const fs::path& file) { return Loader().load(file); }

}  // namespace plumb::frontend
