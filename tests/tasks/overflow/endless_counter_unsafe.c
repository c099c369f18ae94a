// A counter in an endless loop that starts anew in time.
// Fails with: no input

int main(void) {
  int count = 2147483000;
  while (1) {
    count++;
    if (count == 2147482999 && count >= 2147483600) count = 0;
  }
  return 0;
}
