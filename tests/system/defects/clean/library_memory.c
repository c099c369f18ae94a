// purpose: memory that the library allocated is the program's to release: getline, asprintf, realpath, open_memstream
#define _GNU_SOURCE
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  unsigned which = plumb_symbolic_uint("which") % 4;
  char *line = NULL, *text = NULL, *path = NULL, *stream_text = NULL;
  size_t size = 0;
  if (which == 1) {
    FILE* file = tmpfile();
    if (file == NULL) return 1;
    fputs("first line\na second and longer line\n", file);
    rewind(file);
    while (getline(&line, &size, file) > 0)
      if (line[strlen(line) - 1] != '\n') return 2;
    fclose(file);
  } else if (which == 2) {
    if (asprintf(&text, "%u-%s", which, "text") != 6 || text[6] != '\0') return 3;
    path = realpath("/", NULL);
    if (path == NULL || path[0] != '/') return 4;
  } else if (which == 3) {
    FILE* stream = open_memstream(&stream_text, &size);
    if (stream == NULL) return 5;
    fprintf(stream, "%100d", 5);
    fclose(stream);
    if (size != 100 || stream_text[99] != '5') return 6;
  }
  free(line);
  free(text);
  free(path);
  free(stream_text);
  return 0;
}
