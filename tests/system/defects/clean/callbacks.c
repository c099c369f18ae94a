// purpose: the library calls back with pointers into objects of the program: qsort, bsearch, atexit
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

struct person {
  char name[8];
  int age;
};

static char* message;

static int by_age(const void* a, const void* b) {
  const struct person *x = a, *y = b;
  return (x->age > y->age) - (x->age < y->age);
}

static int by_name(const void* a, const void* b) { return strcmp(((const struct person*)a)->name, ((const struct person*)b)->name); }

static void at_end(void) {
  free(message);
  message = NULL;
}

int main(void) {
  struct person people[4] = {{"ada", 36}, {"bob", 20}, {"cyd", 51}, {"dan", 7}};
  message = malloc(16);
  atexit(at_end);
  people[1].age = plumb_symbolic_uchar("age");
  qsort(people, 4, sizeof people[0], by_age);
  if (people[3].age > 51) return 2;
  qsort(people, 4, sizeof people[0], by_name);
  struct person key = {"cyd", 0};
  const struct person* found = bsearch(&key, people, 4, sizeof people[0], by_name);
  return found != NULL && found->age == 51 ? 0 : 1;
}
