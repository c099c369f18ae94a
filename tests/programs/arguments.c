// purpose: the arguments of main
// args: alpha 12 -x --long=3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("%d %d\n", argc, argv[argc] == NULL);
  size_t total = 0;
  for (int i = 1; i < argc; ++i) {
    printf("%s\n", argv[i]);
    total += strlen(argv[i]);
  }
  argv[1][0] = 'A';
  puts(argv[1]);
  return (int)total + (argc > 2 ? atoi(argv[2]) : 0);
}
