/*
 * What an instrumented program (the target) and the engine tell each other, in C99 and C++.
 *
 * The target streams records of 32-bit words. A record begins with a head:
 *
 *     bits 0-7    kind (enum plumb_record)
 *     bits 8-15   code, by kind
 *     bits 16-31  width in bits, by kind
 *
 * and goes on as its kind says; lengths follow from what was read, so that a record can be written in one pass. A
 * 64-bit value is two words, the low one first. Bytes are packed four a word, the first in the lowest bits, and padded.
 *
 * Expressions have ids. Records that make expressions ("nodes") are numbered from 1 in the order of the stream; a
 * record that makes n of them takes n numbers. Id 0 means "concrete": the value is what the target computed.
 *
 * Nothing here trusts the other side: a reader checks every id and length against what came before, for a target may
 * overwrite its own memory.
 */
#ifndef PLUMB_CONCOLIC_PROTOCOL_H
#define PLUMB_CONCOLIC_PROTOCOL_H

#include <stdint.h>

#define PLUMB_PROTOCOL_VERSION 3u

enum plumb_record {
  /* Nodes; "makes" says how many. Operand ids are never 0 unless it is said. */
  PLUMB_CONSTANT = 1, /* makes 1; width <= 64; value (2 words) */
  PLUMB_OPERATOR,     /* makes 1; code: term::Op; width: of the result; parameter, a, b, c (4 words, unused ones 0) */
  PLUMB_FLOAT,       /* makes 1; code: FloatOp of a comparison, of width 1, or Convert, to a wider format; width: of the
                        operands of a comparison, of what is converted to; a, b (Convert: a) */
  PLUMB_INPUT,       /* makes size / element: index, size in bytes, element size, name length, name, bytes. An input
                        that the program asked for, with the bytes it got. Element i is a fresh variable of
                        8 * element bits: bytes i * element and on, little-endian on every machine. */
  PLUMB_READ,        /* makes 1; width: of the value (a multiple of 8); address id, address (2), object (below).
                        The value at a symbolic address, which lies in the object. */
  PLUMB_WRITE,       /* makes the object's size, one a byte, of width 8: the object's content after the write; width: of
                        the value; address id, address (2), value id or 0, value (2), object (below): before it */
  PLUMB_REGION_EXIT, /* makes what the region's plan says: its outs, then its cells; region, index of the destination */
  /* Events */
  PLUMB_BRANCH,       /* site, edge taken, condition id (width 1). Edges: 0 if it is 1, 1 if it is 0 */
  PLUMB_SWITCH,       /* site, edge taken, value id. Edges: the default, then one a case */
  PLUMB_CALL_TARGET,  /* site, address id, address (2): a call through a symbolic pointer */
  PLUMB_ASSUME,       /* site, held (0 or 1), condition id. Not held: the run ends */
  PLUMB_CHECK,        /* site, held, condition id: a property */
  PLUMB_DIVISOR,      /* site, divisor id: about to divide by it */
  PLUMB_PIN,          /* code: enum plumb_pin_reason; width; subject, id, value (2): from here on the engine takes the
                         expression to be this value. Subject: by reason */
  PLUMB_LOST,         /* code: enum plumb_pin_reason; subject: symbolic data went on as concrete without a pin */
  PLUMB_REGION_ENTER, /* region, then for each live-in value of the plan: id, value (2); then for each memory slot of
                         the plan: an object (below), its address being that of the slot */
  PLUMB_CUT,          /* more path nodes (branches, switches, regions, …) than the limit: the run goes on, but nothing
                         more is told of it than its defects and how it ends */
  PLUMB_RANGE, /* code: enum plumb_defect if it does not hold, 0 if it is no check but holds on this path; width of the
                  values; site, held (0 or 1), object, value id, value (2), base (2), limit id, limit (2): (value -
                  base) <= limit, unsigned, is checked. Ids may be 0, not both. Object: tells those apart that another
                  input may lead into, the same on every run of a path; 0: none */
  PLUMB_OVERFLOW, /* code: term::Op of the operation (Add, Sub, Mul, Sdiv, Srem); width; site, held, a id, a (2),
                     b id, b (2): that it does not overflow as a signed one is checked. Ids may be 0, not both */
  PLUMB_DEFECT, /* code: enum plumb_defect; width: enum plumb_object_kind; site, access, hash, address (2), object base
                   (2), object size (2): seen in this run, which goes on unless PLUMB_ERROR follows. Hash: a sum of
                   the innermost return addresses, with the highest bit set; on boards, of a defect in a model, the
                   site of the call of the model */
  PLUMB_ERROR,  /* code: enum plumb_error; site or 0 */
  PLUMB_END     /* code: enum plumb_end: the runtime ends the run. The last record */
};

/*
 * An object: address (2), size, the concrete bytes, a count of runs, and for each run (3 words): offset, id, and
 * first | total << 8 | length << 16: the `length` bytes from `offset` are bytes first, first + 1, … of the expression,
 * which has `total` bytes in the target's byte order. With total and first 0 they are expressions of one byte each,
 * with the ids id, id + 1, …. What no run names is concrete. Runs rise and do not overlap. An object that the engine
 * knows (a constant) has size with bit 31 set and no bytes and no runs follow: it is the constant global of which index
 * the low bits are.
 */
#define PLUMB_KNOWN_OBJECT 0x80000000u

enum plumb_pin_reason {
  PLUMB_PIN_CALL = 1,    /* argument of a call that leaves instrumented code; subject: external function */
  PLUMB_PIN_MEMORY,      /* memory passed to one; subject: external function */
  PLUMB_PIN_ADDRESS,     /* the object is unknown or too large; subject: site */
  PLUMB_PIN_SIZE,        /* of an allocation or of a block of memory to copy or fill; subject: site */
  PLUMB_PIN_FLOAT,       /* an operation on floating point numbers; subject: site */
  PLUMB_PIN_WIDE,        /* a value of more than 64 bits or a vector; subject: site */
  PLUMB_PIN_UNSUPPORTED, /* inline assembly, an instruction without meaning here; subject: site */
  PLUMB_PIN_FULL,        /* no room in the runtime's arenas; subject: 0 */
  PLUMB_PIN_FILE         /* read from a symbolic file that the program may have written to; subject: 0 */
};

enum plumb_error {
  PLUMB_ERROR_ASSERT = 1, /* assert() failed */
  PLUMB_ERROR_CHECK,      /* plumb_check, __VERIFIER_assert */
  PLUMB_ERROR_REACHED,    /* reach_error, __VERIFIER_error */
  PLUMB_ERROR_ABORT,      /* abort() */
  PLUMB_ERROR_DIVISION,   /* by zero, seen before the machine does */
  PLUMB_ERROR_STACK,      /* overflow of the stack */
  PLUMB_ERROR_SIGNAL,     /* another fatal signal; the signal is how the process ends */
  PLUMB_ERROR_DEFECT      /* inside a region that is recorded; PLUMB_DEFECT just before says which */
};

enum plumb_end {
  PLUMB_END_ASSUME = 1, /* an assumption does not hold */
  PLUMB_END_INPUTS,     /* the program asked for more inputs than the limit */
  PLUMB_END_DEPTH,      /* an input is asked for after PLUMB_CUT */
  PLUMB_END_STREAM,     /* the stream is full */
  PLUMB_END_MISSING     /* a function is called that only unoptimised code refers to, and that nobody defines */
};

/* --- Shared memory, the transport on the host --- */

#define PLUMB_MAGIC 0x706c6d62u
/* The segment is inherited as this descriptor; commands come on the next, answers go on the one after. */
#define PLUMB_SHARED_DESCRIPTOR 197
#define PLUMB_COMMAND_DESCRIPTOR 198
#define PLUMB_STATUS_DESCRIPTOR 199

/* At the start of the segment. Offsets are in bytes from its start; the engine fills all but what is marked. */
struct plumb_shared {
  uint32_t magic;
  uint32_t version;
  uint32_t segment_size;
  uint32_t
      coverage_offset; /* bytes, one an edge: not 0 once it was taken; the target's __plumb_coverage is mapped here */
  uint32_t coverage_size; /* a multiple of the page size, as are the offset of coverage and of modes */
  uint32_t modes_offset;  /* bytes, one a region: 1 to summarise it, 0 for per-path; mapped as __plumb_modes */
  uint32_t modes_size;
  uint32_t inputs_offset; /* the given inputs, see below */
  uint32_t inputs_size;   /* in bytes, of the given inputs of this run */
  uint32_t inputs_capacity;
  uint32_t stream_offset;
  uint32_t stream_capacity; /* in words */
  uint32_t random_low;      /* seed of the bytes of inputs that are not given; */
  uint32_t random_high;     /* both 0: such bytes are 0 */
  uint32_t max_inputs;      /* requests */
  uint32_t max_nodes;       /* path nodes */
  uint32_t max_object;      /* bytes of an object that is read or written exactly at a symbolic address */
  uint32_t processes;       /* how many more processes the run may start; the target counts down */
  uint32_t run;             /* number of the run, to tell a stale answer */
  /* Filled by the target: */
  uint32_t stream_words; /* complete records so far */
  uint32_t ended;        /* 1 after PLUMB_END */
  uint32_t fault_address_low;
  uint32_t fault_address_high; /* of a fatal signal */
};

/*
 * The given inputs: for each, in the order of the requests, a word with its size in bytes and its bytes, padded to
 * words. A request gets the bytes of its input; if it is larger than the input, random ones (or zeros) fill it up.
 *
 * The fork server. When the segment's descriptor is there, the target waits before main for commands of one word:
 * PLUMB_RUN: forks; answers with two words, the child's process id and, once it has ended, its wait status.
 * End of file: it exits. Without the descriptor the target runs once, without a stream (inputs as random says).
 */
#define PLUMB_RUN 1u

#endif
