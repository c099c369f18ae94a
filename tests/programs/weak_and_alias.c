// purpose: weak definitions, weak references that are null, aliases of functions and variables, sections and visibility
#include <stdio.h>

__attribute__((weak)) int replaceable(int x) { return x + 1; }
extern int not_there(int) __attribute__((weak));
extern int missing_variable __attribute__((weak));
int original(int x) { return x * 3; }
int renamed(int) __attribute__((alias("original")));
int storage = 5;
extern int other_name __attribute__((alias("storage")));
__attribute__((visibility("hidden"), section("special"))) int placed = 9;
__attribute__((noinline, used)) static int kept(void) { return 11; }
int assembler_name(int) __asm__("symbol_of_its_own");
int assembler_name(int x) { return x - 1; }

int main(void) {
  printf("%d %d\n", replaceable(1), renamed(2));
  printf("%d %d\n", not_there ? not_there(1) : -1, &missing_variable ? 1 : 0);
  other_name += 2;
  printf("%d %d %d\n", storage, placed, kept());
  int (*f)(int) = renamed;
  printf("%d %d\n", f(4), f == original);
  return assembler_name(8);
}
