/*
 * Writes runtime/models/wide_table.h: what the C library says of the characters beyond ASCII in the locale C.UTF-8.
 *
 *   cc tools/wide-tables.c -o /tmp/wide-tables && /tmp/wide-tables > runtime/models/wide_table.h
 *
 * Characters are cut into runs of the same properties. A word has the first character of a run in its low 21 bits, and
 * above them the index of its properties.
 */
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

enum { First = 0x80, Last = 0x10ffff, Most = 2048, MostRuns = 8192 };

/* In the order of enum plumb_class. */
static const char* const class_names[] = {"upper", "lower", "alpha", "digit", "xdigit", "space",
                                          "print", "graph", "blank", "cntrl", "punct",  "alnum"};

struct table {
  const char* name;
  int count;
  int properties[Most][2];
  int run_count;
  unsigned runs[MostRuns];
};

static void add(struct table* table, wint_t wide, int a, int b) {
  int index = 0;
  while (index < table->count && (table->properties[index][0] != a || table->properties[index][1] != b)) ++index;
  if (index == table->count) {
    if (table->count == Most) exit(1);
    table->properties[index][0] = a;
    table->properties[index][1] = b;
    ++table->count;
  }
  if (table->run_count > 0 && table->runs[table->run_count - 1] >> 21 == (unsigned)index) return;
  if (table->run_count == MostRuns) exit(1);
  table->runs[table->run_count++] = (unsigned)index << 21 | (unsigned)wide;
}

static void put_numbers(const char* head, int count, const char* format, int (*number)(int), int per_line) {
  printf("%s", head);
  for (int i = 0; i < count; ++i) {
    fputs(i % per_line == 0 ? "\n    " : " ", stdout);
    printf(format, number(i));
  }
  puts("\n};");
}

static struct table classes = {.name = "class"}, cases = {.name = "case"};
static int class_mask(int i) { return classes.properties[i][0]; }
static int class_width(int i) { return classes.properties[i][1]; }
static int class_run(int i) { return (int)classes.runs[i]; }
static int case_lower(int i) { return cases.properties[i][0]; }
static int case_upper(int i) { return cases.properties[i][1]; }
static int case_run(int i) { return (int)cases.runs[i]; }

int main(void) {
  if (setlocale(LC_ALL, "C.UTF-8") == NULL) return 1;
  wctype_t types[12];
  for (int i = 0; i < 12; ++i) types[i] = wctype(class_names[i]);
  for (wint_t wide = First; wide <= Last; ++wide) {
    int mask = 0;
    for (int i = 0; i < 12; ++i) mask |= (iswctype(wide, types[i]) != 0) << i;
    add(&classes, wide, mask, wcwidth((wchar_t)wide));
    add(&cases, wide, (int)(towlower(wide) - wide), (int)(towupper(wide) - wide));
  }
  puts("#pragma once\n");
  puts("// Written by tools/wide-tables.c: classes, width and case of the characters beyond ASCII in glibc's C.UTF-8.");
  puts(
      "// A word of a run: its first character in the low 21 bits, the index of its properties above. A bit of a mask");
  puts("// for each enum plumb_class.\n");
  puts("#include <stdint.h>\n");
  puts("// clang-format off");
  put_numbers("static const uint16_t class_masks[] = {", classes.count, "0x%03x,", class_mask, 16);
  put_numbers("static const int8_t class_widths[] = {", classes.count, "%d,", class_width, 24);
  put_numbers("static const uint32_t class_runs[] = {", classes.run_count, "0x%x,", class_run, 10);
  put_numbers("static const int32_t case_lower[] = {", cases.count, "%d,", case_lower, 14);
  put_numbers("static const int32_t case_upper[] = {", cases.count, "%d,", case_upper, 14);
  put_numbers("static const uint32_t case_runs[] = {", cases.run_count, "0x%x,", case_run, 10);
  puts("// clang-format on");
  return 0;
}
