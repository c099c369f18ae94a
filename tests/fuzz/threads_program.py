"""Random C programs with threads, and all that they can do.

A program is a few lists of statements (tuples of a word and its parts), each of which accesses at most one shared variable, so that
C leaves no order open. It is printed as C, and apart from that flattened to steps and run here in all orders of its threads and on
all inputs: states are kept, so that loops end. Memory is sequentially consistent. A thread that waits for a condition may wake up
on its own; a state in which nobody else can go on counts as a deadlock nevertheless."""
import itertools
import random
from dataclasses import dataclass

LOCALS = 4
RUNNING, WAITING, WOKEN, ENDED, UNBORN = range(5)
MUTATIONS = ("serial", "no-spurious", "signal-nobody", "unlock-late", "torn-add", "no-race-of-reads", "join-at-once")


@dataclass
class Program:
    plain: list  # the first values of the variables p0, p1, …
    atomic: list  # of a0, a1, …
    mutexes: int
    conditions: int
    threads: list  # bodies
    before: list  # of main, before it makes the threads
    between: list
    after: list
    joined: list  # numbers of threads, and statements between the joins
    has_sections: bool = False


# Statements; V is a shared variable ("p", k) or ("a", k), T a local, E an expression over locals:
# ("load", T, V, is_atomic), ("store", V, E, is_atomic), ("set", T, E), ("rmw", op, V, E, T), ("cas", V, T, E, T),
# ("lock", m), ("unlock", m), ("trylock", m, T), ("wait", c, m), ("signal", c), ("broadcast", c), ("if", E, [..], [..]),
# ("repeat", n, [..]), ("while", V, value, [..]), ("assert", E), ("assume", E), ("input", T, mask), ("section", [..]), ("return",).
# Expressions: ("number", n), ("local", T), ("op", word, E, E), ("not", E).


class Generator:
    def __init__(self, seed):
        self.draw = random.Random(seed)

    def program(self):
        draw = self.draw
        count = draw.choice([2, 2, 2, 3])
        self.plain, self.atomic = draw.randint(0, 2), draw.randint(0, 2)
        if self.plain + self.atomic == 0:
            self.plain = 1
        self.mutexes = draw.choice([0, 1, 1, 2])
        self.conditions = draw.choice([0, 1]) if self.mutexes else 0
        self.has_sections = draw.random() < 0.12
        self.inputs = 2
        self.size = {2: draw.randint(2, 6), 3: draw.randint(1, 3)}[count]
        # Programs without races are rare among those that take no care.
        self.is_careful = self.mutexes > 0 and draw.random() < 0.5
        threads = [self.body() for _ in range(count)]
        if draw.random() < 0.3:
            threads[-1] = threads[0]
        if self.conditions and draw.random() < 0.6:
            self.add_handshake(threads)
        before = [("input", 0, draw.choice([1, 3, 7])), ("store", self.variable(), self.expression(1), False)] if draw.random() < 0.3 else []
        between = self.block(1, [], draw.randint(1, 2)) if draw.random() < 0.3 else []
        joined = [k for k in range(count) if draw.random() < 0.85]
        if draw.random() < 0.3:
            draw.shuffle(joined)
        if draw.random() < 0.2:
            joined[1:1] = [("load", 0, self.variable(), False), ("assert", self.condition())]
        seen = [self.variable() for _ in range(draw.randint(1, 2))]
        after = [*(("load", t, v, False) for t, v in enumerate(seen)), ("assert", self.condition())]
        return Program([draw.randrange(4) for _ in range(self.plain)], [draw.randrange(4) for _ in range(self.atomic)], self.mutexes,
                       self.conditions, threads, before, between, after, joined, self.has_sections)

    def add_handshake(self, threads):
        """One thread waits for what another one sets."""
        draw = self.draw
        v, old = self.variable(), draw.randrange(3)
        waiting = [("lock", 0), ("while", v, old, [("wait", 0, 0)]), *self.block(0, [0], 1), ("unlock", 0)]
        setting = [("lock", 0), ("store", v, ("number", old + draw.randint(0, 2)), False), (draw.choice(["signal", "signal", "broadcast"]), 0), ("unlock", 0)]
        threads[0] = draw.choice([waiting + threads[0][:2], waiting])
        threads[1] = draw.choice([setting + threads[1][:2], setting])

    def last_assertion(self, finals):
        """Of the locals that main has loaded at its end: not these values, which some run has or, as often, none."""
        draw, count = self.draw, len(next(iter(finals)))
        missing = [values for values in itertools.product(range(8), repeat=count) if values not in finals]
        values = draw.choice(missing) if missing and draw.random() < 0.6 else draw.choice(sorted(finals))
        equal = [("op", "==", ("local", t), ("number", n)) for t, n in enumerate(values)]
        return ("assert", ("not", equal[0] if count == 1 else ("op", "&&", *equal)))

    def variable(self):
        k = self.draw.randrange(self.plain + self.atomic)
        return ("p", k) if k < self.plain else ("a", k - self.plain)

    def body(self):
        body = self.block(2, [], self.size)
        if self.is_careful and self.draw.random() < 0.8:
            return [("lock", 0), *self.block(1, [0], self.size), ("unlock", 0)]
        return body

    def block(self, depth, held, count):
        found = []
        for _ in range(count):
            found += self.statement(depth, held)
        return found

    def expression(self, depth):
        draw = self.draw
        if depth == 0 or draw.random() < 0.4:
            return ("local", draw.randrange(LOCALS)) if draw.random() < 0.6 else ("number", draw.randrange(8))
        return ("op", draw.choice("+-&|^"), self.expression(depth - 1), self.expression(depth - 1))

    def condition(self):
        draw = self.draw
        left = self.expression(1)
        return ("op", draw.choice(["==", "!=", "!=", "<", "<="]), left, ("number", draw.randrange(8)) if draw.random() < 0.7 else self.expression(0))

    def statement(self, depth, held):
        draw = self.draw
        kind = draw.random()
        local = draw.randrange(LOCALS)
        if kind < 0.2:
            v = self.variable()
            return [("load", local, v, draw.random() < 0.3)]
        if kind < 0.36:
            return [("store", self.variable(), self.expression(1), draw.random() < 0.3)]
        if kind < 0.44:  # an update that can be lost
            v = self.variable()
            return [("load", local, v, False), ("store", v, ("op", "+", ("local", local), ("number", draw.randint(1, 3))), False)]
        if kind < 0.52:
            v = self.variable()
            if draw.random() < 0.7:
                return [("rmw", draw.choice(["add", "add", "add", "sub", "or", "and", "xor", "exchange"]), v, self.expression(0), local)]
            return [("cas", v, draw.randrange(LOCALS), self.expression(0), local)]
        if kind < 0.57:
            return [("set", local, self.expression(2))]
        if kind < 0.62 and self.inputs > 0:
            self.inputs -= 1
            return [("input", local, draw.choice([1, 3, 7]))]
        if kind < 0.68:
            return [("load", local, self.variable(), False), ("assert", self.condition())]
        if kind < 0.70:
            return [("assume", self.condition())]
        if depth > 0 and kind < 0.86 and self.mutexes:
            m = draw.randrange(self.mutexes)
            if m in held and draw.random() < 0.9:
                return [("load", local, self.variable(), False)]
            if draw.random() < 0.2 and m not in held:
                return [("trylock", m, local), ("if", ("op", "==", ("local", local), ("number", 0)),
                                                [*self.block(depth - 1, held + [m], draw.randint(1, 2)), ("unlock", m)],
                                                self.block(depth - 1, held, 1) if draw.random() < 0.3 else [])]
            inner = self.block(depth - 1, held + [m], draw.randint(1, 3))
            if self.conditions and draw.random() < 0.5:
                inner.insert(draw.randint(0, len(inner)), self.waiting(m))
            if draw.random() < 0.05:
                inner.append(("if", self.condition(), [("return",)], []))
            return [("lock", m), *inner, ("unlock", m)]
        if self.conditions and kind < 0.9:
            return [(draw.choice(["signal", "broadcast"]), 0)]
        if depth > 0 and kind < 0.94:
            return [("if", self.condition(), self.block(depth - 1, held, draw.randint(1, 2)), self.block(depth - 1, held, 1) if draw.random() < 0.4 else [])]
        if depth > 0 and kind < 0.97:
            return [("repeat", draw.randint(2, 3), self.block(depth - 1, held, draw.randint(1, 2)))]
        if self.has_sections and depth > 0:
            body = [s for s in self.block(0, held, draw.randint(1, 2)) if s[0] in ("load", "store", "set", "rmw", "cas")]
            return [("section", body)]
        if self.atomic:
            return [("while", ("a", draw.randrange(self.atomic)), draw.randrange(4), [])]
        return [("load", local, self.variable(), False)]

    def waiting(self, m):
        """Mostly as it should be, in a loop around a look at a variable."""
        if self.draw.random() < 0.25:
            return ("wait", 0, m)
        return ("while", self.variable(), self.draw.randrange(3), [("wait", 0, m)])


class Printer:
    """A program as C. With `unrelated`, a random generator, threads also compute what no assertion depends on."""

    def __init__(self, program, unrelated=None):
        self.program, self.unrelated = program, unrelated

    def name(self, v):
        return f"{v[0]}{v[1]}"

    def expression(self, e):
        if e[0] == "number":
            return str(e[1])
        if e[0] == "local":
            return f"t{e[1]}"
        if e[0] == "not":
            return f"!{self.expression(e[1])}"
        return f"({self.expression(e[2])} {e[1]} {self.expression(e[3])})"

    def block(self, body, indent):
        return "".join("  " * indent + line + "\n" for s in body for line in [*self.statement(s), *self.unrelated_statement()])

    def unrelated_statement(self):
        draw = self.unrelated
        if draw is None or draw.random() < 0.6:
            return []
        t, u = draw.randrange(LOCALS), draw.randrange(LOCALS)
        return [draw.choice([f"u0 = t{t};", f"u1 = u0 + t{t};", f"if (t{t} > {draw.randrange(8)}) u1 = t{u};", f"if (u0 & 1) u1 = u0; else {{ u0 = t{t}; if (u1 > 2) u1 = 0; }}",
                             f"if (t{t} == t{u} || u1 < t{t}) u0 = {draw.randrange(8)};"])]

    def braces(self, head, body):
        return [head + " {", *("  " + line for s in body for line in self.statement(s)), "}"]

    def statement(self, s):
        word = s[0]
        if word == "load":
            v = self.name(s[2])
            return [f"t{s[1]} = " + (f"__atomic_load_n(&{v}, __ATOMIC_SEQ_CST);" if s[3] and s[2][0] == "p" else f"{v};")]
        if word == "store":
            v, e = self.name(s[1]), f"(unsigned char)({self.expression(s[2])} & 7)"
            return [f"__atomic_store_n(&{v}, {e}, __ATOMIC_SEQ_CST);" if s[3] and s[1][0] == "p" else f"{v} = {e};"]
        if word == "set":
            return [f"t{s[1]} = (unsigned char)({self.expression(s[2])} & 7);"]
        if word == "rmw":
            v, e = self.name(s[2]), f"(unsigned char)({self.expression(s[3])} & 7)"
            function = "exchange" if s[1] == "exchange" else f"fetch_{s[1]}"
            if s[2][0] == "a":
                return [f"t{s[4]} = atomic_{function}(&{v}, {e});"]
            return [f"t{s[4]} = __atomic_{function}{'_n' if s[1] == 'exchange' else ''}(&{v}, {e}, __ATOMIC_SEQ_CST);"]
        if word == "cas":
            v, wanted = self.name(s[1]), f"(unsigned char)({self.expression(s[3])} & 7)"
            call = (f"atomic_compare_exchange_strong(&{v}, &e, {wanted})" if s[1][0] == "a" else
                    f"__atomic_compare_exchange_n(&{v}, &e, {wanted}, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)")
            return [f"e = t{s[2]};", f"t{s[4]} = {call};"]
        if word in ("lock", "unlock"):
            return [f"pthread_mutex_{word}(&m{s[1]});"]
        if word == "trylock":
            return [f"t{s[2]} = pthread_mutex_trylock(&m{s[1]}) != 0;"]
        if word == "wait":
            return [f"pthread_cond_wait(&c{s[1]}, &m{s[2]});"]
        if word in ("signal", "broadcast"):
            return [f"pthread_cond_{word}(&c{s[1]});"]
        if word == "if":
            lines = self.braces(f"if ({self.expression(s[1])})", s[2])
            return lines[:-1] + self.braces("} else", s[3]) if s[3] else lines
        if word == "repeat":
            return self.braces(f"for (int k = 0; k < {s[1]}; k++)", s[2])
        if word == "while":
            return self.braces(f"while ({self.name(s[1])} == {s[2]})", s[3])
        if word == "assert":
            return [f"assert({self.expression(s[1])});"]
        if word == "assume":
            return [f"__VERIFIER_assume({self.expression(s[1])});"]
        if word == "input":
            return [f"t{s[1]} = __VERIFIER_nondet_uchar() & {s[2]};"]
        if word == "section":
            return ["__VERIFIER_atomic_begin();", *(line for inner in s[1] for line in self.statement(inner)), "__VERIFIER_atomic_end();"]
        return ["goto out;"]

    def function(self, head, body, tail):
        locals = "  unsigned char " + ", ".join(f"t{k} = 0" for k in range(LOCALS)) + ", e = 0;\n  (void)e;\n"
        return f"{head} {{\n{locals}{body}  goto out;\nout:\n{tail}}}\n"

    def text(self):
        p = self.program
        lines = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "extern unsigned char __VERIFIER_nondet_uchar(void);", "extern void __VERIFIER_assume(int);",
                 "extern void __VERIFIER_atomic_begin(void);", "extern void __VERIFIER_atomic_end(void);"]
        lines += [f"unsigned char p{k} = {n};" for k, n in enumerate(p.plain)] + [f"_Atomic unsigned char a{k} = {n};" for k, n in enumerate(p.atomic)]
        lines += ["unsigned char u0, u1;"] if self.unrelated else []
        lines += [f"pthread_mutex_t m{k} = PTHREAD_MUTEX_INITIALIZER;" for k in range(p.mutexes)]
        lines += [f"pthread_cond_t c{k} = PTHREAD_COND_INITIALIZER;" for k in range(p.conditions)]
        text = "\n".join(lines) + "\n\n"
        function = [p.threads.index(body) for body in p.threads]  # threads that do the same are of one function
        for k, body in enumerate(p.threads):
            if function[k] != k:
                continue
            text += self.function(f"static void *thread{k}(void *unused)", "  (void)unused;\n" + self.block(body, 1), "  return 0;\n") + "\n"
        creates = "".join(f"  pthread_create(&id{k}, 0, thread{function[k]}, 0);\n" for k in range(len(p.threads)))
        joins = "".join(self.block([k], 1) if isinstance(k, tuple) else f"  pthread_join(id{k}, 0);\n" for k in p.joined)
        ids = "  pthread_t " + ", ".join(f"id{k}" for k in range(len(p.threads))) + ";\n"
        return text + self.function("int main(void)", ids + self.block(p.before, 1) + creates + self.block(p.between, 1) + joins + self.block(p.after, 1),
                                    "  return 0;\n")


class TooLarge(Exception):
    """More states than are worth it."""


class Oracle:
    """All runs of a program: `fails`, `deadlocks` and `races`. `mutation` makes it wrong on purpose."""

    def __init__(self, program, most_states=40000, mutation=None):
        self.program, self.mutation = program, mutation
        main = [*program.before, *(("create", k + 1) for k in range(len(program.threads))), *program.between,
                *(k if isinstance(k, tuple) else ("join", k + 1) for k in program.joined), *program.after]
        self.codes = [self.flat(body) for body in [main, *program.threads]]
        self.fails = self.deadlocks = self.races = False
        self.finals = set()  # values of main's locals where it ends
        self.explore(most_states)

    # --- Steps: simple statements, ("branch", E, else to), ("branch-load", V, value, else to), ("goto", to), ("loop", counter, n, out),
    # ("end",). Counters of loops are further locals.

    def flat(self, body):
        code, loops = [], [0]
        self.lower(body, code, loops)
        code.append(("end",))
        end = len(code) - 1
        return [("goto", end) if s == ("return",) else s for s in code], loops[0]

    def lower(self, body, code, loops):
        for s in body:
            if s[0] == "if":
                at = len(code)
                code.append(None)
                self.lower(s[2], code, loops)
                if s[3]:
                    out = len(code)
                    code.append(None)
                    code[at] = ("branch", s[1], len(code))
                    self.lower(s[3], code, loops)
                    code[out] = ("goto", len(code))
                else:
                    code[at] = ("branch", s[1], len(code))
            elif s[0] == "repeat":
                counter = LOCALS + loops[0]
                loops[0] += 1
                code.append(("zero", counter))
                at = len(code)
                code.append(None)
                self.lower(s[2], code, loops)
                code.append(("goto", at))
                code[at] = ("loop", counter, s[1], len(code))
            elif s[0] == "while":
                at = len(code)
                code.append(None)
                self.lower(s[3], code, loops)
                code.append(("goto", at))
                code[at] = ("branch-load", s[1], s[2], len(code))
            else:
                code.append(s)

    def value(self, e, locals):
        if e[0] == "number":
            return e[1]
        if e[0] == "local":
            return locals[e[1]]
        if e[0] == "not":
            return int(not self.value(e[1], locals))
        a, b = self.value(e[2], locals), self.value(e[3], locals)
        return {"+": lambda: a + b, "-": lambda: a - b, "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b, "==": lambda: int(a == b),
                "!=": lambda: int(a != b), "<": lambda: int(a < b), "<=": lambda: int(a <= b),
                "&&": lambda: int(bool(a and b))}[e[1]]()

    def place(self, v):
        return v[1] if v[0] == "p" else len(self.program.plain) + v[1]

    # A state: values of shared variables, owners of mutexes (-1: nobody), threads as (step, locals, mode).

    def settled(self, state):
        """Threads that were just moved do what no other can see; inputs give several states."""
        pending, found = [state], []
        while pending:
            shared, owners, threads = pending.pop()
            for t, (at, locals, mode) in enumerate(threads):
                step = self.codes[t][0][at]
                if mode != RUNNING:
                    continue
                word = step[0]
                if word == "input":
                    for n in range(step[2] + 1):
                        pending.append((shared, owners, self.moved(threads, t, at + 1, self.with_local(locals, step[1], n))))
                    break
                if word == "set":
                    locals, at = self.with_local(locals, step[1], self.value(step[2], locals) & 7), at + 1
                elif word == "zero":
                    locals, at = self.with_local(locals, step[1], 0), at + 1
                elif word == "goto":
                    at = step[1]
                elif word == "branch":
                    at = at + 1 if self.value(step[1], locals) else step[2]
                elif word == "loop":
                    if locals[step[1]] < step[2]:
                        locals, at = self.with_local(locals, step[1], locals[step[1]] + 1), at + 1
                    else:
                        at = step[3]
                elif word in ("assert", "assume") and self.value(step[1], locals):
                    at += 1
                else:
                    continue
                pending.append((shared, owners, self.moved(threads, t, at, locals)))
                break
            else:
                found.append((shared, owners, threads))
        return found

    @staticmethod
    def with_local(locals, k, n):
        return locals[:k] + (n,) + locals[k + 1:]

    @staticmethod
    def moved(threads, t, at, locals, mode=RUNNING):
        return threads[:t] + ((at, locals, mode),) + threads[t + 1:]

    def can_go(self, state, t):
        _, owners, threads = state
        at, _, mode = threads[t]
        step = self.codes[t][0][at]
        if mode == WOKEN:
            return owners[step[2]] < 0
        if mode != RUNNING:
            return False
        if step[0] == "lock":
            return owners[step[1]] < 0
        if step[0] == "join":
            return threads[step[1]][2] == ENDED or self.mutation == "join-at-once"
        return True

    def access(self, state, t):
        """(variable, writes, is atomic) of its next step; nothing for others."""
        at, _, mode = state[2][t]
        step = self.codes[t][0][at]
        if mode != RUNNING:
            return None
        if step[0] == "load":
            return self.place(step[2]), False, step[3] or step[2][0] == "a"
        if step[0] == "store":
            return self.place(step[1]), True, step[3] or step[1][0] == "a"
        if step[0] == "branch-load":
            return self.place(step[1]), False, step[1][0] == "a"
        if step[0] == "rmw":
            return self.place(step[2]), True, True
        if step[0] == "cas":  # one that fails has only read
            place = self.place(step[1])
            return place, state[0][place] == state[2][t][1][step[2]], True
        return None

    def look_for_race(self, state):
        all = [a for a in (self.access(state, t) for t in range(len(state[2]))) if a]
        for k, one in enumerate(all):
            for two in all[k + 1:]:
                if one[0] == two[0] and (one[1] or two[1]) and not (one[2] and two[2]):
                    if self.mutation == "no-race-of-reads" and not (one[1] and two[1]):
                        continue
                    self.races = True

    def steps(self, state, t):
        """States behind the thread's next step; it can go."""
        shared, owners, threads = state
        at, locals, mode = threads[t]
        step = self.codes[t][0][at]
        word = step[0]
        if mode == WOKEN:
            return [(shared, self.changed(owners, step[2], t), self.moved(threads, t, at + 1, locals))]
        if word == "assert":
            self.fails = True
            return []
        if word == "assume":
            return []
        if word == "end":
            if t == 0:
                self.finals.add(locals[:LOCALS])
            return [] if t == 0 else [(shared, owners, self.moved(threads, t, at, locals, ENDED))]
        if word == "section":
            for inner in step[1]:
                if inner[0] == "set":
                    locals = self.with_local(locals, inner[1], self.value(inner[2], locals) & 7)
                else:
                    shared, locals, _ = self.accessed(inner, shared, locals)
            return [(shared, owners, self.moved(threads, t, at + 1, locals))]
        if word in ("load", "store", "rmw", "cas", "branch-load"):
            shared, locals, is_equal = self.accessed(step, shared, locals)
            return [(shared, owners, self.moved(threads, t, at + 1 if is_equal else step[3], locals))]
        if word == "lock":
            return [(shared, self.changed(owners, step[1], t), self.moved(threads, t, at + 1, locals))]
        if word == "unlock":
            if self.mutation == "unlock-late" and at + 1 < len(self.codes[t][0]) - 1:
                return [(shared, owners, self.moved(threads, t, at + 1, locals))]
            return [(shared, self.changed(owners, step[1], -1), self.moved(threads, t, at + 1, locals))]
        if word == "trylock":
            is_free = owners[step[1]] < 0
            return [(shared, self.changed(owners, step[1], t) if is_free else owners,
                     self.moved(threads, t, at + 1, self.with_local(locals, step[2], int(not is_free))))]
        if word == "wait":
            return [(shared, self.changed(owners, step[2], -1), self.moved(threads, t, at, locals, WAITING))]
        if word in ("signal", "broadcast"):
            return self.woken((shared, owners, self.moved(threads, t, at + 1, locals)), step[1], word == "broadcast")
        if word == "create":
            after = self.moved(threads, t, at + 1, locals)
            return [(shared, owners, self.moved(after, step[1], 0, after[step[1]][1]))]
        return [(shared, owners, self.moved(threads, t, at + 1, locals))]  # a join

    @staticmethod
    def changed(items, k, n):
        return items[:k] + (n,) + items[k + 1:]

    def woken(self, state, condition, is_all):
        shared, owners, threads = state
        waiting = [t for t, (at, _, mode) in enumerate(threads) if mode == WAITING and self.codes[t][0][at][1] == condition]
        if not waiting or self.mutation == "signal-nobody":
            return [state]
        found = []
        for chosen in [waiting] if is_all else [[t] for t in waiting]:
            after = threads
            for t in chosen:
                after = self.moved(after, t, after[t][0], after[t][1], WOKEN)
            found.append((shared, owners, after))
        return found

    def accessed(self, step, shared, locals):
        word = step[0]
        if word == "load":
            return shared, self.with_local(locals, step[1], shared[self.place(step[2])]), True
        if word == "store":
            return self.changed(shared, self.place(step[1]), self.value(step[2], locals) & 7), locals, True
        if word == "branch-load":
            return shared, locals, shared[self.place(step[1])] == step[2]
        if word == "rmw":
            k, n = self.place(step[2]), self.value(step[3], locals) & 7
            old = shared[k]
            new = {"add": old + n, "sub": old - n, "or": old | n, "and": old & n, "xor": old ^ n, "exchange": n}[step[1]] & 255
            if self.mutation == "torn-add" and step[1] == "add":
                new = old
            return self.changed(shared, k, new), self.with_local(locals, step[4], old), True
        k = self.place(step[1])
        is_equal = shared[k] == locals[step[2]]
        if is_equal:
            shared = self.changed(shared, k, self.value(step[3], locals) & 7)
        return shared, self.with_local(locals, step[4], int(is_equal)), True

    def explore(self, most_states):
        p = self.program
        threads = tuple((0, (0,) * (LOCALS + loops), UNBORN if t else RUNNING) for t, (_, loops) in enumerate(self.codes))
        pending = self.settled(((*p.plain, *p.atomic), (-1,) * p.mutexes, threads))
        seen = set(pending)
        while pending:
            state = pending.pop()
            self.look_for_race(state)
            able = [t for t in range(len(threads)) if self.can_go(state, t)]
            alive = [t for t in range(len(threads)) if state[2][t][2] not in (ENDED, UNBORN)]
            if not able and alive:
                self.deadlocks = True
            after = []
            for t in able[:1] if self.mutation == "serial" else able:
                after += self.steps(state, t)
            if self.mutation != "no-spurious":
                for t, (at, locals, mode) in enumerate(state[2]):
                    if mode == WAITING:
                        after.append((state[0], state[1], self.moved(state[2], t, at, locals, WOKEN)))
            for each in after:
                for next in self.settled(each):
                    if next not in seen:
                        seen.add(next)
                        pending.append(next)
            if len(seen) > most_states:
                raise TooLarge
        self.states = len(seen)


def random_program(seed):
    """A program, and the oracle that has run it."""
    for attempt in range(1000):
        generator = Generator(f"{seed}/{attempt}")
        program = generator.program()
        try:
            loaded = sum(s[0] == "load" for s in program.after)
            program.after[-1] = ("assert", ("number", 1))
            if finals := {values[:loaded] for values in Oracle(program).finals}:
                program.after[-1] = generator.last_assertion(finals)
            return program, Oracle(program)
        except TooLarge:
            continue
    raise RuntimeError("no program is small enough")
