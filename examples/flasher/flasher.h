/* The Flasher Manager: which of a car's flashing lights are lit. README.md has its story. */
#ifndef FLASHER_H
#define FLASHER_H

#define TRUE 1
#define FALSE 0

/* Inputs, to be set before each cycle. */
extern _Bool L;   /* the lever stands to the left */
extern _Bool R;   /* the lever stands to the right */
extern _Bool LK;  /* the key's lock button is pressed */
extern _Bool ULK; /* the key's unlock button is pressed */
extern _Bool W;   /* the warning button is pressed; each press turns the warning on or off */
extern _Bool F;   /* the flashers are active */

/* Outputs of the last cycle. */
extern _Bool outL;
extern _Bool outR;

void init(void); /* the doors are locked, nothing flashes, all inputs are off */
void f1(void);   /* one cycle */

/* What the properties share: an input of any value, and a loop of CYCLES rounds or, without CYCLES, an endless one. */
extern _Bool __VERIFIER_nondet_bool(void);
#define nondet_in() __VERIFIER_nondet_bool()
#ifdef CYCLES
#define GOES_ON(i) ((i) < CYCLES)
#else
#define GOES_ON(i) TRUE
#endif

#endif
