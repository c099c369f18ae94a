/* A value goes through two stages. */
byte a, b, d;

active proctype first() {
  a = 1
}

active proctype second() {
  do
  :: a == 1 -> break
  :: else
  od;
  b = 1
}

active proctype third() {
  do
  :: b == 1 -> break
  :: else
  od;
  d = 1
}

ltl property { [] (a == 1 -> <> (b == 1)) && [] (b == 1 -> <> (d == 1)) }
