// purpose: wide, UTF-8, UTF-16 and UTF-32 literals and their lengths
#include <stdint.h>
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

static const wchar_t wide[] = L"wide \u00e4\U0001f600";
static const char16_t sixteen[] = u"\u20ac\U0001f600";
static const char32_t thirty_two[] = U"\U0001f600x";
static const char utf8[] = u8"\u20ac";

static size_t length(const wchar_t *text) {
  const wchar_t *at = text;
  while (*at) ++at;
  return (size_t)(at - text);
}

int main(void) {
  for (size_t i = 0; i < length(wide); ++i) printf("%x ", (unsigned)wide[i]);
  printf("%zu\n", sizeof wide / sizeof *wide);
  for (size_t i = 0; sixteen[i]; ++i) printf("%x ", sixteen[i]);
  for (size_t i = 0; thirty_two[i]; ++i) printf("%x ", (unsigned)thirty_two[i]);
  for (size_t i = 0; utf8[i]; ++i) printf("%x ", (unsigned char)utf8[i]);
  printf("\n%zu %zu %d\n", sizeof sixteen, sizeof thirty_two, L'\u00e4' > L'z');
  printf("%zu %d %d\n", wcslen(wide), wcscmp(L"abc", L"abd") < 0, wcschr(wide, L' ') == wide + 4);
  wchar_t copy[16];
  wcscpy(copy, L"copied");
  printf("%d %x\n", wcsncmp(copy, L"copper", 3), (unsigned)copy[5]);
  return (int)length(wide);
}
