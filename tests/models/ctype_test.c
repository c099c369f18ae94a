/* <ctype.h>: the functions and the tables behind glibc's macros, for every argument. */

#include <ctype.h>
#include <wctype.h>

#include "check.h"

#define TEST_CLASS(function)                                                         \
  extern int model_##function(int);                                                  \
  static void test_##function(void) {                                                \
    for (int i = -1; i < 256; ++i) {                                                 \
      check((model_##function(i) != 0) == ((function)(i) != 0), #function " %d", i); \
    }                                                                                \
  }
TEST_CLASS(isalnum)
TEST_CLASS(isalpha)
TEST_CLASS(isblank)
TEST_CLASS(iscntrl)
TEST_CLASS(isdigit)
TEST_CLASS(isgraph)
TEST_CLASS(islower)
TEST_CLASS(isprint)
TEST_CLASS(ispunct)
TEST_CLASS(isspace)
TEST_CLASS(isupper)
TEST_CLASS(isxdigit)

MODEL(tolower);
MODEL(toupper);
MODEL(__ctype_b_loc);
MODEL(__ctype_tolower_loc);
MODEL(__ctype_toupper_loc);
MODEL(iswalpha);
MODEL(towupper);

void test_ctype(void) {
  test_isalnum();
  test_isalpha();
  test_isblank();
  test_iscntrl();
  test_isdigit();
  test_isgraph();
  test_islower();
  test_isprint();
  test_ispunct();
  test_isspace();
  test_isupper();
  test_isxdigit();
  for (int i = -128; i < 256; ++i) {
    check((*model___ctype_b_loc())[i] == (*__ctype_b_loc())[i], "__ctype_b_loc %d", i);
    check((*model___ctype_tolower_loc())[i] == (*__ctype_tolower_loc())[i], "__ctype_tolower_loc %d", i);
    check((*model___ctype_toupper_loc())[i] == (*__ctype_toupper_loc())[i], "__ctype_toupper_loc %d", i);
    if (i < -1) continue;
    check(model_tolower(i) == (tolower)(i), "tolower %d", i);
    check(model_toupper(i) == (toupper)(i), "toupper %d", i);
    if (i < 0) continue;
    check((model_iswalpha((wint_t)i) != 0) == (iswalpha((wint_t)i) != 0), "iswalpha %d", i);
    check(model_towupper((wint_t)i) == towupper((wint_t)i), "towupper %d", i);
  }
}
