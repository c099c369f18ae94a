// <errno.h>, and the texts of error and signal numbers that programs print most.

#include "host.h"
#include "text.h"

int* __errno_location(void) {
  static int number;
  return &number;
}

struct numbered_text {
  int number;
  const char* text;
};

// Writes "Unknown error 1234".
static char* numbered(char* to, const char* text, int number) {
  char digits[12];
  size_t count = 0;
  unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (number < 0) digits[count++] = '-';
  size_t length = strlen(text);
  memcpy(to, text, length);
  while (count > 0) to[length++] = digits[--count];
  to[length] = 0;
  return to;
}

char* strerror(int number) {
  static const struct numbered_text texts[] = {
      {0, "Success"},
      {EPERM, "Operation not permitted"},
      {ENOENT, "No such file or directory"},
      {4, "Interrupted system call"},
      {5, "Input/output error"},
      {7, "Argument list too long"},
      {EBADF, "Bad file descriptor"},
      {11, "Resource temporarily unavailable"},
      {ENOMEM, "Cannot allocate memory"},
      {EACCES, "Permission denied"},
      {14, "Bad address"},
      {16, "Device or resource busy"},
      {17, "File exists"},
      {20, "Not a directory"},
      {21, "Is a directory"},
      {EINVAL, "Invalid argument"},
      {24, "Too many open files"},
      {ENOTTY, "Inappropriate ioctl for device"},
      {27, "File too large"},
      {28, "No space left on device"},
      {ESPIPE, "Illegal seek"},
      {32, "Broken pipe"},
      {EDOM, "Numerical argument out of domain"},
      {ERANGE, "Numerical result out of range"},
      {35, "Resource deadlock avoided"},
      {ENOSYS, "Function not implemented"},
      {EOVERFLOW, "Value too large for defined data type"},
      {EILSEQ, "Invalid or incomplete multibyte or wide character"},
      {110, "Connection timed out"},
  };
  static char unknown[40];
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    if (texts[i].number == number) return (char*)texts[i].text;
  }
  return numbered(unknown, "Unknown error ", number);
}

char* __strerror_r(int number, char* buffer, size_t size) {
  (void)buffer;
  (void)size;
  return strerror(number);
}

char* strerror_r(int number, char* buffer, size_t size) { return __strerror_r(number, buffer, size); }

int __xpg_strerror_r(int number, char* buffer, size_t size) {
  const char* text = strerror(number);
  size_t length = strlen(text);
  if (size == 0) return ERANGE;
  size_t copied = length < size ? length : size - 1;
  memcpy(buffer, text, copied);
  buffer[copied] = 0;
  return copied == length ? 0 : ERANGE;
}

char* strsignal(int number) {
  static const struct numbered_text texts[] = {
      {1, "Hangup"},
      {2, "Interrupt"},
      {3, "Quit"},
      {4, "Illegal instruction"},
      {5, "Trace/breakpoint trap"},
      {6, "Aborted"},
      {7, "Bus error"},
      {8, "Floating point exception"},
      {9, "Killed"},
      {10, "User defined signal 1"},
      {11, "Segmentation fault"},
      {12, "User defined signal 2"},
      {13, "Broken pipe"},
      {14, "Alarm clock"},
      {15, "Terminated"},
      {17, "Child exited"},
  };
  static char unknown[40];
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    if (texts[i].number == number) return (char*)texts[i].text;
  }
  return numbered(unknown, "Unknown signal ", number);
}
