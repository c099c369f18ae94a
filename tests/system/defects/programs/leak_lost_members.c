// purpose: renaming an account forgets its old name
// defect: leak line 17
// input: is_renamed=1
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

struct account {
  char* name;
  int number;
};

static void set_name(struct account* account, const char* name) {
#ifdef FIXED
  free(account->name);
#endif
  account->name = strdup(name);
}

int main(void) {
  struct account account = {NULL, 1};
  set_name(&account, "first");
  if (plumb_symbolic_int("is_renamed") == 1) set_name(&account, "second");
  free(account.name);
  return 0;
}
