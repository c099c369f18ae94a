// Programs that do some 200 million operations on concrete values and branch on input then. Without SHARED it can be
// shown that the values do not depend on input; with it, they share objects and functions with the input, and only the
// run shows it.
#pragma once

#include <plumb/plumb.h>
#include <stdio.h>
#include <time.h>

#ifndef SECONDS_FILE
#define SECONDS_FILE "/dev/null"
#endif

static volatile unsigned start_value = 1;  // or the optimiser would do the work at compile time

// `input` is 0 without SHARED.
static unsigned work(unsigned start, unsigned input);

static void report(double seconds) {
  FILE* file = fopen(SECONDS_FILE, "a");
  if (file == NULL) return;
  fprintf(file, "%.6f\n", seconds);
  fclose(file);
}

int main(void) {
  unsigned input = plumb_symbolic_uint("input");
  clock_t start = clock();
#ifdef SHARED
  unsigned result = work(start_value, input);
#else
  unsigned result = work(start_value, 0);
#endif
  report((double)(clock() - start) / CLOCKS_PER_SEC);
  if (input == (result | 1)) return 1;
  return 0;
}
