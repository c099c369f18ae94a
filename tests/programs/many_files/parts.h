#pragma once

enum { DEPTH = 8 };
struct stack {
  int items[DEPTH];
  int depth;
};
void push(struct stack* s, int value);
int pop(struct stack* s);
int count(void);
int use_hidden(int x);
extern int tentative;
extern const int shared_table[];
extern void (*const operations[])(struct stack*, int);
