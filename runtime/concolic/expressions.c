/*
 * Records of expressions. Constants are remembered in a small table, so that a loop over symbolic data does not send
 * the same operand again and again.
 */
#include "state.h"

struct constant {
  uint64_t value;
  uint32_t width;
  plumb_id id; /* 0: the slot is empty */
};
static struct constant constants[PLUMB_CONSTANT_SLOTS];

void plumb_forget_constants(void) {
  uint32_t i;
  for (i = 0; i < PLUMB_CONSTANT_SLOTS; ++i) constants[i].id = 0;
}

static uint64_t truncate(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & (((uint64_t)1 << width) - 1);
}

plumb_id plumb_constant(uint32_t width, uint64_t value) {
  uint64_t masked = truncate(value, width);
  uint32_t hash = ((uint32_t)masked ^ (uint32_t)(masked >> 32)) * 0x9e3779b1u + width;
  struct constant* slot = &constants[(hash ^ hash >> 16) % PLUMB_CONSTANT_SLOTS];
  uint32_t* words;
  if (slot->id != 0 && slot->value == masked && slot->width == width) return slot->id;
  words = plumb_words(3);
  words[0] = plumb_head(PLUMB_CONSTANT, 0, width);
  plumb_put_value(words + 1, masked);
  plumb_publish();
  slot->value = masked;
  slot->width = width;
  slot->id = plumb_make_ids(1);
  return slot->id;
}

plumb_id plumb_operator(uint32_t op, uint32_t width, uint32_t parameter, plumb_id a, plumb_id b, plumb_id c) {
  uint32_t* words = plumb_words(5);
  words[0] = plumb_head(PLUMB_OPERATOR, op, width);
  words[1] = parameter;
  words[2] = a;
  words[3] = b;
  words[4] = c;
  plumb_publish();
  return plumb_make_ids(1);
}

static plumb_id operand(uint32_t width, plumb_id id, uint64_t value) {
  return id != 0 ? id : plumb_constant(width, value);
}

plumb_id __plumb_unary(uint32_t op, uint32_t width, uint32_t parameter, plumb_id a) {
  plumb_id made;
  if (a == 0 || !plumb_enter()) return 0;
  made = plumb_operator(op, width, parameter, a, 0, 0);
  plumb_leave();
  return made;
}

plumb_id __plumb_binary(uint32_t op, uint32_t width, uint32_t operand_width, plumb_id a, uint64_t a_value, plumb_id b,
                        uint64_t b_value) {
  plumb_id made;
  if ((a | b) == 0 || !plumb_enter()) return 0;
  a = operand(operand_width, a, a_value);
  b = operand(operand_width, b, b_value);
  made = plumb_operator(op, width, 0, a, b, 0);
  plumb_leave();
  return made;
}

plumb_id __plumb_select(uint32_t width, plumb_id condition, plumb_id a, uint64_t a_value, plumb_id b,
                        uint64_t b_value) {
  plumb_id made;
  if (condition == 0 || !plumb_enter()) return 0;
  a = operand(width, a, a_value);
  b = operand(width, b, b_value);
  made = plumb_operator(PLUMB_OP_ITE, width, 0, condition, a, b);
  plumb_leave();
  return made;
}

plumb_id __plumb_float(uint32_t op, uint32_t width, plumb_id a, uint64_t a_value, plumb_id b,
                               uint64_t b_value) {
  uint32_t* words;
  plumb_id made;
  if ((a | b) == 0 || !plumb_enter()) return 0;
  a = operand(width, a, a_value);
  b = operand(width, b, b_value);
  words = plumb_words(3);
  words[0] = plumb_head(PLUMB_FLOAT, op, width);
  words[1] = a;
  words[2] = b;
  plumb_publish();
  made = plumb_make_ids(1);
  plumb_leave();
  return made;
}
