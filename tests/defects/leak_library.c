// purpose: memory that a library function allocated on the program's behalf is lost
// defect: leak line 12
#include <stdlib.h>
#include <string.h>

struct person {
  char* name;
};

int main(void) {
  struct person* person = malloc(sizeof *person);
  person->name = strdup("Ada");
#ifdef FIXED
  free(person->name);
#endif
  free(person);
  return 0;
}
