// purpose: stdio to memory: a file is written and read back; errors have names
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char path[] = "plumb_program_test.tmp";
  FILE *out = fopen(path, "w");
  if (!out) return 1;
  fprintf(out, "%d %s\n", 42, "words");
  fwrite("abc\0def", 1, 7, out);
  fputs("\nlast\n", out);
  printf("%d\n", fclose(out));
  FILE *in = fopen(path, "r");
  if (!in) return 2;
  int n = 0;
  char word[16], line[16], raw[8];
  printf("%d ", fscanf(in, "%d %15s", &n, word));
  printf("%d %s ", n, word);
  printf("%d\n", fgetc(in));
  size_t got = fread(raw, 1, 7, in);
  printf("%zu %d %d\n", got, raw[3], raw[6]);
  fgets(line, sizeof line, in);
  printf("%d ", fgets(line, sizeof line, in) != NULL);
  printf("%s", line);
  printf("%d ", fgets(line, sizeof line, in) == NULL);
  printf("%d\n", feof(in) != 0);
  fclose(in);
  FILE *none = fopen("plumb_program_test.none", "r");
  printf("%d %d\n", none == NULL, errno == ENOENT);
  fprintf(stderr, "to the other stream\n");
  return 0;
}
