/*
 * The standard input and output of a debugger or emulator, by Arm's semihosting: every call stops the processor, and
 * reading waits, so that HELLO is not repeated.
 */
#include "loop.h"

#if defined(__arm__)

#define OPEN 1u
#define WRITE 5u
#define READ 6u
#define FOR_READING 0u
#define FOR_WRITING 4u

static uint32_t call(uint32_t operation, const void* arguments) {
  register uint32_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = arguments;
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
  __asm__ volatile("bkpt #0xab" : "+r"(r0) : "r"(r1) : "memory", "r2", "r3", "r12", "lr");
#else
  __asm__ volatile("svc #0x123456" : "+r"(r0) : "r"(r1) : "memory", "r2", "r3", "r12", "lr");
#endif
  return r0;
}

/* Gives a handle of the console. */
static uint32_t open_console(uint32_t mode) {
  uint32_t arguments[3];
  arguments[0] = (uint32_t)(uintptr_t)":tt";
  arguments[1] = mode;
  arguments[2] = 3;
  return call(OPEN, arguments);
}

/* Gives how many bytes were not moved. */
static uint32_t move(uint32_t operation, uint32_t handle, const uint8_t* bytes, uint32_t size) {
  uint32_t arguments[3];
  arguments[0] = handle;
  arguments[1] = (uint32_t)(uintptr_t)bytes;
  arguments[2] = size;
  return call(operation, arguments);
}

int32_t plumb_semihosting_read(uint8_t* bytes, uint32_t size) {
  static uint32_t handle;
  uint32_t left;
  if (handle == 0) handle = open_console(FOR_READING);
  left = move(READ, handle, bytes, size);
  return left >= size ? -1 : (int32_t)(size - left);
}

int32_t plumb_semihosting_write(const uint8_t* bytes, uint32_t size) {
  static uint32_t handle;
  if (handle == 0) handle = open_console(FOR_WRITING);
  return move(WRITE, handle, bytes, size) == 0 ? 0 : -1;
}

#endif
