// purpose: a parser keeps a pointer to its token, which is a local variable of the function that read it
// defect: use-after-return line 32
// input: c=43
#include <plumb/plumb.h>
#include <stddef.h>

struct token {
  char kind;
  int value;
};

struct parser {
  struct token* token;
  struct token own;
};

static void read_token(struct parser* parser, char c) {
  struct token token = {c, 0};
  parser->own = token;
  parser->token = NULL;
#ifdef FIXED
  if (c == '+' || c == '-') parser->token = &parser->own;
#else
  if (c == '+' || c == '-') parser->token = &token;
#endif
}

int main(void) {
  struct parser parser;
  read_token(&parser, plumb_symbolic_char("c"));
  if (parser.token == NULL) return 2;
  return parser.token->kind == '-';
}
