/* Vectors and the way from reset to board(). */
#include <stdint.h>

void board(void);

extern uint32_t stack_end[];
extern uint32_t __data_start__[], __data_end__[], data_image[];
extern uint32_t __bss_start__[], __bss_end__[];

void Reset_Handler(void);
void HardFault_Handler(void);
void MemManage_Handler(void);
void BusFault_Handler(void);
void UsageFault_Handler(void);
void PendSV_Handler(void);
void SysTick_Handler(void);
void UARTRX0_Handler(void);

static void unexpected(void) {
  for (;;) {
  }
}

void Reset_Handler(void) {
  uint32_t* to;
  const uint32_t* from = data_image;
  for (to = __data_start__; to < __data_end__; ++to) *to = *from++;
  for (to = __bss_start__; to < __bss_end__; ++to) *to = 0;
  board();
  unexpected();
}

typedef void (*handler)(void);
__attribute__((section(".vectors"), used)) static const handler vectors[48] = {
    (handler)(uintptr_t)stack_end,
    Reset_Handler,
    unexpected, /* NMI */
    HardFault_Handler,
    MemManage_Handler,
    BusFault_Handler,
    UsageFault_Handler,
    0,
    0,
    0,
    0,
    unexpected, /* SVC */
    unexpected, /* debug monitor */
    0,
    PendSV_Handler,
    SysTick_Handler,
    UARTRX0_Handler, /* the first of the board's own */
};
