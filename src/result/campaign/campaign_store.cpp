// One file for all that a campaign knows, in SQLite with a write-ahead log: a commit is one write to the log, which the
// system keeps when the process is killed, and a reader sees whole commits only. Nothing is synchronised to the disk at
// a commit, so a loss of power may cost the last ones, but never the database.
#include "result/campaign/campaign_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "result/campaign/compact.h"
#include "result/campaign/database.h"

namespace plumb::result {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kApplication = 0x506c6d62;  // "Plmb"
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kFile = "campaign.db";
constexpr std::string_view kNewFile = ".campaign-new.db";

constexpr std::string_view kSchema = R"(
CREATE TABLE program(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE options(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tests(number INTEGER PRIMARY KEY, test TEXT NOT NULL, end TEXT NOT NULL, code INTEGER NOT NULL,
  seconds REAL NOT NULL, edges BLOB NOT NULL);
CREATE TABLE errors(end TEXT, code INTEGER, site INTEGER, edge INTEGER, test TEXT NOT NULL,
  test_number INTEGER NOT NULL, runs INTEGER NOT NULL, PRIMARY KEY(end, code, site, edge));
CREATE TABLE branches(edge INTEGER PRIMARY KEY, file TEXT NOT NULL, line INTEGER NOT NULL, column INTEGER NOT NULL,
  function TEXT NOT NULL, side TEXT NOT NULL, state TEXT NOT NULL);
CREATE TABLE progress(seconds REAL NOT NULL, runs INTEGER NOT NULL, covered INTEGER NOT NULL, total INTEGER NOT NULL);
CREATE TABLE runs(number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, inputs BLOB NOT NULL);
CREATE TABLE answers(key INTEGER PRIMARY KEY, kind INTEGER NOT NULL);
CREATE TABLE search(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
)";

enum class Asked : std::int64_t { Refuted, Run, Settled };

constexpr std::array kStates = {
    std::pair{StoredBranch::State::Covered, std::string_view("covered")},
    std::pair{StoredBranch::State::Infeasible, std::string_view("infeasible")},
    std::pair{StoredBranch::State::Refuted, std::string_view("refuted")},
    std::pair{StoredBranch::State::TimedOut, std::string_view("timed-out")},
    std::pair{StoredBranch::State::Open, std::string_view("open")},
    std::pair{StoredBranch::State::NotReached, std::string_view("not-reached")},
};

/// Of keys, which have all 64 bits.
std::int64_t as_signed(std::uint64_t number) { return static_cast<std::int64_t>(number); }
std::uint64_t as_unsigned(std::int64_t number) { return static_cast<std::uint64_t>(number); }

std::string pragmas() {
  return fmt::format("PRAGMA application_id={}; PRAGMA user_version={};", kApplication, kVersion);
}

void prepare_for_writing(Database& database) {
  database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=2000;");
}

void check_version(Database& database) {
  if (database.number("PRAGMA application_id") != kApplication) database.fail_damaged("its mark is missing");
  const std::int64_t version = database.number("PRAGMA user_version");
  if (version != kVersion)
    throw UserError(SourceLocation{database.path().string()},
                    fmt::format("is a campaign of format {}, and this plumb reads format {}", version, kVersion),
                    "use the plumb that made it, or begin anew in another directory with --out");
}

/// Held while the campaign is open for writing; goes with the process, however that ends.
FileDescriptor lock_directory(const fs::path& directory) {
  FileDescriptor lock(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.is_open())
    throw UserError(SourceLocation{directory.string()},
                    fmt::format("cannot be opened: {}", std::generic_category().message(errno)),
                    "name another directory with --out");
  // File systems that cannot lock a directory leave it to SQLite's own locks.
  if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw UserError(SourceLocation{directory.string()}, "another plumb is running a campaign in this directory",
                    "wait until it has ended, or name another directory with --out");
  return lock;
}

void remove_log(const fs::path& file) {
  std::error_code ignored;
  fs::remove(file.string() + "-wal", ignored);
  fs::remove(file.string() + "-shm", ignored);
}

/// A whole database at `file`, or none: without a log, of which a part could be left behind.
void make_empty_database(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  remove_log(file);
  try {
    Database fresh(file, Database::Access::Create);
    fresh.execute("PRAGMA journal_mode=MEMORY;");
    fresh.begin();
    fresh.execute(pragmas() + std::string(kSchema));
    fresh.commit();
  } catch (const UserError&) {
    fs::remove(file, error);
    throw;
  }
}

void create_database(const fs::path& directory, const std::function<void()>& before_replacing) {
  const fs::path aside = directory / kNewFile;
  const fs::path file = directory / kFile;
  make_empty_database(aside);
  if (before_replacing) before_replacing();
  std::error_code error;
  // A log that a killed process left would be taken for the new file's: into the old one with it.
  if (fs::exists(file.string() + "-wal", error)) {
    std::optional<Database> old;
    try {
      old.emplace(file, Database::Access::Write);
    } catch (const UserError&) {
      // What cannot be read is about to be replaced.
    }
    if (old) old->execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  remove_log(file);
  fs::rename(aside, file, error);
  if (error)
    throw UserError(SourceLocation{file.string()}, fmt::format("cannot be written: {}", error.message()),
                    "name another directory with --out");
}

}  // namespace

bool is_error(const StoredTest& test) { return test.end == "error" || test.end == "signal" || test.end == "defect"; }

std::string_view name(StoredBranch::State state) {
  for (const auto& [known, word] : kStates)
    if (known == state) return word;
  return "unknown";
}

struct CampaignStore::Parts {
  Parts(const fs::path& path, Mode mode) : database(path, access(mode)) {}

  static Database::Access access(Mode mode) {
    return mode == Mode::Read ? Database::Access::Read : Database::Access::Write;
  }

  nlohmann::json parse(const std::string& text, std::string_view what) const {
    auto value = nlohmann::json::parse(text, nullptr, false);
    if (value.is_discarded()) database.fail_damaged(what);
    return value;
  }

  std::vector<std::string> words(const std::string& text, std::string_view what) const {
    const nlohmann::json list = parse(text, what);
    std::vector<std::string> words;
    if (!list.is_array()) database.fail_damaged(what);
    for (const auto& word : list) {
      if (!word.is_string()) database.fail_damaged(what);
      words.push_back(word.get<std::string>());
    }
    return words;
  }

  TestCase test(const std::string& text) const { return parse_test_case(text, database.path().string()); }

  void answer(std::uint64_t key, Asked kind) {
    database.begin();
    if (!add_answer) add_answer.emplace(database, "INSERT OR REPLACE INTO answers VALUES(?, ?)");
    add_answer->bind(as_signed(key)).bind(static_cast<std::int64_t>(kind)).run();
  }

  FileDescriptor lock;
  Database database;
  std::map<std::uint32_t, StoredBranch::State> states;  ///< of branches, as they were written last
  std::optional<Statement> add_answer;
  std::optional<Statement> add_run;
};

bool CampaignStore::exists(const fs::path& directory) {
  std::error_code error;
  return fs::exists(directory / kFile, error);
}

CampaignStore::CampaignStore(const fs::path& directory, Mode mode, const std::function<void()>& before_replacing) {
  if (mode != Mode::Create && !exists(directory))
    throw UserError(SourceLocation{directory.string()}, "holds no campaign: there is no campaign.db",
                    mode == Mode::Resume ? "begin one without --resume" : "plumb test --out DIR makes one");
  FileDescriptor lock;
  if (mode != Mode::Read) lock = lock_directory(directory);
  if (mode == Mode::Create) create_database(directory, before_replacing);
  parts_ = std::make_unique<Parts>(directory / kFile, mode);
  parts_->lock = std::move(lock);
  check_version(parts_->database);
  if (mode == Mode::Read) return;
  Statement check(parts_->database, "PRAGMA quick_check(1)");
  if (!check.step() || check.text(0) != "ok") parts_->database.fail_damaged(check.text(0));
  while (check.step()) continue;
  prepare_for_writing(parts_->database);
}

CampaignStore::~CampaignStore() = default;
CampaignStore::CampaignStore(CampaignStore&&) noexcept = default;
CampaignStore& CampaignStore::operator=(CampaignStore&&) noexcept = default;

void CampaignStore::commit() { parts_->database.commit(); }

void CampaignStore::set_program(const StoredProgram& program) {
  const auto text = [](const auto& value) {
    return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  Database& database = parts_->database;
  database.begin();
  database.execute("DELETE FROM program; DELETE FROM options;");
  Statement add(database, "INSERT INTO program VALUES(?, ?)");
  add.bind("fingerprint").bind(program.fingerprint).run();
  add.bind("directory").bind(program.directory).run();
  const std::string files = text(program.files);
  add.bind("files").bind(files).run();
  const std::string flags = text(program.compiler_flags);
  add.bind("compiler_flags").bind(flags).run();
  add.bind("entry").bind(program.entry).run();
  Statement add_option(database, "INSERT INTO options VALUES(?, ?)");
  for (const auto& [option, value] : program.options) add_option.bind(option).bind(value).run();
  database.commit();
}

StoredProgram CampaignStore::program() const {
  StoredProgram program;
  Statement rows(parts_->database, "SELECT name, value FROM program");
  while (rows.step()) {
    const std::string what = rows.text(0);
    const std::string value = rows.text(1);
    if (what == "fingerprint") program.fingerprint = value;
    if (what == "directory") program.directory = value;
    if (what == "entry") program.entry = value;
    if (what == "files") program.files = parts_->words(value, "files");
    if (what == "compiler_flags") program.compiler_flags = parts_->words(value, "compiler flags");
  }
  Statement options(parts_->database, "SELECT name, value FROM options");
  while (options.step()) program.options[options.text(0)] = options.text(1);
  return program;
}

void CampaignStore::add_test(const StoredTest& test) {
  Database& database = parts_->database;
  database.begin();
  Statement add(database, "INSERT OR REPLACE INTO tests VALUES(?, ?, ?, ?, ?, ?)");
  const std::string text = to_json(test.test);
  const std::vector<std::uint8_t> edges = pack_rising(test.edges);
  add.bind(std::int64_t{test.number}).bind(text).bind(test.end).bind(std::int64_t{test.code}).bind(test.seconds);
  add.bind(edges).run();
  database.commit();
}

std::vector<StoredTest> CampaignStore::tests() const {
  std::vector<StoredTest> tests;
  Statement rows(parts_->database, "SELECT number, test, end, code, seconds, edges FROM tests ORDER BY number");
  while (rows.step()) {
    StoredTest& test = tests.emplace_back();
    test.number = static_cast<std::uint32_t>(rows.integer(0));
    test.test = parts_->test(rows.text(1));
    test.end = rows.text(2);
    test.code = static_cast<int>(rows.integer(3));
    test.seconds = rows.real(4);
    auto edges = unpack_rising(rows.blob(5));
    if (!edges) parts_->database.fail_damaged("edges of a test");
    test.edges = std::move(*edges);
  }
  return tests;
}

void CampaignStore::remove_tests(const std::vector<std::uint32_t>& numbers) {
  Database& database = parts_->database;
  database.begin();
  Statement remove(database, "DELETE FROM tests WHERE number = ?");
  for (const std::uint32_t number : numbers) remove.bind(std::int64_t{number}).run();
  database.commit();
}

void CampaignStore::set_error(const StoredError& error) {
  Database& database = parts_->database;
  database.begin();
  Statement add(database,
                "INSERT INTO errors VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(end, code, site, edge) "
                "DO UPDATE SET test = excluded.test, test_number = excluded.test_number, runs = excluded.runs");
  const std::string text = to_json(error.test);
  add.bind(error.end).bind(std::int64_t{error.code}).bind(std::int64_t{error.site}).bind(std::int64_t{error.edge});
  add.bind(text).bind(std::int64_t{error.test_number}).bind(as_signed(error.runs)).run();
}

std::vector<StoredError> CampaignStore::errors() const {
  std::vector<StoredError> errors;
  Statement rows(parts_->database, "SELECT end, code, site, edge, test, test_number, runs FROM errors ORDER BY rowid");
  while (rows.step()) {
    StoredError& error = errors.emplace_back();
    error.end = rows.text(0);
    error.code = static_cast<int>(rows.integer(1));
    error.site = static_cast<std::uint32_t>(rows.integer(2));
    error.edge = static_cast<std::uint32_t>(rows.integer(3));
    error.test = parts_->test(rows.text(4));
    error.test_number = static_cast<std::uint32_t>(rows.integer(5));
    error.runs = as_unsigned(rows.integer(6));
  }
  return errors;
}

void CampaignStore::set_branches(const std::vector<StoredBranch>& branches) {
  Database& database = parts_->database;
  database.begin();
  auto& states = parts_->states;
  // Branches come in the same number each time, and few of them change.
  if (states.size() != branches.size()) {
    database.execute("DELETE FROM branches");
    states.clear();
  }
  Statement add(database, "INSERT OR REPLACE INTO branches VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const StoredBranch& branch : branches) {
    const auto [known, is_new] = states.try_emplace(branch.edge, branch.state);
    if (!is_new && known->second == branch.state) continue;
    known->second = branch.state;
    add.bind(std::int64_t{branch.edge}).bind(branch.file).bind(std::int64_t{branch.line});
    add.bind(std::int64_t{branch.column}).bind(branch.function).bind(branch.side).bind(name(branch.state)).run();
  }
}

std::vector<StoredBranch> CampaignStore::branches() const {
  std::vector<StoredBranch> branches;
  Statement rows(parts_->database,
                 "SELECT edge, file, line, column, function, side, state FROM branches ORDER BY edge");
  while (rows.step()) {
    StoredBranch& branch = branches.emplace_back();
    branch.edge = static_cast<std::uint32_t>(rows.integer(0));
    branch.file = rows.text(1);
    branch.line = static_cast<std::uint32_t>(rows.integer(2));
    branch.column = static_cast<std::uint32_t>(rows.integer(3));
    branch.function = rows.text(4);
    branch.side = rows.text(5);
    const std::string word = rows.text(6);
    const auto* const state =
        std::find_if(kStates.begin(), kStates.end(), [&](const auto& s) { return s.second == word; });
    if (state == kStates.end()) parts_->database.fail_damaged("state of a branch");
    branch.state = state->first;
  }
  return branches;
}

void CampaignStore::add_progress(const StoredProgress& progress) {
  parts_->database.begin();
  Statement add(parts_->database, "INSERT INTO progress VALUES(?, ?, ?, ?)");
  add.bind(progress.seconds).bind(as_signed(progress.runs)).bind(std::int64_t{progress.covered});
  add.bind(std::int64_t{progress.total}).run();
}

std::vector<StoredProgress> CampaignStore::progress() const {
  std::vector<StoredProgress> list;
  Statement rows(parts_->database, "SELECT seconds, runs, covered, total FROM progress ORDER BY rowid");
  while (rows.step())
    list.push_back({rows.real(0), as_unsigned(rows.integer(1)), static_cast<std::uint32_t>(rows.integer(2)),
                    static_cast<std::uint32_t>(rows.integer(3))});
  return list;
}

void CampaignStore::add_run(const StoredRun& run, std::uint64_t replaces) {
  Database& database = parts_->database;
  database.begin();
  if (!parts_->add_run) parts_->add_run.emplace(database, "INSERT OR REPLACE INTO runs VALUES(?, ?, ?)");
  parts_->add_run->bind(as_signed(run.number)).bind(as_signed(run.random_seed)).bind(run.inputs).run();
  if (replaces != 0) Statement(database, "DELETE FROM runs WHERE number = ?").bind(as_signed(replaces)).run();
}

std::vector<StoredRun> CampaignStore::runs() const {
  std::vector<StoredRun> runs;
  Statement rows(parts_->database, "SELECT number, seed, inputs FROM runs ORDER BY number");
  while (rows.step()) {
    runs.push_back({as_unsigned(rows.integer(0)), as_unsigned(rows.integer(1)), rows.blob(2)});
    if (!unpack_inputs(runs.back().inputs)) parts_->database.fail_damaged("inputs of a run");
  }
  return runs;
}

void CampaignStore::add_refuted(std::uint64_t key) { parts_->answer(key, Asked::Refuted); }
void CampaignStore::add_run_one(std::uint64_t key) { parts_->answer(key, Asked::Run); }
void CampaignStore::add_settled(std::uint64_t target) { parts_->answer(target, Asked::Settled); }

void CampaignStore::set_search(const StoredSearch& search) {
  parts_->database.begin();
  Statement set(parts_->database, "INSERT OR REPLACE INTO search VALUES(?, ?)");
  set.bind("seconds").bind(search.seconds).run();
  set.bind("runs").bind(as_signed(search.runs)).run();
  set.bind("sessions").bind(as_signed(search.sessions)).run();
  set.bind("divergences").bind(as_signed(search.divergences)).run();
  set.bind("depth").bind(std::int64_t{search.depth}).run();
  set.bind("is_incomplete").bind(std::int64_t{search.is_incomplete}).run();
  set.bind("has_switched").bind(std::int64_t{search.has_switched}).run();
  set.bind("stop").bind(search.stop).run();
  set.bind("modes").bind(search.modes).run();
}

StoredSearch CampaignStore::search() const {
  StoredSearch search;
  Statement rows(parts_->database, "SELECT name, value FROM search");
  while (rows.step()) {
    const std::string what = rows.text(0);
    if (what == "seconds") search.seconds = rows.real(1);
    if (what == "runs") search.runs = as_unsigned(rows.integer(1));
    if (what == "sessions") search.sessions = as_unsigned(rows.integer(1));
    if (what == "divergences") search.divergences = as_unsigned(rows.integer(1));
    if (what == "depth") search.depth = static_cast<std::uint32_t>(rows.integer(1));
    if (what == "is_incomplete") search.is_incomplete = rows.integer(1) != 0;
    if (what == "has_switched") search.has_switched = rows.integer(1) != 0;
    if (what == "stop") search.stop = rows.text(1);
    if (what == "modes") search.modes = rows.blob(1);
  }
  Statement answers(parts_->database, "SELECT key, kind FROM answers");
  while (answers.step()) {
    const std::uint64_t key = as_unsigned(answers.integer(0));
    switch (static_cast<Asked>(answers.integer(1))) {
      case Asked::Refuted:
        search.refuted.push_back(key);
        break;
      case Asked::Run:
        search.run_ones.push_back(key);
        break;
      case Asked::Settled:
        search.settled.push_back(key);
        break;
    }
  }
  return search;
}

}  // namespace plumb::result
