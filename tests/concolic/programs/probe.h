/*
 * Branches that tell what was taken: B(condition) of an if, a loop or a conditional expression, S(value) of a switch,
 * at most one a line. plumb sees the bare condition; in a native build every outcome is appended to the file that PROBE
 * names as "line value", so that coverage is known from the program itself.
 */
#ifndef PROBE_H
#define PROBE_H

#include <plumb/plumb.h>

#ifdef __PLUMB__
#define B(condition) (condition)
#define S(value) (value)
#else
#include <stdio.h>
#include <stdlib.h>

static long long probe(int line, long long value) {
  FILE* file = fopen(getenv("PROBE"), "a");
  fprintf(file, "%d %lld\n", line, value);
  fclose(file);
  return value;
}
#define B(condition) probe(__LINE__, (condition) != 0)
#define S(value) probe(__LINE__, (value))
#endif

#endif
