#include "instrument/sites/external_functions.h"

#include <absl/container/flat_hash_map.h>

namespace plumb::instrument {
namespace {

using Size = WrittenArgument::Size;
using Table = absl::flat_hash_map<std::string_view, ExternalFunction>;

void add_output(Table& table) {
  for (const std::string_view name : {"printf",
                                      "fprintf",
                                      "dprintf",
                                      "vprintf",
                                      "vfprintf",
                                      "vdprintf",
                                      "puts",
                                      "putchar",
                                      "putc",
                                      "fputc",
                                      "fputs",
                                      "putw",
                                      "fwrite",
                                      "write",
                                      "fflush",
                                      "perror",
                                      "putchar_unlocked",
                                      "putc_unlocked",
                                      "fputc_unlocked",
                                      "fputs_unlocked",
                                      "fwrite_unlocked",
                                      "fflush_unlocked",
                                      "__printf_chk",
                                      "__fprintf_chk",
                                      "__vprintf_chk",
                                      "__vfprintf_chk",
                                      "_IO_putc",
                                      "__overflow",
                                      "error",
                                      "err",
                                      "errx",
                                      "warn",
                                      "warnx",
                                      "syslog",
                                      "vsyslog",
                                      "psignal",
                                      "wprintf",
                                      "fwprintf",
                                      "putwchar",
                                      "fputwc",
                                      "fputws",
                                      "error_at_line"})
    table[name].decides = false;
}

/// Their arguments say what to end, to wait for or to prepare; a program that goes on does so in one way.
void add_without_consequence(Table& table) {
  for (const std::string_view name :
       {"exit",        "_exit",     "_Exit",   "quick_exit",  "sleep",        "usleep",        "nanosleep",  "close",
        "fclose",      "setbuf",    "setvbuf", "srand",       "srandom",      "srand48",       "sync",       "fsync",
        "atexit",      "on_exit",   "longjmp", "_longjmp",    "siglongjmp",   "__longjmp_chk", "setjmp",     "_setjmp",
        "__sigsetjmp", "sigsetjmp", "free",    "cfree",       "closelog",     "openlog",       "freelocale", "regfree",
        "closedir",    "pclose",    "alarm",   "sched_yield", "pthread_exit", "__cxa_atexit"})
    table[name].decides = false;
}

void add_writers(Table& table) {
  for (const std::string_view name : {"read", "recv", "recvfrom", "pread", "pread64", "__read_chk", "__recv_chk"})
    table[name].written = {{1, Size::Result, 1}};
  table["getrandom"].written = {{0, Size::Result, 1}};
  table["readlink"].written = {{1, Size::Result, 1}};
  for (const std::string_view name : {"fread", "fread_unlocked"}) table[name].written = {{0, Size::ResultElements, 1}};
  table["__fread_chk"].written = {{0, Size::ResultElements, 2}};
  for (const std::string_view name : {"pipe", "pipe2"}) table[name].written = {{0, Size::Constant, 8}};
  for (const std::string_view name : {"waitpid", "wait4"}) table[name].written = {{1, Size::Constant, 4}};
  table["wait"].written = {{0, Size::Constant, 4}};
}

Table make_table() {
  Table table;
  add_output(table);
  add_without_consequence(table);
  add_writers(table);
  return table;
}

}  // namespace

const ExternalFunction& external_function(std::string_view name) {
  static const Table kTable = make_table();
  static const ExternalFunction kUnknown;
  // Of the runtime's own: it takes concrete values, and writes shadows itself.
  static const ExternalFunction kHost = {.decides = false, .written = {{0, Size::Constant, 0}}};
  if (name.starts_with("__plumb_host_")) return kHost;
  const auto it = kTable.find(name);
  return it != kTable.end() ? it->second : kUnknown;
}

}  // namespace plumb::instrument
