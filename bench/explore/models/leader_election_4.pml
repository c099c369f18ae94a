/* Chang and Roberts: four nodes in a ring pass on numbers greater than theirs; whose number comes back is the leader. */
#define N 4
#define OVER 100
byte box[N], leaders;

inline send(number) {
  box[(_pid + 1) % N] == 0;
  box[(_pid + 1) % N] = number
}

active [N] proctype node() {
  byte mine = (_pid * 3) % N + 1, got;
  bool is_leader;
  send(mine);
  do
  :: got = 0;
     do
     :: got != 0 -> break
     :: else -> got = box[_pid]
     od;
     box[_pid] = 0;
     if
     :: got == OVER ->
        if
        :: !is_leader -> send(OVER)
        :: else
        fi;
        break
     :: got > mine && got != OVER -> send(got)
     :: got == mine ->
        is_leader = true;
        leaders++;
        assert(leaders == 1);
        send(OVER)
     :: else
     fi
  od
}
