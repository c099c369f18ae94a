// purpose: standard input by lines, characters and numbers
// stdin: first line\n\n42 -17 3.5\nlast without end
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[32];
  if (!fgets(line, sizeof line, stdin)) return 1;
  printf("%zu ", strlen(line));
  printf("<%s>\n", strtok(line, "\n"));
  int c = getchar();
  printf("%d\n", c == '\n');
  int a, b;
  double d;
  printf("%d ", scanf("%d %d %lf", &a, &b, &d));
  printf("%d %d %g\n", a, b, d);
  c = getc(stdin);
  printf("%d\n", c);
  c = fgetc(stdin);
  ungetc(c, stdin);
  char small[6];
  while (fgets(small, sizeof small, stdin)) printf("(%s)", small);
  printf("\n%d ", feof(stdin) != 0);
  printf("%d\n", getchar() == EOF);
  return 7;
}
