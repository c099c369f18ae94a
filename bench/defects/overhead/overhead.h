// The user time of a run, by its own account, appended to the file that SECONDS_FILE names.
#include <stdio.h>
#include <sys/resource.h>

static void tell_seconds(void) {
#ifdef SECONDS_FILE
  struct rusage used;
  FILE* file = fopen(SECONDS_FILE, "a");
  getrusage(RUSAGE_SELF, &used);
  if (file == NULL) return;
  fprintf(file, "%ld.%06ld\n", (long)used.ru_utime.tv_sec, (long)used.ru_utime.tv_usec);
  fclose(file);
#endif
}
