// A counter in an endless loop that starts anew in time.

int main(void) {
  int count = 2147483000;
  while (1) {
    count++;
    if (count >= 2147483600) count = 0;
  }
  return 0;
}
