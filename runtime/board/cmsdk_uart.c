/*
 * The UART of Arm's CMSDK, which keeps one byte: an interrupt puts what comes into a ring, since the loop takes some
 * milliseconds for a frame. Without the interrupt bytes are only taken while the loop reads.
 */
#include "loop.h"

#if defined(__arm__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

enum { DATA, STATE, CONTROL, INTERRUPTS, DIVIDER };
#define TRANSMIT_FULL 1u
#define RECEIVE_FULL 2u
#define BOTH_WAYS 3u
#define INTERRUPT_ON_RECEIVE 8u
#define RECEIVE_INTERRUPT 2u

#define RING 256u

static volatile uint32_t* registers;
static uint8_t ring[RING];
static volatile uint32_t ring_in; /* modulo RING: where the next byte goes, */
static uint32_t ring_out;         /* and where it is taken */

void plumb_cmsdk_uart_begin(uintptr_t base, uint32_t clock_frequency, uint32_t baud) {
  registers = (volatile uint32_t*)base;
  registers[DIVIDER] = clock_frequency / baud;
  registers[CONTROL] = BOTH_WAYS | INTERRUPT_ON_RECEIVE;
}

/* What does not fit stays in the UART, where the next byte overwrites it unless the other end waits; a byte that is
   lost ends the session by its checksum. */
void plumb_cmsdk_uart_interrupt(void) {
  registers[INTERRUPTS] = RECEIVE_INTERRUPT;
  while (ring_in - ring_out < RING && (registers[STATE] & RECEIVE_FULL) != 0) {
    ring[ring_in % RING] = (uint8_t)registers[DATA];
    ++ring_in;
  }
}

int32_t plumb_cmsdk_uart_read(uint8_t* bytes, uint32_t size) {
  uint32_t count = 0;
  __asm__ volatile("cpsid i" ::: "memory");
  plumb_cmsdk_uart_interrupt();
  while (count < size && ring_out != ring_in) bytes[count++] = ring[ring_out++ % RING];
  __asm__ volatile("cpsie i" ::: "memory");
  return (int32_t)count;
}

int32_t plumb_cmsdk_uart_write(const uint8_t* bytes, uint32_t size) {
  uint32_t i;
  for (i = 0; i < size; ++i) {
    while ((registers[STATE] & TRANSMIT_FULL) != 0) {
    }
    registers[DATA] = bytes[i];
  }
  return 0;
}

#endif
