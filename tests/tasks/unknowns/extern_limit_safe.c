// A variable that another file defines has any value, and keeps it.
void reach_error(void);

extern int limit; // outside

int main(void) {
  int before = limit;
  if (before < 10) return 0;
  if (limit != before) reach_error();
  return 0;
}
