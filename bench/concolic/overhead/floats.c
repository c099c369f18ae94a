// Bodies that attract each other.
#include <math.h>

#include "overhead.h"

enum { kBodies = 8, kSteps = 500000 };

struct body {
  double position[3], velocity[3], mass;
};

static struct body bodies[kBodies + 1];

static void attract(struct body *a, struct body *b) {
  double difference[3], square = 0.01;
  for (int k = 0; k < 3; k++) {
    difference[k] = a->position[k] - b->position[k];
    square += difference[k] * difference[k];
  }
  double force = 0.001 / (square * sqrt(square));
  for (int k = 0; k < 3; k++) {
    a->velocity[k] -= difference[k] * b->mass * force;
    b->velocity[k] += difference[k] * a->mass * force;
  }
}

static unsigned work(unsigned start, unsigned input) {
  for (int i = 0; i < kBodies; i++) {
    bodies[i].mass = 1.0 + i;
    for (int k = 0; k < 3; k++) bodies[i].position[k] = (double)((i * 7 + k * 5) % 11) * start;
  }
  bodies[kBodies].mass = (double)input;
  for (int step = 0; step < kSteps; step++) {
    for (int i = 0; i < kBodies; i++)
      for (int j = i + 1; j < kBodies; j++) attract(&bodies[i], &bodies[j]);
    for (int i = 0; i < kBodies; i++)
      for (int k = 0; k < 3; k++) bodies[i].position[k] += 0.001 * bodies[i].velocity[k];
  }
#ifdef SHARED
  attract(&bodies[0], &bodies[kBodies]);
#endif
  return (unsigned)(1000.0 * fabs(bodies[1].position[0]));
}
