/*
 * Variadic arguments. Where they lie is for the ABI to say: behind the fixed ones on the stack, or, on x86-64, in the
 * area where a function saves the registers. Compilers write both below the level of the code that is instrumented, so
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

/* What a va_list says. */
struct areas {
  const uint8_t* registers; /* null if arguments are never there */
  const uint8_t* stack;
};

#if defined(__x86_64__)
#define REGISTERS_SIZE 176u /* six of 8 bytes, eight of 16 */
struct list {
  uint32_t integers;
  uint32_t floats;
  const uint8_t* stack;
  const uint8_t* registers;
};

static struct areas areas_of(const void* list) {
  const struct list* const given = list;
  struct areas areas;
  areas.registers = given->registers;
  areas.stack = given->stack;
  return areas;
}
#else
#define REGISTERS_SIZE 0u
static struct areas areas_of(const void* list) {
  struct areas areas;
  areas.registers = 0;
  areas.stack = *(const uint8_t* const*)list;
  return areas;
}
#endif

void __plumb_variadic_enter(const void* list, const void* function) {
  struct areas areas;
  uint32_t i;
  if (!plumb_enter()) return;
  areas = areas_of(list);
  if (areas.registers != 0) plumb_clear_shadow(areas.registers, REGISTERS_SIZE);
  if (callee == function) {
    plumb_clear_shadow(areas.stack, stack_size);
    for (i = 0; i < count; ++i) {
      const uint32_t place = arguments[i].place;
      const uint8_t* const area = (place & PLUMB_ON_STACK) != 0 ? areas.stack : areas.registers;
      const uint8_t* const address = area + (place & ~PLUMB_ON_STACK);
      plumb_set_shadow(address, arguments[i].size, arguments[i].id, 0, arguments[i].size, address);
    }
  }
  callee = 0;
  plumb_leave();
}
