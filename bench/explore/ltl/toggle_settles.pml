/* A bit that toggles does not stay. */
byte x;

active proctype first() {
  do
  :: true ->
    x = 1;
    x = 0;
  od
}

ltl property { <> [] (x == 0) }
