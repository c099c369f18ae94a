/* A bit that toggles is set again and again. */
byte x;

active proctype first() {
  do
  :: true ->
    x = 1;
    x = 0;
  od
}

ltl property { [] <> (x == 1) }
