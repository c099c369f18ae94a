#include "frontend/toolchain/object_file.h"

#include <fmt/format.h>
#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <cstring>
#include <fstream>

#include "base/error.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
namespace elf = llvm::ELF;

llvm::StringRef ref(std::string_view text) { return {text.data(), text.size()}; }

[[noreturn]] void complain(const fs::path& file, llvm::Error error) {
  throw UserError(SourceLocation{file.string()}, fmt::format("not a program: {}", llvm::toString(std::move(error))),
                  "build it again with CC=\"plumb cc\"");
}

template <typename T>
T value_of(llvm::Expected<T> value, const fs::path& file) {
  if (!value) complain(file, value.takeError());
  return std::move(*value);
}

template <typename Elf>
void read_dynamic(const llvm::object::ELFObjectFile<Elf>& object, const fs::path& file, ObjectFile& facts) {
  const auto entries = value_of(object.getELFFile().dynamicEntries(), file);
  const char* strings = nullptr;
  for (const auto& entry : entries)
    if (entry.getTag() == elf::DT_STRTAB)
      strings = reinterpret_cast<const char*>(value_of(object.getELFFile().toMappedAddr(entry.getPtr()), file));
  if (strings == nullptr) return;
  const std::string_view all = {object.getData().data(), object.getData().size()};
  const auto text = [&](std::uint64_t at) {
    const auto start = static_cast<std::size_t>(strings - all.data()) + at;
    if (start >= all.size()) return std::string();
    return std::string(all.substr(start, std::min(all.find('\0', start), all.size()) - start));
  };
  for (const auto& entry : entries) {
    if (entry.getTag() == elf::DT_NEEDED) facts.needed.push_back(text(entry.getVal()));
    if (entry.getTag() == elf::DT_SONAME) facts.soname = text(entry.getVal());
    if (entry.getTag() == elf::DT_RPATH || entry.getTag() == elf::DT_RUNPATH) {
      const std::string paths = text(entry.getVal());
      for (std::size_t begin = 0; begin <= paths.size();) {
        const std::size_t end = std::min(paths.find(':', begin), paths.size());
        if (end > begin) facts.search_paths.push_back(paths.substr(begin, end - begin));
        begin = end + 1;
      }
    }
  }
}

void read_symbols(const llvm::object::ELFObjectFileBase& object, const fs::path& file, ObjectFile& facts) {
  const auto symbols = facts.is_linked ? object.getDynamicSymbolIterators()
                                       : llvm::object::ELFObjectFileBase::elf_symbol_iterator_range(
                                             llvm::object::elf_symbol_iterator(object.symbol_begin()),
                                             llvm::object::elf_symbol_iterator(object.symbol_end()));
  for (const llvm::object::ELFSymbolRef& symbol : symbols) {
    const bool is_undefined = (value_of(symbol.getFlags(), file) & llvm::object::BasicSymbolRef::SF_Undefined) != 0;
    if (!is_undefined && !facts.is_linked) continue;
    auto& names = is_undefined ? facts.undefined : facts.exported;
    names.push_back(value_of(symbol.getName(), file).str());
  }
}

ObjectFile facts_of(const llvm::object::ELFObjectFileBase& object, const fs::path& file, std::string_view wanted) {
  ObjectFile facts;
  facts.is_linked = object.getEType() == elf::ET_EXEC || object.getEType() == elf::ET_DYN;
  for (const llvm::object::SectionRef& section : object.sections())
    if (value_of(section.getName(), file) == ref(wanted))
      facts.carried += std::string_view(value_of(section.getContents(), file));
  if (facts.is_linked) {
    using namespace llvm::object;
    if (const auto* little64 = llvm::dyn_cast<ELF64LEObjectFile>(&object)) read_dynamic(*little64, file, facts);
    if (const auto* little32 = llvm::dyn_cast<ELF32LEObjectFile>(&object)) read_dynamic(*little32, file, facts);
    if (const auto* big64 = llvm::dyn_cast<ELF64BEObjectFile>(&object)) read_dynamic(*big64, file, facts);
    if (const auto* big32 = llvm::dyn_cast<ELF32BEObjectFile>(&object)) read_dynamic(*big32, file, facts);
  }
  read_symbols(object, file, facts);
  return facts;
}

std::vector<ObjectFile> read_archive(const llvm::MemoryBufferRef& buffer, const fs::path& file,
                                     std::string_view section) {
  const auto archive = value_of(llvm::object::Archive::create(buffer), file);
  std::vector<ObjectFile> members;
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child& child : archive->children(error)) {
    const llvm::MemoryBufferRef member = value_of(child.getMemoryBufferRef(), file);
    if (member.getBuffer().starts_with(elf::ElfMagic))
      members.push_back(read_object(std::string_view(member.getBuffer()), file, section));
  }
  if (error) complain(file, std::move(error));
  return members;
}

/// A header, the names of two sections, and the sections: the stack needs no rights, and the names themselves.
template <typename Header, typename Section>
std::string make_empty_object(unsigned char file_class, std::uint16_t machine) {
  static constexpr char kNames[] = "\0.shstrtab\0.note.GNU-stack";
  Header header{};
  std::memcpy(header.e_ident, elf::ElfMagic, 4);
  header.e_ident[elf::EI_CLASS] = file_class;
  header.e_ident[elf::EI_DATA] = elf::ELFDATA2LSB;
  header.e_ident[elf::EI_VERSION] = elf::EV_CURRENT;
  header.e_type = elf::ET_REL;
  header.e_machine = machine;
  header.e_version = elf::EV_CURRENT;
  header.e_ehsize = sizeof(Header);
  header.e_shentsize = sizeof(Section);
  header.e_shoff = sizeof(Header) + 32;
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  static_assert(sizeof kNames <= 32);
  Section sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = elf::SHT_STRTAB;
  sections[1].sh_offset = sizeof(Header);
  sections[1].sh_size = sizeof kNames;
  sections[1].sh_addralign = 1;
  sections[2].sh_name = 11;
  sections[2].sh_type = elf::SHT_PROGBITS;
  sections[2].sh_offset = sizeof(Header) + 32;
  sections[2].sh_addralign = 1;
  std::string object(reinterpret_cast<const char*>(&header), sizeof header);
  object.append(kNames, sizeof kNames);
  object.resize(sizeof(Header) + 32);
  object.append(reinterpret_cast<const char*>(sections), sizeof sections);
  return object;
}

}  // namespace

FileFormat format_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return FileFormat::Other;
  std::ifstream stream(file, std::ios::binary);
  char magic[8] = {};
  stream.read(magic, sizeof magic);
  const std::string_view begin(magic, static_cast<std::size_t>(stream.gcount()));
  if (begin.starts_with(elf::ElfMagic)) return FileFormat::Elf;
  return begin == "!<arch>\n" || begin == "!<thin>\n" ? FileFormat::Archive : FileFormat::Other;
}

ObjectFile read_object(std::string_view bytes, const fs::path& name, std::string_view section) {
  const std::string text = name.string();
  const auto object =
      value_of(llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(ref(bytes), text)), name);
  return facts_of(llvm::cast<llvm::object::ELFObjectFileBase>(*object), name, section);
}

std::vector<ObjectFile> read_objects(const fs::path& file, std::string_view section) {
  auto buffer = llvm::MemoryBuffer::getFile(file.string(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer) throw UserError(SourceLocation{file.string()}, buffer.getError().message());
  if (format_of(file) == FileFormat::Archive) return read_archive((*buffer)->getMemBufferRef(), file, section);
  return {read_object(std::string_view((*buffer)->getBuffer()), file, section)};
}

std::string with_section(std::string_view object, std::string_view section, std::string_view content) {
  const fs::path name = "object";
  const auto binary =
      value_of(llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(ref(object), "object")), name);
  llvm::objcopy::ConfigManager config;
  if (llvm::Error error = config.Common.ToRemove.addMatcher(llvm::objcopy::NameOrPattern::create(
          ref(section), llvm::objcopy::MatchStyle::Literal, [](llvm::Error e) { return e; })))
    complain(name, std::move(error));
  config.Common.AddSection.emplace_back(
      ref(section), llvm::MemoryBuffer::getMemBuffer(ref(content), "", /*RequiresNullTerminator=*/false));
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  if (llvm::Error error = llvm::objcopy::executeObjcopyOnBinary(config, *binary, stream))
    complain(name, std::move(error));
  return bytes.str().str();
}

std::string empty_object(std::uint32_t word_size) {
  return word_size == 32 ? make_empty_object<elf::Elf32_Ehdr, elf::Elf32_Shdr>(elf::ELFCLASS32, elf::EM_386)
                         : make_empty_object<elf::Elf64_Ehdr, elf::Elf64_Shdr>(elf::ELFCLASS64, elf::EM_X86_64);
}

}  // namespace plumb::frontend
