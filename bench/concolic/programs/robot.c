// purpose: a robot walks on a map by commands; walls stop it, keys open doors, and one cell is a hole
#include <assert.h>
#include <plumb/plumb.h>

static const char map[7][8] = {
    "#######",
    "#S..#K#",
    "#.#.#.#",
    "#.#...#",
    "#.###D#",
    "#..O#G#",
    "#######",
};

int main(void) {
  int x = 1, y = 1, facing = 1, has_key = 0, bumps = 0, steps = 0;
  static const int dx[] = {0, 1, 0, -1}, dy[] = {-1, 0, 1, 0};
  for (;;) {
    char command = plumb_nondet_char();
    steps++;
    if (steps > 60) return 1;
    if (command == 'l') {
      facing = (facing + 3) & 3;
    } else if (command == 'r') {
      facing = (facing + 1) & 3;
    } else if (command == 'f') {
      int nx = x + dx[facing], ny = y + dy[facing];
      char cell = map[ny][nx];
      if (cell == '#' || (cell == 'D' && !has_key)) {
        if (++bumps == 5) return 2;
        continue;
      }
      x = nx;
      y = ny;
      if (cell == 'K') has_key = 1;
      if (cell == 'O') return 3;
      if (cell == 'G') {
        assert(bumps != 0);
        return 4;
      }
    } else if (command == 'q') {
      return has_key ? 5 : 0;
    }
  }
}
