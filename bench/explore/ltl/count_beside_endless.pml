/* A counter beside a thread without end. */
byte x, y;

active proctype first() {
  int k0;
  for (k0 : 1 .. 2) {
    x++;
  }
}

active proctype second() {
  do
  :: true ->
    y = 1;
    y = 0;
  od
}

ltl property { <> (x == 2) }
