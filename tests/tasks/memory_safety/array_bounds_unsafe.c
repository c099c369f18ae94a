// A local row is written within its bounds.
// Fails with: no input

int main(void) {
  int row[10];
  for (int i = 0; i <= 10; i++) row[i] = i;
  return row[3] - 3;
}
