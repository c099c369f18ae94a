#!/usr/bin/env python3
"""Writes the tasks of this folder: processes of a hardware description under a scheduler with phases, as a SystemC model becomes when
it is made one C program. Each process has a place where it goes on and a status; the scheduler runs those that are ready in any order,
then passes on what was notified, and ends when nobody is ready."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
HEAD = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }

enum { RUNNABLE, WAITING, ENDED };
enum { QUIET, NOTIFIED };
"""


def scheduler(processes, events, wakes):
    """`wakes`: pairs of event and process."""
    lines = ["static void wake(void) {"]
    for event, process in wakes:
        lines.append(f"  if ({event} == NOTIFIED && {process}_status == WAITING) {process}_status = RUNNABLE;")
    lines += [f"  {event} = QUIET;" for event in events] + ["}", "", "static int is_someone_ready(void) {",
              "  return " + " || ".join(f"{p}_status == RUNNABLE" for p in processes) + ";", "}", "", "static void run(void) {", "  for (;;) {",
              "    while (is_someone_ready()) { /* evaluate */"]
    for p in processes:
        lines.append(f"      if ({p}_status == RUNNABLE && __VERIFIER_nondet_int()) {p}();")
    lines += ["    }", "    wake(); /* what was notified for the next round */", "    if (!is_someone_ready()) return;", "  }", "}"]
    return "\n".join(lines) + "\n"


def declarations(processes, events):
    return "".join(f"static int {p}_place, {p}_status = RUNNABLE;\n" for p in processes) + "".join(f"static int {e} = QUIET;\n" for e in events)


def token_ring(count, is_safe):
    """A token goes from the master through all transmitters and is one higher behind each."""
    processes = ["master"] + [f"transmitter{k}" for k in range(1, count + 1)]
    events = [f"event{k}" for k in range(count + 1)]
    text = f"// A token comes back to its master {count} higher, one for each transmitter" + ("." if is_safe else "; the last one adds one more if its number is odd.")
    text += "\n" + ("" if is_safe else "// Fails with: ?\n") + HEAD + declarations(processes, events) + "static int token, local, rounds;\n\n"
    for k in range(1, count + 1):
        addition = "token = token + 1;" if is_safe or k < count else "token = token + 1 + (token & 1 ? 1 : 0);"
        text += (f"static void transmitter{k}(void) {{\n  if (transmitter{k}_place == 1) {{\n    {addition}\n    event{(k + 1) % (count + 1)} = NOTIFIED;\n  }}\n"
                 f"  transmitter{k}_place = 1;\n  transmitter{k}_status = WAITING;\n}}\n\n")
    text += (f"static void master(void) {{\n  if (master_place == 1) {{\n    if (token != local + {count}) reach_error();\n    if (++rounds == 2) {{\n      master_status = ENDED;\n      return;\n    }}\n  }}\n"
             "  token = __VERIFIER_nondet_uchar();\n  local = token;\n  event1 = NOTIFIED;\n  master_place = 1;\n  master_status = WAITING;\n}\n\n")
    wakes = [("event0", "master")] + [(f"event{k}", f"transmitter{k}") for k in range(1, count + 1)]
    return text + scheduler(processes, events, wakes) + "\nint main(void) {\n  run();\n  return 0;\n}\n"


def fifo(is_safe):
    """A producer and a consumer with one place."""
    return ("// What the producer writes the consumer reads, through one place" + (".\n" if is_safe else "; the producer does not wait until it is free.\n// Fails with: ?\n") + HEAD +
            declarations(["producer", "consumer"], ["written", "fetched"]) + """static int place, is_full, sent, received;
static unsigned char last_sent, last_received;

static void producer(void) {
""" + ("""  if (is_full) {
    producer_status = WAITING;
    return;
  }
""" if is_safe else "") + """  last_sent = __VERIFIER_nondet_uchar();
  place = last_sent;
  is_full = 1;
  written = NOTIFIED;
  producer_status = ++sent == 3 ? ENDED : WAITING;
}

static void consumer(void) {
  if (!is_full) {
    consumer_status = WAITING;
    return;
  }
  last_received = (unsigned char)place;
  is_full = 0;
  received++;
  fetched = NOTIFIED;
  if (last_received != last_sent || received != sent) reach_error();
  consumer_status = WAITING;
}

""" + scheduler(["producer", "consumer"], ["written", "fetched"], [("written", "consumer"), ("fetched", "producer")] + ([] if is_safe else [("written", "producer")])) +
            "\nint main(void) {\n  run();\n  return 0;\n}\n")


def memory_slave(is_safe):
    """A bus master writes and reads back through a slave."""
    bound = "address < 4" if is_safe else "address <= 4"
    return ("// A bus master writes to a memory and reads back; addresses outside are answered with an error" + (".\n" if is_safe else ", all but one.\n// Fails with: ?\n") + HEAD +
            declarations(["master", "slave"], ["request", "reply"]) + f"""static unsigned char memory[8], address, data, is_write, is_error, written;

static void slave(void) {{
  if (slave_place == 1) {{
    is_error = 1;
    if ({bound}) {{
      is_error = 0;
      if (is_write) memory[address] = data;
      else data = memory[address];
    }}
    reply = NOTIFIED;
  }}
  slave_place = 1;
  slave_status = WAITING;
}}

static void master(void) {{
  if (master_place == 0) {{
    address = __VERIFIER_nondet_uchar() & 7;
    written = data = __VERIFIER_nondet_uchar();
    is_write = 1;
    request = NOTIFIED;
    master_place = 1;
  }} else if (master_place == 1) {{
    if (is_error != (address >= 4)) reach_error();
    is_write = 0;
    data = 0;
    request = NOTIFIED;
    master_place = 2;
  }} else {{
    if (!is_error && data != written) reach_error();
    master_status = ENDED;
    return;
  }}
  master_status = WAITING;
}}

""" + scheduler(["master", "slave"], ["request", "reply"], [("request", "slave"), ("reply", "master")]) + "\nint main(void) {\n  run();\n  return 0;\n}\n")


def arbiter(count, is_safe):
    """Clients ask for a bus that one of them at most has."""
    clients = [f"client{k}" for k in range(count)]
    text = f"// An arbiter gives a bus to one of {count} clients at a time" + (".\n" if is_safe else "; it forgets the last one.\n// Fails with: ?\n") + HEAD
    text += declarations([*clients, "arbiter"], ["asked", "granted", "freed"]) + f"static int asks[{count}], has[{count}], owner = -1, users;\n\n"
    for k in range(count):
        text += f"""static void client{k}(void) {{
  if (client{k}_place == 0) {{
    asks[{k}] = __VERIFIER_nondet_int() != 0;
    asked = NOTIFIED;
    client{k}_place = asks[{k}] ? 1 : 0;
  }} else if (client{k}_place == 1) {{
    if (has[{k}]) {{
      users++;
      if (users > 1) reach_error();
      client{k}_place = 2;
    }}
  }} else {{
    users--;
    has[{k}] = 0;
    asks[{k}] = 0;
    freed = NOTIFIED;
    client{k}_status = ENDED;
    return;
  }}
  granted = NOTIFIED;
  client{k}_status = WAITING;
}}

"""
    taken = [k for k in range(count) if is_safe or k < count - 1]
    text += "static void arbiter(void) {\n  if (" + " && ".join(f"!has[{k}]" for k in taken) + ") {\n"
    for k in range(count):
        text += f"    {'' if k == 0 else 'else '}if (asks[{k}] && !has[{k}]) has[{k}] = 1;\n"
    text += "  }\n  granted = NOTIFIED;\n  arbiter_status = WAITING;\n}\n\n"
    wakes = [("asked", "arbiter"), ("freed", "arbiter")] + [("granted", c) for c in clients]
    return text + scheduler([*clients, "arbiter"], ["asked", "granted", "freed"], wakes) + "\nint main(void) {\n  run();\n  return 0;\n}\n"


def definition(name, is_safe):
    return (f"format_version: '2.0'\n\ninput_files: '{name}.c'\n\nproperties:\n  - property_file: ../properties/unreach-call.prp\n"
            f"    expected_verdict: {'true' if is_safe else 'false'}\n\noptions:\n  language: C\n  data_model: ILP32\n")


def main():
    programs = {f"token_ring_{n}": (lambda is_safe, n=n: token_ring(n, is_safe)) for n in (1, 2, 3, 4, 5)}
    programs |= {"fifo": fifo, "memory_slave": memory_slave} | {f"arbiter_{n}": (lambda is_safe, n=n: arbiter(n, is_safe)) for n in (2, 3)}
    for base, write in programs.items():
        for is_safe in (True, False):
            name = f"{base}_{'safe' if is_safe else 'unsafe'}"
            path, text = HERE / f"{name}.c", write(is_safe)
            if path.exists() and not is_safe:  # inputs that were found stay
                text = text.replace("// Fails with: ?", next(line for line in path.read_text().split("\n") if line.startswith("// Fails with:")))
            path.write_text(text)
            (HERE / f"{name}.yml").write_text(definition(name, is_safe))


main()
