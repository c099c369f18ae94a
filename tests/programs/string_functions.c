// purpose: the functions of string.h
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char buffer[64] = "start";
  printf("%zu %zu\n", strlen(buffer), strnlen("abcdef", 3));
  strcpy(buffer, "hello");
  strcat(buffer, ", world");
  strncat(buffer, "!!!???", 3);
  puts(buffer);
  char field[8];
  memset(field, '#', sizeof field);
  strncpy(field, "ab", 5);
  for (unsigned i = 0; i < sizeof field; ++i) printf("%d ", field[i]);
  printf("\n%d %d %d\n", sign(strcmp("abc", "abd")), sign(strcmp("b", "abc")), strcmp("same", "same"));
  printf("%d %d\n", strncmp("abcdef", "abcxyz", 3), sign(strncmp("abcdef", "abcxyz", 4)));
  printf("%d %d\n", sign(strcmp("\x80", "a")), sign(memcmp("\0\1", "\0\2", 2)));
  printf("%s %s %d\n", strchr(buffer, 'o'), strrchr(buffer, 'o'), strchr(buffer, 'z') == NULL);
  printf("%d\n", strchr(buffer, 0) == buffer + strlen(buffer));
  printf("%s|%s|%d\n", strstr(buffer, "wor"), strstr(buffer, ""), strstr(buffer, "worm") == NULL);
  printf("%zu %zu %s\n", strspn("112233abc", "123"), strcspn("abc;def", ";,"), strpbrk("key=value", "=:"));
  char words[] = "one two,,three  four";
  for (char *word = strtok(words, " ,"); word; word = strtok(NULL, " ,")) printf("<%s>", word);
  printf("\n");
  char again[] = "a:b:c", *rest = again, *part;
  while ((part = strtok_r(rest, ":", &rest))) printf("(%s)", part);
  printf("\n");
  printf("%s\n", (char *)memchr("find the x here", 'x', 15));
  char *copy = strdup("duplicated"), *some = strndup("duplicated", 4);
  printf("%s %s\n", copy, some);
  free(copy);
  free(some);
  return sign(strcasecmp("HeLLo", "hEllO")) + 5;
}
