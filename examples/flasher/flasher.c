/* The Flasher Manager in C as a generator makes it of a block diagram: each block is a few nested conditionals, its output a signal.
 * A name before a slash is a subsystem of the diagram in README.md. */
#include "flasher.h"

_Bool L, R, LK, ULK, W, F;
_Bool outL, outR;

/* States of the blocks. */
static _Bool LK_old, ULK_old, W_old, left_old, right_old; /* unit delays */
static _Bool doors_locked;
static _Bool lock_flash_runs, lock_sign_runs, unlock_flash_runs;
static _Bool lock_flash_phase, unlock_flash_phase;
static _Bool warning_on;
static int lock_flash_time, lock_sign_time, unlock_flash_time;
static int warning_time, left_time, right_time;

void init(void) {
  L = FALSE;
  R = FALSE;
  LK = FALSE;
  ULK = FALSE;
  W = FALSE;
  F = FALSE;
  outL = FALSE;
  outR = FALSE;
  LK_old = FALSE;
  ULK_old = FALSE;
  W_old = FALSE;
  left_old = FALSE;
  right_old = FALSE;
  doors_locked = TRUE;
  lock_flash_runs = FALSE;
  lock_sign_runs = FALSE;
  unlock_flash_runs = FALSE;
  lock_flash_phase = FALSE;
  unlock_flash_phase = FALSE;
  warning_on = FALSE;
  lock_flash_time = 0;
  lock_sign_time = 0;
  unlock_flash_time = 0;
  warning_time = 0;
  left_time = 0;
  right_time = 0;
}

void f1(void) {
  /* Inputs/Rising edges */
  _Bool LK_rises, LK_held, ULK_rises, ULK_held, W_rises, W_held;
  LK_rises = FALSE;
  LK_held = FALSE;
  if (LK) {
    if (LK_old) {
      LK_held = TRUE;
    } else {
      LK_rises = TRUE;
    }
  }
  ULK_rises = FALSE;
  ULK_held = FALSE;
  if (ULK) {
    if (ULK_old) {
      ULK_held = TRUE;
    } else {
      ULK_rises = TRUE;
    }
  }
  W_rises = FALSE;
  W_held = FALSE;
  if (W) {
    if (W_old) {
      W_held = TRUE;
    } else {
      W_rises = TRUE;
    }
  }

  /* Doors/Commands: what a press of the key means; locking comes first, to unlock open doors means nothing */
  _Bool lock_of_locked, lock_of_unlocked, unlock_of_locked;
  lock_of_locked = FALSE;
  lock_of_unlocked = FALSE;
  unlock_of_locked = FALSE;
  if (LK_rises) {
    if (doors_locked) {
      lock_of_locked = TRUE;
    } else {
      lock_of_unlocked = TRUE;
    }
  } else {
    if (ULK_rises) {
      if (doors_locked) {
        unlock_of_locked = TRUE;
      }
    }
  }

  /* Doors/State */
  _Bool doors_next;
  doors_next = doors_locked;
  if (lock_of_unlocked) {
    doors_next = TRUE;
  } else {
    if (unlock_of_locked) {
      doors_next = FALSE;
    }
  }

  /* Lock_flash/Timer: cycles 1 to 60 after the press */
  _Bool lock_flash_stop, lock_flash_ends, lock_flash_runs_next;
  int lock_flash_sum, lock_flash_time_next, lock_flash_last;
  lock_flash_last = 60;
  lock_flash_stop = FALSE;
  if (lock_of_unlocked) {
    lock_flash_stop = TRUE;
  } else {
    if (unlock_of_locked) {
      lock_flash_stop = TRUE;
    }
  }
  lock_flash_sum = lock_flash_time + 1;
  lock_flash_ends = FALSE;
  if (lock_flash_sum > lock_flash_last) {
    lock_flash_ends = TRUE;
  }
  lock_flash_runs_next = lock_flash_runs;
  lock_flash_time_next = lock_flash_time;
  if (lock_of_locked) {
    lock_flash_runs_next = TRUE;
    lock_flash_time_next = 0;
  } else {
    if (lock_flash_runs) {
      if (lock_flash_stop) {
        lock_flash_runs_next = FALSE;
        lock_flash_time_next = 0;
      } else {
        if (lock_flash_ends) {
          lock_flash_runs_next = FALSE;
          lock_flash_time_next = 0;
        } else {
          lock_flash_time_next = lock_flash_sum;
        }
      }
    }
  }

  /* Lock_flash/Oscillator: on and off by turns, on first */
  _Bool lock_flash_active, lock_flash_lit, lock_flash_phase_next;
  lock_flash_active = FALSE;
  lock_flash_lit = FALSE;
  lock_flash_phase_next = FALSE;
  if (lock_flash_runs_next) {
    if (lock_flash_time_next >= 1) {
      lock_flash_active = TRUE;
      if (lock_flash_phase) {
        lock_flash_phase_next = FALSE;
      } else {
        lock_flash_phase_next = TRUE;
        lock_flash_lit = TRUE;
      }
    }
  }

  /* Lock_sign/Timer: cycles 2 to 21 after the press */
  _Bool lock_sign_stop, lock_sign_ends, lock_sign_runs_next;
  int lock_sign_sum, lock_sign_time_next, lock_sign_last, lock_sign_first, lock_sign_dark;
  lock_sign_first = 2;
  lock_sign_dark = 12;
  lock_sign_last = 21;
  lock_sign_stop = FALSE;
  if (lock_of_locked) {
    lock_sign_stop = TRUE;
  } else {
    if (unlock_of_locked) {
      lock_sign_stop = TRUE;
    }
  }
  lock_sign_sum = lock_sign_time + 1;
  lock_sign_ends = FALSE;
  if (lock_sign_sum > lock_sign_last) {
    lock_sign_ends = TRUE;
  }
  lock_sign_runs_next = lock_sign_runs;
  lock_sign_time_next = lock_sign_time;
  if (lock_of_unlocked) {
    lock_sign_runs_next = TRUE;
    lock_sign_time_next = 0;
  } else {
    if (lock_sign_runs) {
      if (lock_sign_stop) {
        lock_sign_runs_next = FALSE;
        lock_sign_time_next = 0;
      } else {
        if (lock_sign_ends) {
          lock_sign_runs_next = FALSE;
          lock_sign_time_next = 0;
        } else {
          lock_sign_time_next = lock_sign_sum;
        }
      }
    }
  }

  /* Lock_sign/Pulse: ten on, ten off */
  _Bool lock_sign_active, lock_sign_lit;
  lock_sign_active = FALSE;
  lock_sign_lit = FALSE;
  if (lock_sign_runs_next) {
    if (lock_sign_time_next >= lock_sign_first) {
      lock_sign_active = TRUE;
      if (lock_sign_time_next < lock_sign_dark) {
        lock_sign_lit = TRUE;
      }
    }
  }

  /* Unlock_flash/Timer: cycles 2 to 21 after the press */
  _Bool unlock_flash_stop, unlock_flash_ends, unlock_flash_runs_next;
  int unlock_flash_sum, unlock_flash_time_next, unlock_flash_last, unlock_flash_first;
  unlock_flash_first = 2;
  unlock_flash_last = 21;
  unlock_flash_stop = FALSE;
  if (lock_of_locked) {
    unlock_flash_stop = TRUE;
  } else {
    if (lock_of_unlocked) {
      unlock_flash_stop = TRUE;
    }
  }
  unlock_flash_sum = unlock_flash_time + 1;
  unlock_flash_ends = FALSE;
  if (unlock_flash_sum > unlock_flash_last) {
    unlock_flash_ends = TRUE;
  }
  unlock_flash_runs_next = unlock_flash_runs;
  unlock_flash_time_next = unlock_flash_time;
  if (unlock_of_locked) {
    unlock_flash_runs_next = TRUE;
    unlock_flash_time_next = 0;
  } else {
    if (unlock_flash_runs) {
      if (unlock_flash_stop) {
        unlock_flash_runs_next = FALSE;
        unlock_flash_time_next = 0;
      } else {
        if (unlock_flash_ends) {
          unlock_flash_runs_next = FALSE;
          unlock_flash_time_next = 0;
        } else {
          unlock_flash_time_next = unlock_flash_sum;
        }
      }
    }
  }

  /* Unlock_flash/Oscillator: on and off by turns, on first */
  _Bool unlock_flash_active, unlock_flash_lit, unlock_flash_phase_next;
  unlock_flash_active = FALSE;
  unlock_flash_lit = FALSE;
  unlock_flash_phase_next = FALSE;
  if (unlock_flash_runs_next) {
    if (unlock_flash_time_next >= unlock_flash_first) {
      unlock_flash_active = TRUE;
      if (unlock_flash_phase) {
        unlock_flash_phase_next = FALSE;
      } else {
        unlock_flash_phase_next = TRUE;
        unlock_flash_lit = TRUE;
      }
    }
  }

  /* Warning/Switch: each press turns it on or off, as long as the flashers are active */
  _Bool warning_starts, warning_next;
  warning_starts = FALSE;
  warning_next = FALSE;
  if (F) {
    warning_next = warning_on;
    if (W_rises) {
      if (warning_on) {
        warning_next = FALSE;
      } else {
        warning_next = TRUE;
        warning_starts = TRUE;
      }
    }
  }

  /* Warning/Oscillator: three on, three off, from the press on */
  _Bool warning_wraps, warning_lit;
  int warning_sum, warning_time_next, warning_half, warning_period;
  warning_half = 3;
  warning_period = 6;
  warning_sum = warning_time + 1;
  warning_wraps = FALSE;
  if (warning_sum >= warning_period) {
    warning_wraps = TRUE;
  }
  warning_time_next = 0;
  warning_lit = FALSE;
  if (warning_next) {
    if (!warning_starts) {
      if (!warning_wraps) {
        warning_time_next = warning_sum;
      }
    }
    if (warning_time_next < warning_half) {
      warning_lit = TRUE;
    }
  }

  /* Flashers_left: three on, three off; its timer starts a cycle behind its light */
  _Bool left_enabled, left_starts, left_wraps, left_lit;
  int left_sum, left_time_next;
  left_enabled = FALSE;
  if (F) {
    if (L) {
      left_enabled = TRUE;
    }
  }
  left_starts = FALSE;
  if (left_enabled) {
    if (!left_old) {
      left_starts = TRUE;
    }
  }
  left_sum = left_time + 1;
  left_wraps = FALSE;
  if (left_sum >= 6) {
    left_wraps = TRUE;
  }
  left_time_next = -1;
  left_lit = FALSE;
  if (left_enabled) {
    if (!left_starts) {
      if (left_wraps) {
        left_time_next = 0;
      } else {
        left_time_next = left_sum;
      }
    }
    if (left_time_next < 3) {
      left_lit = TRUE;
    }
  }

  /* Flashers_right: three on, three off */
  _Bool right_enabled, right_starts, right_wraps, right_lit;
  int right_sum, right_time_next;
  right_enabled = FALSE;
  if (F) {
    if (R) {
      right_enabled = TRUE;
    }
  }
  right_starts = FALSE;
  if (right_enabled) {
    if (!right_old) {
      right_starts = TRUE;
    }
  }
  right_sum = right_time + 1;
  right_wraps = FALSE;
  if (right_sum >= 6) {
    right_wraps = TRUE;
  }
  right_time_next = 0;
  right_lit = FALSE;
  if (right_enabled) {
    if (!right_starts) {
      if (!right_wraps) {
        right_time_next = right_sum;
      }
    }
    if (right_time_next < 3) {
      right_lit = TRUE;
    }
  }

  /* Priority: the key before the warning before the lever */
  _Bool key_active, key_lit;
  key_active = FALSE;
  key_lit = FALSE;
  if (lock_flash_active) {
    key_active = TRUE;
    key_lit = lock_flash_lit;
  } else {
    if (lock_sign_active) {
      key_active = TRUE;
      key_lit = lock_sign_lit;
    } else {
      if (unlock_flash_active) {
        key_active = TRUE;
        key_lit = unlock_flash_lit;
      }
    }
  }
  if (key_active) {
    outL = key_lit;
    outR = key_lit;
  } else {
    if (warning_next) {
      outL = warning_lit;
      outR = warning_lit;
    } else {
      outL = left_lit;
      outR = right_lit;
    }
  }

  /* The states of the next cycle */
  LK_old = FALSE;
  if (LK_rises || LK_held) {
    LK_old = TRUE;
  }
  ULK_old = FALSE;
  if (ULK_rises || ULK_held) {
    ULK_old = TRUE;
  }
  W_old = FALSE;
  if (W_rises || W_held) {
    W_old = TRUE;
  }
  left_old = left_enabled;
  right_old = right_enabled;
  doors_locked = doors_next;
  lock_flash_runs = lock_flash_runs_next;
  lock_flash_time = lock_flash_time_next;
  lock_flash_phase = lock_flash_phase_next;
  lock_sign_runs = lock_sign_runs_next;
  lock_sign_time = lock_sign_time_next;
  unlock_flash_runs = unlock_flash_runs_next;
  unlock_flash_time = unlock_flash_time_next;
  unlock_flash_phase = unlock_flash_phase_next;
  warning_on = warning_next;
  warning_time = warning_time_next;
  left_time = left_time_next;
  right_time = right_time_next;
}
