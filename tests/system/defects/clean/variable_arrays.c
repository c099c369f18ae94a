// purpose: arrays whose size depends on input, one for each turn of a loop, and alloca
#include <alloca.h>
#include <plumb/plumb.h>
#include <string.h>

static int fill(int rows, int columns) {
  int table[rows][columns];
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) table[i][k] = i * columns + k;
  int* last = &table[rows - 1][columns - 1];
  return *last;
}

int main(void) {
  int rows = 1 + plumb_symbolic_uchar("rows") % 3, columns = 1 + plumb_symbolic_uchar("columns") % 3;
  int sum = 0;
  for (int i = 1; i <= 20; ++i) {
    char text[i + 1];
    memset(text, 'a', (size_t)i);
    text[i] = '\0';
    sum += (int)strlen(text);
  }
  char* block = alloca((size_t)rows * 8);
  memset(block, 0, (size_t)rows * 8);
  sum += block[rows * 8 - 1] + fill(rows, columns);
  return sum == 218;
}
