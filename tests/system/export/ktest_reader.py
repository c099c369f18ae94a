"""A reader of KLEE's .ktest files, written from the description of the format: the letters KTEST (or BOUT and a newline),
then numbers of 32 bits, big end first: the version, the number of arguments and each with its length, from version 2 on
two numbers of symbolic arguments, the number of objects and each with the lengths of its name and its bytes.

    python3 ktest_reader.py FILE…
"""
import struct
import sys


class Damaged(ValueError):
    pass


class Reader:
    def __init__(self, content):
        self.content = content
        self.at = 0

    def bytes(self, size):
        piece = self.content[self.at:self.at + size]
        if len(piece) != size:
            raise Damaged(f"{size} bytes expected at {self.at}, {len(piece)} there")
        self.at += size
        return piece

    def number(self):
        return struct.unpack(">I", self.bytes(4))[0]

    def text(self):
        """KLEE reads a text of no bytes as the end of the file."""
        size = self.number()
        if size == 0:
            raise Damaged(f"an empty text at {self.at}")
        return self.bytes(size)


def read(path):
    """Version, arguments, and objects as pairs of name and bytes."""
    with open(path, "rb") as file:
        reader = Reader(file.read())
    if reader.bytes(5) not in (b"KTEST", b"BOUT\n"):
        raise Damaged("not a .ktest file")
    version = reader.number()
    if version > 3:
        raise Damaged(f"version {version}")
    arguments = [reader.text() for _ in range(reader.number())]
    if version >= 2:
        reader.number()
        reader.number()
    objects = [(reader.text().decode(), reader.text()) for _ in range(reader.number())]
    if reader.at != len(reader.content):
        raise Damaged(f"{len(reader.content) - reader.at} bytes too many")
    return version, arguments, objects


def environment(path):
    """What KLEE's POSIX runtime makes of a file: the arguments, standard input, the files A, B, …, and the objects that are
    left for the program itself. It asks for each object by its size, in a fixed order."""
    _, words, objects = read(path)
    words = [word.decode() for word in words[1:]]
    arguments, files, stdin_size, file_count, file_size = [], {}, 0, 0, 0
    position = 0

    def take(size):
        nonlocal position
        name, content = objects[position]
        if len(content) != size:
            raise Damaged(f"{name} has {len(content)} bytes, {size} were asked for")
        position += 1
        return content

    while words:
        word = words.pop(0)
        if word == "-sym-arg":
            content = take(int(words.pop(0)) + 1)
            arguments.append(content[:content.index(0)])
        elif word == "-sym-files":
            file_count, file_size = int(words.pop(0)), int(words.pop(0))
        elif word == "-sym-stdin":
            stdin_size = int(words.pop(0))
        else:
            arguments.append(word.encode())
    for i in range(file_count):
        files[chr(ord("A") + i)] = take(file_size)
        check_status(take(144))
    stdin = take(stdin_size) if stdin_size else None
    if stdin_size:
        check_status(take(144))
    if take(4) != struct.pack("<i", 1):
        raise Damaged("the model's version is not 1")
    return arguments, stdin, files, objects[position:]


def check_status(content):
    """struct stat64 of x86-64: KLEE wants an inode, and makes a plain file of a plain file's mode."""
    inode, links, mode = struct.unpack_from("<QQI", content, 8)
    block_size, = struct.unpack_from("<q", content, 56)
    if inode == 0 or links != 1 or mode != 0o100644 or block_size > 0xffff:
        raise Damaged(f"status: inode {inode}, links {links}, mode {mode:o}, blocks of {block_size}")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        _, words, found = read(name)
        print(name, words)
        for object_name, content in found:
            print(f"  {object_name}: {len(content)} bytes {content.hex()}")
