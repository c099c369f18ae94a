// An index from outside has to be held against the size.

extern unsigned place; // outside

int main(void) {
  int table[4] = {1, 2, 3, 4};
  if (place <= 3) table[place] = 0;
  return table[0];
}
