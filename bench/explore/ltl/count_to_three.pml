/* A counter reaches its end. */
byte x;

active proctype first() {
  int k0;
  for (k0 : 1 .. 2) {
    x++;
  }
}

active proctype second() {
  x++
}

ltl property { <> (x == 3) }
