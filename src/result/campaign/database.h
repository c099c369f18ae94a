#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace plumb::result {

/// An SQLite database. Every failure is a UserError that names the file and the remedy: damaged, written by somebody
/// else, a full disk. Not thread-safe.
class Database {
 public:
  enum class Access : std::uint8_t { Create, Write, Read };
  Database(const std::filesystem::path& path, Access access);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Statements without results.
  void execute(const std::string& sql);
  /// The first column of the first row; 0 if there is none.
  std::int64_t number(const std::string& sql);
  /// Opens a transaction, if none is open.
  void begin();
  /// Ends the transaction, if one is open.
  void commit();

  const std::filesystem::path& path() const noexcept { return path_; }
  [[noreturn]] void fail(int code) const;
  /// What is in the database cannot be: it was written by nobody of ours.
  [[noreturn]] void fail_damaged(std::string_view what) const;

 private:
  friend class Statement;
  void open(Access access);

  std::filesystem::path path_;
  sqlite3* handle_ = nullptr;
  bool is_in_transaction_ = false;
};

/// A prepared statement: bind() from the first parameter on, then step() until it gives false, or run(). Blobs and
/// texts that are bound must live until then.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind(std::span<const std::uint8_t> blob);
  /// A row is there to be read.
  bool step();
  /// One step, then ready to be bound again.
  void run();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  std::vector<std::uint8_t> blob(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 1;
};

}  // namespace plumb::result
