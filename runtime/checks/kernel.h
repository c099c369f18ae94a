/* What the kernel tells of the process. System calls are made directly: the
 * program may have functions of their names.
 */
#ifndef PLUMB_CHECKS_KERNEL_H
#define PLUMB_CHECKS_KERNEL_H

#include <stdint.h>

#pragma GCC visibility push(hidden)

/* 0 if it is not known. */
uint32_t plumb_thread_count(void);
uintptr_t plumb_page_size(void);
/* Bytes of address space that the process has taken; 0 if it is not known. */
uintptr_t plumb_address_space(void);
/* Calls `visit` for each private mapping that can be read and written but the
   heap and the stack. Gives 0 if they are not known. */
int plumb_visit_mappings(void (*visit)(uintptr_t begin, uintptr_t end));

#pragma GCC visibility pop

#endif
