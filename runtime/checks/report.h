/*
 * What a checked replay reports. The variable PLUMB_DEFECTS names a file; each
 * defect is appended to it with one write, as one line of words that single
 * blanks separate:
 *
 *     defect KIND SITE ACCESS OBJECT_KIND ADDRESS BASE SIZE A B STACK ALLOCATED
 * FREED
 *
 * KIND, SITE, ACCESS and OBJECT_KIND are decimal and as struct
 * plumb_defect_record has them, the others 0x and hexadecimal. A stack is the
 * number of its frames, decimal, and so many return addresses, the innermost
 * first. Frames, and ADDRESS and BASE where OBJECT_KIND is a global, are
 * addresses of the executable's file, whatever it was loaded at; a frame
 * outside of the executable is 0x0. ADDRESS of a leak is the object's.
 *
 * Fatal signals that the machine raised are defects as well: SIGSEGV and SIGBUS
 * are NULL, WILD or CONSTANT, SIGFPE is DIVISION; A is then the signal, the
 * address is where it happened, and the first frame is the instruction itself
 * plus
 * 1. The signal follows.
 *
 * PLUMB_MEMORY: how many bytes of address space the program may take beyond
 * what it has when it starts; to be used in place of a limit from outside,
 * which the map of addressability would not fit into.
 */
#ifndef PLUMB_CHECKS_REPORT_H
#define PLUMB_CHECKS_REPORT_H

#define PLUMB_REPORT_VARIABLE "PLUMB_DEFECTS"
#define PLUMB_REPORT_MEMORY "PLUMB_MEMORY"
/* Defects of the same kind, site and innermost frames are told once in a
 * process, and not more than so many. */
#define PLUMB_REPORT_MOST 256
#define PLUMB_REPORT_FRAMES 4

#endif
