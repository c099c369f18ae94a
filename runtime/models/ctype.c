// <ctype.h> in the "C" locale: bytes from 128 on are in no class.

#include "text.h"

int isdigit(int byte) { return byte >= '0' && byte <= '9'; }
int islower(int byte) { return byte >= 'a' && byte <= 'z'; }
int isupper(int byte) { return byte >= 'A' && byte <= 'Z'; }
int isalpha(int byte) { return isupper(byte) || islower(byte); }
int isalnum(int byte) { return isalpha(byte) || isdigit(byte); }
int isblank(int byte) { return byte == ' ' || byte == '\t'; }
int isspace(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
int iscntrl(int byte) { return (byte >= 0 && byte < 32) || byte == 127; }
int isgraph(int byte) { return byte > 32 && byte < 127; }
int isprint(int byte) { return byte >= 32 && byte < 127; }
int ispunct(int byte) { return isgraph(byte) && !isalnum(byte); }
int isxdigit(int byte) { return isdigit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F'); }
int isascii(int byte) { return (byte & ~0x7f) == 0; }
int toascii(int byte) { return byte & 0x7f; }
int tolower(int byte) { return isupper(byte) ? byte + ('a' - 'A') : byte; }
int toupper(int byte) { return islower(byte) ? byte - ('a' - 'A') : byte; }
int _tolower(int byte) { return byte + ('a' - 'A'); }
int _toupper(int byte) { return byte - ('a' - 'A'); }
