// A structure of somebody else, whose members do not change by themselves.
// Fails with: 3 0 0 0 232 3 0 0
void reach_error(void);

struct record {
  unsigned first, second;
};
extern struct record record; // outside

int main(void) {
  unsigned difference = record.second - record.first;
  if (record.first == 3 && record.second == 1000) reach_error();
  return (int)(difference & 1);
}
