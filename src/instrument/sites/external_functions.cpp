#include "instrument/sites/external_functions.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

namespace plumb::instrument {
namespace {

using Size = WrittenArgument::Size;
using Table = absl::flat_hash_map<std::string_view, ExternalFunction>;

constexpr std::string_view kSteady[] = {"memcpy",
                                        "memmove",
                                        "memset",
                                        "memcmp",
                                        "memchr",
                                        "memrchr",
                                        "memmem",
                                        "mempcpy",
                                        "rawmemchr",
                                        "bcmp",
                                        "bcopy",
                                        "bzero",
                                        "strlen",
                                        "strnlen",
                                        "strcpy",
                                        "strncpy",
                                        "strcat",
                                        "strncat",
                                        "strcmp",
                                        "strncmp",
                                        "strchr",
                                        "strchrnul",
                                        "strrchr",
                                        "strstr",
                                        "strcasestr",
                                        "strspn",
                                        "strcspn",
                                        "strpbrk",
                                        "strtok",
                                        "strtok_r",
                                        "strsep",
                                        "strdup",
                                        "strndup",
                                        "strcasecmp",
                                        "strncasecmp",
                                        "stpcpy",
                                        "stpncpy",
                                        "strtol",
                                        "strtoul",
                                        "strtoll",
                                        "strtoull",
                                        "strtod",
                                        "strtof",
                                        "strtold",
                                        "__isoc23_strtol",
                                        "__isoc23_strtoul",
                                        "__isoc23_strtoll",
                                        "__isoc23_strtoull",
                                        "atoi",
                                        "atol",
                                        "atoll",
                                        "atof",
                                        "abs",
                                        "labs",
                                        "llabs",
                                        "div",
                                        "ldiv",
                                        "lldiv",
                                        "qsort",
                                        "bsearch",
                                        "isalpha",
                                        "isdigit",
                                        "isalnum",
                                        "isspace",
                                        "isupper",
                                        "islower",
                                        "ispunct",
                                        "isprint",
                                        "isgraph",
                                        "iscntrl",
                                        "isxdigit",
                                        "isblank",
                                        "isascii",
                                        "toascii",
                                        "toupper",
                                        "tolower",
                                        "__ctype_b_loc",
                                        "__ctype_tolower_loc",
                                        "__ctype_toupper_loc",
                                        "__errno_location",
                                        "sprintf",
                                        "snprintf",
                                        "vsprintf",
                                        "vsnprintf",
                                        "asprintf",
                                        "vasprintf",
                                        "sscanf",
                                        "vsscanf",
                                        "__isoc99_sscanf",
                                        "__isoc99_vsscanf",
                                        "__isoc23_sscanf",
                                        "__isoc23_vsscanf",
                                        "__sprintf_chk",
                                        "__snprintf_chk",
                                        "__vsprintf_chk",
                                        "__vsnprintf_chk",
                                        "strerror",
                                        "strcoll",
                                        "strxfrm",
                                        "gmtime",
                                        "gmtime_r",
                                        "mblen",
                                        "mbtowc",
                                        "wctomb",
                                        "mbstowcs",
                                        "wcstombs",
                                        "wcslen",
                                        "wcscpy",
                                        "wcscmp",
                                        "wcscat",
                                        "ffs",
                                        "ffsl",
                                        "ffsll",
                                        "htons",
                                        "htonl",
                                        "ntohs",
                                        "ntohl",
                                        "signal",
                                        "raise",
                                        "sigaction",
                                        "sigemptyset",
                                        "sigaddset",
                                        "sigdelset",
                                        "sigfillset",
                                        "sigismember",
                                        "sigprocmask",
                                        "feclearexcept",
                                        "feraiseexcept",
                                        "fetestexcept",
                                        "fegetround",
                                        "fesetround",
                                        "__fpclassify",
                                        "__fpclassifyf",
                                        "__isnan",
                                        "__isinf",
                                        "__finite",
                                        "__signbit",
                                        "__signbitf",
                                        "pthread_mutex_init",
                                        "pthread_mutex_destroy",
                                        "pthread_cond_init",
                                        "pthread_cond_destroy",
                                        "pthread_attr_init",
                                        "pthread_attr_destroy",
                                        "__cxa_begin_catch",
                                        "__cxa_end_catch",
                                        "__cxa_rethrow",
                                        "__cxa_throw",
                                        "__cxa_allocate_exception",
                                        "__cxa_free_exception",
                                        "__cxa_pure_virtual",
                                        "__gxx_personality_v0",
                                        "_ZSt9terminatev",
                                        "posix_memalign",
                                        "memalign",
                                        "valloc",
                                        "reallocarray",
                                        "malloc_usable_size"};

/// In each of three formats: sin, sinf, sinl.
constexpr std::string_view kMathematical[] = {
    "sin",         "cos",    "tan",       "asin",   "acos",    "atan",     "atan2", "sinh",      "cosh",       "tanh",
    "asinh",       "acosh",  "atanh",     "exp",    "exp2",    "exp10",    "expm1", "log",       "log2",       "log10",
    "log1p",       "logb",   "ilogb",     "pow",    "sqrt",    "cbrt",     "hypot", "fabs",      "floor",      "ceil",
    "trunc",       "round",  "roundeven", "lround", "llround", "rint",     "lrint", "llrint",    "nearbyint",  "fmod",
    "remainder",   "remquo", "fmin",      "fmax",   "fma",     "fdim",     "ldexp", "frexp",     "modf",       "scalbn",
    "scalbln",     "erf",    "erfc",      "tgamma", "lgamma",  "copysign", "nan",   "nextafter", "nexttoward", "drem",
    "significand", "j0",     "j1",        "y0",     "y1",      "sincos"};

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

void add_steady(Table& table) {
  for (auto& [name, function] : table) function.is_steady = name != "alarm";
  for (const std::string_view name : kSteady) table[name].is_steady = true;
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

bool is_mathematical(std::string_view name) {
  if (std::ranges::find(kMathematical, name) != std::end(kMathematical)) return true;
  const bool has_suffix = name.ends_with('f') || name.ends_with('l');
  return has_suffix && std::ranges::find(kMathematical, name.substr(0, name.size() - 1)) != std::end(kMathematical);
}

Table make_table() {
  Table table;
  add_output(table);
  add_without_consequence(table);
  add_steady(table);
  add_writers(table);
  return table;
}

}  // namespace

const ExternalFunction& external_function(std::string_view name) {
  static const Table kTable = make_table();
  static const ExternalFunction kUnknown;
  // Of the runtime's own: it takes concrete values, and writes shadows itself.
  static const ExternalFunction kHost = {.decides = false, .is_steady = true, .written = {{0, Size::Constant, 0}}};
  if (name.starts_with("__plumb_host_")) return kHost;
  static const ExternalFunction kMathematics = {.is_steady = true, .written = {}};
  if (const auto it = kTable.find(name); it != kTable.end()) return it->second;
  return is_mathematical(name) ? kMathematics : kUnknown;
}

}  // namespace plumb::instrument
