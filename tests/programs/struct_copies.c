// purpose: structures assigned, compared field by field, in arrays, nested, through pointers and as members of themselves
#include <stdio.h>
#include <string.h>

struct date { short year; unsigned char month, day; };
struct person { char name[12]; struct date born; double height; struct person *friend; };

static int before(struct date a, struct date b) {
  return a.year != b.year ? a.year < b.year : a.month != b.month ? a.month < b.month : a.day < b.day;
}

static struct person older(const struct person *a, const struct person *b) { return before(a->born, b->born) ? *a : *b; }

static void sort(struct person *people, int count) {
  for (int i = 1; i < count; ++i) {
    struct person p = people[i];
    int j = i;
    for (; j > 0 && before(p.born, people[j - 1].born); --j) people[j] = people[j - 1];
    people[j] = p;
  }
}

int main(void) {
  struct person people[4] = {
      {"Ada", {1815, 12, 10}, 1.65, NULL}, {"Alan", {1912, 6, 23}, 1.78, NULL}, {"Grace", {1906, 12, 9}, 1.6, NULL}, {"Kurt", {1906, 4, 28}, 1.7, NULL}};
  people[1].friend = &people[0];
  struct person copy = *people[1].friend;
  copy.height += 1;
  strcpy(copy.name, "Copy");
  printf("%s %g %s %g\n", people[0].name, people[0].height, copy.name, copy.height);
  printf("%s\n", older(&people[1], &people[2]).name);
  sort(people, 4);
  for (int i = 0; i < 4; ++i) printf("%s %d-%d-%d\n", people[i].name, people[i].born.year, people[i].born.month, people[i].born.day);
  struct { struct person pair[2]; int tag; } both = {{people[0], people[3]}, 5}, again;
  again = both;
  again.pair[0].born.day = 1;
  printf("%d %d %s\n", both.pair[0].born.day, again.pair[0].born.day, again.pair[1].name);
  return again.tag + (int)sizeof(struct person);
}
