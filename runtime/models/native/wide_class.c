// Characters beyond ASCII, whose classes the C library knows: they are taken as they are.

#include "../wide.h"

int plumb_library_iswupper(wide_int wide);
int plumb_library_iswlower(wide_int wide);
int plumb_library_iswalpha(wide_int wide);
int plumb_library_iswprint(wide_int wide);
int plumb_library_iswgraph(wide_int wide);
int plumb_library_iswpunct(wide_int wide);
int plumb_library_iswalnum(wide_int wide);
wide_int plumb_library_towlower(wide_int wide);
wide_int plumb_library_towupper(wide_int wide);
int plumb_library_wcwidth(wchar_t wide);

int plumb_wide_is(wide_int wide, enum plumb_class wanted) {
  switch (wanted) {
    case ClassUpper:
      return plumb_library_iswupper(wide);
    case ClassLower:
      return plumb_library_iswlower(wide);
    case ClassAlpha:
      return plumb_library_iswalpha(wide);
    case ClassPrint:
      return plumb_library_iswprint(wide);
    case ClassGraph:
      return plumb_library_iswgraph(wide);
    case ClassPunct:
      return plumb_library_iswpunct(wide);
    default:
      return plumb_library_iswalnum(wide);
  }
}

wide_int plumb_wide_to_lower(wide_int wide) { return plumb_library_towlower(wide); }
wide_int plumb_wide_to_upper(wide_int wide) { return plumb_library_towupper(wide); }
int plumb_wide_width(wide_int wide) { return plumb_library_wcwidth((wchar_t)wide); }
