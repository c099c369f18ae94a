#include "result/campaign/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cerrno>
#include <system_error>

#include "base/error.h"

namespace plumb::result {

namespace fs = std::filesystem;

namespace {

constexpr int kBusyMilliseconds = 2000;

std::string percent_encoded(const std::string& path) {
  std::string text;
  for (const char c : path)
    text +=
        c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  return text;
}

int try_open(const fs::path& path, int flags, bool is_immutable, sqlite3*& handle) {
  const std::string uri =
      fmt::format("file:{}{}", percent_encoded(fs::absolute(path).string()), is_immutable ? "?immutable=1" : "");
  int code = sqlite3_open_v2(uri.c_str(), &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nullptr);
  // Whether the file can be read shows only when something is read.
  if (code == SQLITE_OK) code = sqlite3_exec(handle, "PRAGMA user_version", nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return code;
  if (handle != nullptr) code = sqlite3_extended_errcode(handle);
  sqlite3_close(handle);
  handle = nullptr;
  return code;
}

std::string reason_of(int code) {
  return errno != 0 && (code & 0xff) == SQLITE_IOERR
             ? fmt::format("{} ({})", sqlite3_errstr(code), std::generic_category().message(errno))
             : sqlite3_errstr(code);
}

}  // namespace

Database::Database(const fs::path& path, Access access) : path_(path) { open(access); }

Database::~Database() { sqlite3_close(handle_); }

void Database::open(Access access) {
  errno = 0;
  int code = SQLITE_OK;
  switch (access) {
    case Access::Create:
      code = try_open(path_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, false, handle_);
      break;
    case Access::Write:
      code = try_open(path_, SQLITE_OPEN_READWRITE, false, handle_);
      break;
    case Access::Read:
      // A log that another process left is only read by one that may write; where that is not allowed, and no log is
      // there, the file alone is all.
      code = try_open(path_, SQLITE_OPEN_READWRITE, false, handle_);
      if (code != SQLITE_OK) code = try_open(path_, SQLITE_OPEN_READONLY, false, handle_);
      if (code != SQLITE_OK && !fs::exists(path_.string() + "-wal"))
        code = try_open(path_, SQLITE_OPEN_READONLY, true, handle_);
      break;
  }
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
}

void Database::fail(int code) const {
  const SourceLocation place{path_.string()};
  switch (code & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
      fail_damaged(sqlite3_errstr(code));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw UserError(place, "another process is writing to this campaign",
                      "wait until it has ended, or name another directory with --out");
    case SQLITE_FULL:
      throw UserError(place, "cannot be written: the disk is full",
                      "make room, then go on with --resume: what was written before is kept");
    case SQLITE_IOERR:
      throw UserError(place, fmt::format("cannot be read or written: {}", reason_of(code)),
                      "see whether the disk is full or a limit on the size of files is set, then go on with --resume: "
                      "what was written before is kept");
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw UserError(place, fmt::format("cannot be opened: {}", sqlite3_errstr(code)),
                      "see whether the directory exists and whether you may write to it");
    default:
      throw UserError(place, fmt::format("the database gave an error: {}",
                                         handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(code)));
  }
}

void Database::fail_damaged(std::string_view what) const {
  throw UserError(SourceLocation{path_.string()}, fmt::format("is damaged, or no campaign of plumb ({})", what),
                  "the tests are files of their own: begin anew in another directory, with --input and the directory "
                  "tests beside this file");
}

void Database::execute(const std::string& sql) {
  errno = 0;
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    fail(sqlite3_extended_errcode(handle_));
}

std::int64_t Database::number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::begin() {
  if (is_in_transaction_) return;
  execute("BEGIN IMMEDIATE");
  is_in_transaction_ = true;
}

void Database::commit() {
  if (!is_in_transaction_) return;
  is_in_transaction_ = false;
  execute("COMMIT");
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  errno = 0;
  const int code = sqlite3_prepare_v2(database.handle_, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
  // Our own statements are right, so it is the table that is not there.
  if (code == SQLITE_ERROR) database.fail_damaged(sqlite3_errmsg(database.handle_));
  if (code != SQLITE_OK) database.fail(sqlite3_extended_errcode(database.handle_));
}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, next_++, value);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(statement_, next_++, value);
  return *this;
}

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text64(statement_, next_++, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
  return *this;
}

Statement& Statement::bind(std::span<const std::uint8_t> blob) {
  if (blob.empty()) {
    sqlite3_bind_zeroblob(statement_, next_++, 0);
  } else {
    sqlite3_bind_blob64(statement_, next_++, blob.data(), blob.size(), SQLITE_STATIC);
  }
  return *this;
}

bool Statement::step() {
  errno = 0;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(sqlite3_extended_errcode(database_.handle_));
  return false;
}

void Statement::run() {
  step();
  sqlite3_reset(statement_);
  next_ = 1;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  return text == nullptr ? std::string()
                         : std::string(text, text + static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

std::vector<std::uint8_t> Statement::blob(int column) const {
  const auto* bytes = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, bytes + static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace plumb::result
