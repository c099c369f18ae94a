#include "result/export/zip.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"

namespace plumb::result {
namespace {

constexpr std::string_view kLocalHeader = "PK\3\4";
constexpr std::string_view kDirectoryEntry = "PK\1\2";
constexpr std::string_view kDirectoryEnd = "PK\5\6";
constexpr std::size_t kEndSize = 22;
constexpr std::uint16_t kVersion = 20;         // 2.0
constexpr std::uint16_t kMadeOnUnix = 3 << 8;  // so that the mode below counts
constexpr std::uint16_t kNamesAreUtf8 = 1 << 11;
constexpr std::uint32_t kPlainFile = 0100644U << 16;

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit) table[i] = (table[i] & 1) != 0 ? table[i] >> 1 ^ 0xedb88320U : table[i] >> 1;
  }
  return table;
}();

void put16(std::string& out, std::uint32_t number) {
  out += static_cast<char>(number & 0xff);
  out += static_cast<char>(number >> 8 & 0xff);
}

void put32(std::string& out, std::uint32_t number) {
  put16(out, number & 0xffff);
  put16(out, number >> 16);
}

struct DosTime {
  std::uint32_t time = 0;
  std::uint32_t date = 0;
};

/// The format's years begin in 1980 and end in 2107; its seconds are even.
DosTime dos_time(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  if (parts.tm_year < 80) return {0, 1 << 5 | 1};
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  return {number(parts.tm_hour) << 11 | number(parts.tm_min) << 5 | number(std::min(parts.tm_sec, 59) / 2),
          number(std::min(parts.tm_year - 80, 127)) << 9 | number(parts.tm_mon + 1) << 5 | number(parts.tm_mday)};
}

/// What the header of a file and its entry in the directory share.
void put_facts(std::string& out, const ExportedFile& file, const DosTime& time, std::uint32_t crc) {
  put16(out, kVersion);
  put16(out, kNamesAreUtf8);
  put16(out, 0);  // stored
  put16(out, time.time);
  put16(out, time.date);
  put32(out, crc);
  put32(out, static_cast<std::uint32_t>(file.content.size()));  // in the archive
  put32(out, static_cast<std::uint32_t>(file.content.size()));
  put16(out, static_cast<std::uint32_t>(file.name.size()));
  put16(out, 0);  // extra field
}

void check_limits(std::span<const ExportedFile> files) {
  std::uint64_t size = kEndSize;
  for (const ExportedFile& file : files) {
    INVARIANT(file.name.size() <= std::numeric_limits<std::uint16_t>::max(), "the name of a file should be short");
    size += file.content.size() + 2 * file.name.size() + 30 + 46;
  }
  if (files.size() >= std::numeric_limits<std::uint16_t>::max() || size >= std::numeric_limits<std::uint32_t>::max())
    throw UserError("the tests are too many or too large for a zip file of the plain format",
                    "write a directory (without --zip), or fewer tests (--minimize)");
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) crc = kCrcTable[(crc ^ static_cast<unsigned char>(c)) & 0xff] ^ crc >> 8;
  return ~crc;
}

std::string zip_archive(std::span<const ExportedFile> files, std::time_t time, std::string_view comment) {
  check_limits(files);
  INVARIANT(comment.size() <= std::numeric_limits<std::uint16_t>::max(), "a comment should be short");
  const DosTime stamp = dos_time(time);
  std::string archive;
  std::string directory;
  for (const ExportedFile& file : files) {
    const auto offset = static_cast<std::uint32_t>(archive.size());
    const std::uint32_t crc = crc32(file.content);
    archive += kLocalHeader;
    put_facts(archive, file, stamp, crc);
    archive += file.name;
    archive += file.content;
    directory += kDirectoryEntry;
    put16(directory, kMadeOnUnix | kVersion);
    put_facts(directory, file, stamp, crc);
    put16(directory, 0);  // comment
    put16(directory, 0);  // disk
    put16(directory, 0);  // internal attributes
    put32(directory, kPlainFile);
    put32(directory, offset);
    directory += file.name;
  }
  const auto start = static_cast<std::uint32_t>(archive.size());
  archive += directory;
  archive += kDirectoryEnd;
  put32(archive, 0);  // this disk, the directory's disk
  put16(archive, static_cast<std::uint32_t>(files.size()));
  put16(archive, static_cast<std::uint32_t>(files.size()));
  put32(archive, static_cast<std::uint32_t>(directory.size()));
  put32(archive, start);
  put16(archive, static_cast<std::uint32_t>(comment.size()));
  archive += comment;
  return archive;
}

std::string_view zip_comment(std::string_view archive) {
  const std::size_t end = archive.rfind(kDirectoryEnd);
  return end == std::string_view::npos || archive.size() - end < kEndSize ? std::string_view()
                                                                          : archive.substr(end + kEndSize);
}

}  // namespace plumb::result
