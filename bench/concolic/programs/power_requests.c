// purpose: a driver's power requests: queued while the device changes its state, completed exactly once
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

enum power { kFull, kDozing, kSleeping, kOff };
enum completion { kNew, kQueued, kCompleted };

static enum power level = kFull;
static int is_changing, queued, spin_lock;
static int completions[4];

static void lock(void) {
  if (spin_lock) reach_error();
  spin_lock = 1;
}

static void unlock(void) {
  if (!spin_lock) reach_error();
  spin_lock = 0;
}

static void complete(int request) {
  completions[request]++;
  if (completions[request] > 1) reach_error();
}

static enum completion start_change(int request, enum power target) {
  lock();
  if (is_changing) {
    queued |= 1 << request;
    unlock();
    return kQueued;
  }
  if (target == level) {
    unlock();
    complete(request);
    return kCompleted;
  }
  is_changing = 1;
  unlock();
  int latency = __VERIFIER_nondet_int();
  if (latency < 0) {
    /* the device did not answer */
    lock();
    is_changing = 0;
    unlock();
    complete(request);
    return kCompleted;
  }
  if (target == kOff && level == kFull && latency > 5000) {
    level = kSleeping;
    return kNew;
  }
  lock();
  level = target;
  is_changing = 0;
  unlock();
  complete(request);
  return kCompleted;
}

static void drain(void) {
  lock();
  int waiting = queued;
  queued = 0;
  unlock();
  for (int request = 0; request < 4; request++)
    if (waiting & (1 << request)) complete(request);
}

int main(void) {
  int used = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char target = __VERIFIER_nondet_uchar();
    if (target > kOff) continue;
    enum completion result = start_change(i, (enum power)target);
    used |= 1 << i;
    if (result == kNew) {
      unsigned char answer = __VERIFIER_nondet_uchar();
      if (answer == 0x5a) {
        is_changing = 0;
        complete(i);
      } else if (answer & 0x80) {
        queued |= 1 << i;
      }
    }
    if (!is_changing) drain();
  }
  if (queued != 0 && is_changing && level == kSleeping) {
    drain();
    if (used == 15) drain();
  }
  return (int)level;
}
