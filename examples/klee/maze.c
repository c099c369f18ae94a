/*
 * The maze that is a tutorial of symbolic execution: find the moves (w up, s down, a left, d right) that lead from the
 * upper left corner to the prize '#'. A part of one wall lets the player through, so there are four ways to win.
 *
 *     plumb test examples/klee/maze.c                                               one way to win
 *     plumb test examples/klee/maze.c --regions off --until time --all-errors       all of them
 */
#include <assert.h>
#include <klee/klee.h>
#include <stdio.h>

enum { kHeight = 7, kWidth = 11, kMoves = 28 };

static char maze[kHeight][kWidth + 1] = {
    "+-+---+---+",
    "| |     |#|",
    "| | --+ | |",
    "| |   | | |",
    "| +-- | | |",
    "|     |   |",
    "+-----+---+",
};

int main(void) {
  char moves[kMoves];
  int x = 1, y = 1;
  klee_make_symbolic(moves, sizeof moves, "moves");
  maze[y][x] = 'X';
  for (int i = 0; i < kMoves; ++i) {
    const int old_x = x, old_y = y;
    switch (moves[i]) {
      case 'w': --y; break;
      case 's': ++y; break;
      case 'a': --x; break;
      case 'd': ++x; break;
      default: return 1; /* no move: the game is lost */
    }
    if (maze[y][x] == '#') {
      printf("You win: %.*s\n", i + 1, moves);
      assert(0 && "the prize is reached");
    }
    /* The wall is no wall in the second row, right of the start. */
    if (maze[y][x] != ' ' && !(y == 2 && maze[y][x] == '|' && x > 0 && x < kWidth)) {
      x = old_x;
      y = old_y;
    }
    if (old_x == x && old_y == y) return 2; /* a move against a wall loses */
    maze[y][x] = 'X';
  }
  return 3;
}
