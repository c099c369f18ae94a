// Classes, width and case of the characters beyond ASCII in the locale C.UTF-8, from a table of runs.

#include "text.h"
#include "wide.h"
#include "wide_table.h"

// The index of the properties of the run in low … high - 1 that the character is in. Calls keep the two ways apart:
// where the search goes on shall not depend on input.
static uint32_t find(const uint32_t* runs, size_t low, size_t high, wide_int wide) {
  if (high - low <= 1) return runs[low] >> 21;
  size_t middle = low + (high - low) / 2;
  if (wide < (runs[middle] & 0x1fffff)) return find(runs, low, middle, wide);
  return find(runs, middle, high, wide);
}

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
enum { LastCharacter = 0x10ffff };

static uint32_t class_of(wide_int wide) { return find(class_runs, 0, COUNT(class_runs), wide); }
static uint32_t case_of(wide_int wide) { return find(case_runs, 0, COUNT(case_runs), wide); }

int plumb_wide_is(wide_int wide, enum plumb_class wanted) {
  return wide <= LastCharacter && (class_masks[class_of(wide)] >> wanted & 1) != 0;
}

int plumb_wide_width(wide_int wide) { return wide <= LastCharacter ? class_widths[class_of(wide)] : -1; }

wide_int plumb_wide_to_lower(wide_int wide) {
  return wide <= LastCharacter ? wide + (wide_int)case_lower[case_of(wide)] : wide;
}

wide_int plumb_wide_to_upper(wide_int wide) {
  return wide <= LastCharacter ? wide + (wide_int)case_upper[case_of(wide)] : wide;
}

// The functions that look classes and mappings up by name: their number is one more than that of the class.
static const char* const class_names[ClassCount] = {"upper", "lower", "alpha", "digit", "xdigit", "space",
                                                    "print", "graph", "blank", "cntrl", "punct",  "alnum"};

static unsigned long find_name(const char* name, const char* const* names, unsigned long count) {
  for (unsigned long i = 0; i < count; ++i) {
    if (strncmp(name, names[i], strlen(names[i]) + 1) == 0) return i + 1;
  }
  return 0;
}

unsigned long wctype(const char* name) { return find_name(name, class_names, ClassCount); }

int iswupper(wide_int wide);
int iswlower(wide_int wide);
int iswalpha(wide_int wide);
int iswdigit(wide_int wide);
int iswxdigit(wide_int wide);
int iswspace(wide_int wide);
int iswprint(wide_int wide);
int iswgraph(wide_int wide);
int iswblank(wide_int wide);
int iswcntrl(wide_int wide);
int iswpunct(wide_int wide);
int iswalnum(wide_int wide);

int iswctype(wide_int wide, unsigned long type) {
  static int (*const tests[ClassCount])(wide_int) = {iswupper, iswlower, iswalpha, iswdigit, iswxdigit, iswspace,
                                                     iswprint, iswgraph, iswblank, iswcntrl, iswpunct,  iswalnum};
  return type > 0 && type <= ClassCount && tests[type - 1](wide);
}

static const char* const mapping_names[] = {"tolower", "toupper"};

const int32_t* wctrans(const char* name) {
  return (const int32_t*)find_name(name, mapping_names, COUNT(mapping_names));
}

wide_int towctrans(wide_int wide, const int32_t* mapping) {
  if (mapping == NULL) return wide;
  return (uintptr_t)mapping == 1 ? towlower(wide) : towupper(wide);
}
