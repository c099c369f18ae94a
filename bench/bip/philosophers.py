#!/usr/bin/env python3
"""Writes a BIP model of N dining philosophers.

    philosophers.py N [--left-handed]

Each takes the fork to the right and then the one to the left, and all may end up with one fork each. With --left-handed the
last one begins with the other fork, which rules that out."""
import argparse

HEAD = """// {number} philosophers around a table with a fork between any two of them. Each takes one fork, then the other, eats and puts
// both down. {story}:
//   plumb bip {file} --deadlock{props}
package dining
  port type Sync()

  atom type Philosopher()
    export port Sync first()
    export port Sync second()
    export port Sync release()
    place THINKING, HUNGRY, EATING
    initial to THINKING
    on first from THINKING to HUNGRY
    on second from HUNGRY to EATING
    on release from EATING to THINKING
  end

  atom type Fork()
    export port Sync take()
    export port Sync drop()
    place LYING, TAKEN
    initial to LYING
    on take from LYING to TAKEN
    on drop from TAKEN to LYING
  end

  connector type Take(Sync philosopher, Sync fork)
    define philosopher fork
  end

  connector type Drop(Sync philosopher, Sync right, Sync left)
    define philosopher right left
  end
"""


def model(number, is_left_handed, file="FILE.bip", props=""):
    if is_left_handed:
        story = "The last one begins\n// with the left fork, the others with the right one, and nobody has to wait for ever"
    else:
        story = "All may have taken\n// one fork and wait for the other: a deadlock"
    lines = [HEAD.format(number=number, story=story, file=file, props=props), "  compound type Table()"]
    for i in range(1, number + 1):
        lines += [f"    component Philosopher p{i}()", f"    component Fork f{i}()"]
    for i in range(1, number + 1):
        right, left = i, i % number + 1
        first, second = (left, right) if is_left_handed and i == number else (right, left)
        lines += [f"    connector Take first{i}(p{i}.first, f{first}.take)",
                  f"    connector Take second{i}(p{i}.second, f{second}.take)",
                  f"    connector Drop release{i}(p{i}.release, f{right}.drop, f{left}.drop)"]
    return "\n".join([*lines, "  end", "end", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int)
    parser.add_argument("--left-handed", action="store_true")
    options = parser.parse_args()
    if options.number < 2:
        parser.error("at least two philosophers are needed")
    print(model(options.number, options.left_handed), end="")


if __name__ == "__main__":
    main()
