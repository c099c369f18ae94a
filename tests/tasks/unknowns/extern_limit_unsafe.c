// A variable that another file defines has any value, and keeps it.
// Fails with: 77 0 0 0
void reach_error(void);

extern int limit; // outside

int main(void) {
  int before = limit;
  if (before < 10) return 0;
  if (limit == 77) reach_error();
  return 0;
}
