#pragma once

// Functions of the C library that stand behind their models. Beside a C library plumb_library_NAME is its NAME, which
// the model has the place of: it runs without instrumentation on what the model gives it. Where there is no library,
// models of ours have these names.

#include <stddef.h>

float plumb_library_strtof(const char* text, char** end);
double plumb_library_strtod(const char* text, char** end);
long double plumb_library_strtold(const char* text, char** end);
int plumb_library_strcoll(const char* a, const char* b);
size_t plumb_library_strxfrm(char* to, const char* from, size_t size);
int plumb_library_wcscoll(const wchar_t* a, const wchar_t* b);
size_t plumb_library_wcsxfrm(wchar_t* to, const wchar_t* from, size_t size);
int plumb_library_snprintf(char* memory, size_t room, const char* format, ...);
