// purpose: a driver for a player of discs: requests go through a table, the device has a state, and a lock must be held and released in order
#include <plumb/plumb.h>

enum status { kOk, kInvalid, kBusy, kNotReady, kPending };
enum { kOpen, kClose, kPlay, kPause, kSeek, kVolume, kEject, kRequests };

struct device {
  int is_open, is_playing, is_paused, has_disc;
  int track, volume[2];
  int lock_depth, lock_owner;
  int pending;
};

struct request {
  unsigned char code;
  unsigned char caller;
  short argument;
};

static void acquire(struct device* d, int owner) {
  plumb_check(d->lock_depth == 0);
  d->lock_depth++;
  d->lock_owner = owner;
}

static void release(struct device* d, int owner) {
  plumb_check(d->lock_depth == 1 && d->lock_owner == owner);
  d->lock_depth--;
}

static int on_open(struct device* d, const struct request* r) {
  if (d->is_open) return kBusy;
  d->is_open = r->caller + 1;
  d->track = 1;
  return kOk;
}

static int on_close(struct device* d, const struct request* r) {
  if (d->is_open != r->caller + 1) return kInvalid;
  d->is_open = 0;
  d->is_playing = d->is_paused = 0;
  return kOk;
}

static int on_play(struct device* d, const struct request* r) {
  if (!d->has_disc) return kNotReady;
  acquire(d, r->caller);
  if (d->is_paused) {
    d->is_paused = 0;
    release(d, r->caller);
    return kOk;
  }
  if (r->argument < 1 || r->argument > 20) {
    release(d, r->caller);
    return kInvalid;
  }
  d->track = r->argument;
  d->is_playing = 1;
  release(d, r->caller);
  return kOk;
}

static int on_pause(struct device* d, const struct request* r) {
  acquire(d, r->caller);
  if (!d->is_playing) {
    release(d, r->caller);
    return kNotReady;
  }
  if (d->is_paused && d->track == 13) return kBusy; /* the lock stays */
  d->is_paused = 1;
  release(d, r->caller);
  return kOk;
}

static int on_seek(struct device* d, const struct request* r) {
  if (!d->is_playing) return kNotReady;
  acquire(d, r->caller);
  int target = d->track + r->argument;
  int status = kOk;
  if (target < 1) target = 1;
  if (target > 20) status = kInvalid;
  if (status == kOk) d->track = target;
  release(d, r->caller);
  return status;
}

static int on_volume(struct device* d, const struct request* r) {
  int channel = (r->argument >> 8) & 1, value = r->argument & 0xff;
  if (value > 200) return kInvalid;
  d->volume[channel] = value;
  if (d->volume[0] == 0 && d->volume[1] == 0) d->is_paused = d->is_playing;
  return kOk;
}

static int on_eject(struct device* d, const struct request* r) {
  if (d->is_playing && !d->is_paused) {
    d->pending = r->code;
    return kPending;
  }
  d->has_disc = !d->has_disc;
  d->is_playing = 0;
  return kOk;
}

static int (*const handlers[kRequests])(struct device*, const struct request*) = {
    on_open, on_close, on_play, on_pause, on_seek, on_volume, on_eject};

int main(void) {
  struct device device = {.has_disc = 1};
  for (int i = 0; i < 12; i++) {
    struct request request;
    plumb_symbolic(&request, sizeof request, "request");
    if (request.code >= kRequests || request.caller > 3) continue;
    if (request.code != kOpen && !device.is_open) continue;
    int status = handlers[request.code](&device, &request);
    if (status == kPending) device.pending = 0;
  }
  return device.track;
}
