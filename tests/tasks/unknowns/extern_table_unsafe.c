// Its elements are inputs of one object.
// Fails with: 150 0 0 150
void reach_error(void);

extern unsigned char level[4]; // outside

int main(void) {
  if (level[0] + level[3] == 300) reach_error();
  return 0;
}
