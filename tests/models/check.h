#pragma once

/* The differential test of the models: each suite calls a model and the C library on the same random arguments. */

#include <stddef.h>
#include <stdint.h>

/* Declares the model of a library function; models are linked with this prefix on every name. */
#define MODEL(function) extern __typeof__(function) model_##function

/* Counts a comparison; a difference is printed with the text and makes the program fail. */
void check(int agrees, const char* format, ...) __attribute__((format(printf, 2, 3)));
void check_bytes(const void* model, const void* library, size_t size, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
/* Printable and escaped, in one of a few static buffers. */
const char* quoted(const char* text);

uint64_t random64(void);
unsigned below(unsigned limit); /* uniform in 0 … limit - 1 */
int one_in(unsigned chances);
void random_text(char* to, size_t longest, const char* alphabet); /* terminated */
double random_double(void);                                       /* of all kinds, with extremes */
long double random_long_double(void);

/* What the streams of the models read and wrote. */
void host_input(const char* text);
const char* host_output(void); /* and starts it afresh */

void test_memory(void);
void test_strings(void);
void test_ctype(void);
void test_integers(void);
void test_reals(void);
void test_printf(void);
void test_scanf(void);
void test_streams(void);
void test_sorting(void);
void test_random(void);
void test_time(void);
void test_math(void);
void test_getopt(void);
void test_locale(void);
void test_multibyte(void);
void test_wide(void);
void test_classes(void);
