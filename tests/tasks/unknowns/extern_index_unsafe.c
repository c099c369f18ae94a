// An index from outside has to be held against the size.
// Fails with: 4 0 0 0

extern unsigned place; // outside

int main(void) {
  int table[4] = {1, 2, 3, 4};
  if (place <= 4) table[place] = 0;
  return table[0];
}
