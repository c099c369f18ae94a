/*
 * Variadic arguments. Where they lie is for the ABI to say: behind the fixed ones on the stack, or in the area where a
 * function saves the registers. Compilers write both below the level of the code that is instrumented, so
 * a caller says which argument is symbolic and where it will lie; the callee lays the shadows there as it begins.
 */
#include "shadow.h"

struct argument {
  uint32_t place;
  uint32_t size;
  plumb_id id;
};

static const void* callee;
static uint32_t stack_size;
static uint32_t count;
static struct argument arguments[PLUMB_VARIADIC];

void __plumb_variadic_call(const void* function, uint32_t size) {
  if (!plumb_enter()) return;
  callee = function;
  stack_size = size;
  count = 0;
  plumb_leave();
}

void __plumb_variadic_argument(uint32_t site, uint32_t place, uint32_t size, plumb_id id) {
  if (id == 0 || !plumb_enter()) return;
  if (count < PLUMB_VARIADIC) {
    arguments[count].place = place;
    arguments[count].size = size;
    arguments[count].id = id;
    ++count;
  } else {
    plumb_record_lost(PLUMB_PIN_WIDE, site);
  }
  plumb_leave();
}

/* Where saved registers lie, by the offset of a place, and arguments on the stack; what a va_list says. */
struct area {
  const uint8_t* base; /* of the place 0, which need not be there */
  uint32_t begin, end; /* places that are there */
};
struct areas {
  struct area registers[2];
  const uint8_t* stack;
};

static struct areas areas_of(const void* list) {
  struct areas areas = {{{0, 0, 0}, {0, 0, 0}}, 0};
#if defined(__x86_64__)
  const struct {
    uint32_t integers;
    uint32_t floats;
    const uint8_t* stack;
    const uint8_t* registers;
  }* const given = list;
  areas.registers[0].base = given->registers;
  areas.registers[0].end = PLUMB_SAVED_REGISTERS;
  areas.stack = given->stack;
#elif defined(__aarch64__)
  /* Eight registers of 8 bytes, eight of 16, each kind before its top; only the variadic ones were saved. */
  const struct {
    const uint8_t* stack;
    const uint8_t* integers_top;
    const uint8_t* floats_top;
    int32_t integers;
    int32_t floats;
  }* const given = list;
  areas.registers[0].base = given->integers_top - 64;
  areas.registers[0].begin = (uint32_t)(64 + given->integers);
  areas.registers[0].end = 64;
  areas.registers[1].base = given->floats_top - 192;
  areas.registers[1].begin = (uint32_t)(192 + given->floats);
  areas.registers[1].end = 192;
  areas.stack = given->stack;
#elif defined(__s390x__)
  /* In the caller's frame: five registers from 16 on, four for floating point from 128 on. */
  const struct {
    long integers;
    long floats;
    const uint8_t* stack;
    const uint8_t* registers;
  }* const given = list;
  areas.registers[0].base = given->registers;
  areas.registers[0].begin = 16;
  areas.registers[0].end = 160;
  areas.stack = given->stack;
#else
  /* i386; on ARM and RISC-V registers are saved right before those on the stack, as if they had come there. */
  areas.stack = *(const uint8_t* const*)list;
#endif
  return areas;
}

/* Null if the list does not lead there. */
static const uint8_t* address_of(const struct areas* areas, uint32_t place) {
  uint32_t i;
  if ((place & PLUMB_ON_STACK) != 0) return areas->stack + (place & ~PLUMB_ON_STACK);
  for (i = 0; i < 2; ++i) {
    const struct area* area = &areas->registers[i];
    if (place >= area->begin && place < area->end) return area->base + place;
  }
  return 0;
}

void __plumb_variadic_enter(const void* list, const void* function) {
  struct areas areas;
  uint32_t i;
  if (!plumb_enter()) return;
  areas = areas_of(list);
  for (i = 0; i < 2; ++i) {
    const struct area* area = &areas.registers[i];
    if (area->begin < area->end) plumb_clear_shadow(area->base + area->begin, area->end - area->begin);
  }
  if (callee == function) {
    plumb_clear_shadow(areas.stack, stack_size);
    for (i = 0; i < count; ++i) {
      const uint8_t* const address = address_of(&areas, arguments[i].place);
      if (address != 0) {
        plumb_set_shadow(address, arguments[i].size, arguments[i].id, 0, arguments[i].size, address);
      } else {
        plumb_record_lost(PLUMB_PIN_WIDE, 0);
      }
    }
  }
  callee = 0;
  plumb_leave();
}

void plumb_reset_variadic(void) {
  callee = 0;
  count = 0;
}
