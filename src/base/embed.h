#pragma once

/// Puts the bytes of a file into the program, between `symbol` and `symbol_end`; a zero follows. At namespace scope, in
/// one source file; the file's path is a string literal.
#define PLUMB_EMBED(symbol, file)                                                                                   \
  asm(".pushsection .rodata\n.balign 16\n.global " #symbol "\n" #symbol ":\n.incbin \"" file "\"\n.global " #symbol \
      "_end\n" #symbol "_end:\n.byte 0\n.popsection\n");                                                            \
  extern "C" const char symbol[];                                                                                   \
  extern "C" const char symbol##_end[]
