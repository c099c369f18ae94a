#!/usr/bin/env python3
"""Checks violation witnesses with threads, in SV-COMP's format 1.0 (GraphML), against their source; knows nothing of plumb.

    witness_graph.py WITNESS SOURCE

The keys are declared with their types, the head fits the task, and the automaton is one path from the entry to the violation. Along it
each thread was created by an edge before, at a line that calls a function which creates one, with the next number; inputs stand where
their functions are called; every line is in the file. Exit code 1 with what is wrong."""
import hashlib
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

SPACE = "{http://graphml.graphdrawing.org/xmlns}"
KEYS = {"entry": ("isEntryNode", "node"), "violation": ("isViolationNode", "node"), "threadId": ("threadId", "edge"), "createThread": ("createThread", "edge"),
        "startline": ("startline", "edge"), "originfile": ("originfile", "edge"), "assumption": ("assumption", "edge")}
HEAD = ("witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash", "architecture", "creationtime")


class Invalid(Exception):
    """What is wrong with a witness."""


def need(condition, message):
    if not condition:
        raise Invalid(message)


def data(element):
    return {datum.get("key"): datum.text or "" for datum in element.findall(SPACE + "data")}


def check_head(root, graph, source):
    declared = {key.get("id"): (key.get("attr.name"), key.get("for")) for key in root.findall(SPACE + "key")}
    for key, meaning in KEYS.items():
        need(declared.get(key) == meaning, f"key {key} is declared as {declared.get(key)}")
    head = data(graph)
    for key in HEAD:
        need(head.get(key), f"the graph has no {key}")
    need(head["witness-type"] == "violation_witness", f"witness-type {head['witness-type']}")
    need(pathlib.Path(head["programfile"]).name == source.name, f"programfile {head['programfile']}")
    need(head["programhash"] == hashlib.sha256(source.read_bytes()).hexdigest(), "programhash does not fit the source")
    need(head["architecture"] in ("32bit", "64bit"), f"architecture {head['architecture']}")


def path_of(graph):
    """The data of the edges, from the entry to the violation."""
    nodes = {node.get("id"): data(node) for node in graph.findall(SPACE + "node")}
    edges = {edge.get("source"): edge for edge in graph.findall(SPACE + "edge")}
    need(len(edges) == len(graph.findall(SPACE + "edge")), "a node has two edges")
    entries = [name for name, held in nodes.items() if held.get("entry") == "true"]
    need(len(entries) == 1, f"{len(entries)} entries")
    at, found = entries[0], []
    while at in edges:
        edge = edges.pop(at)
        found.append(data(edge))
        at = edge.get("target")
        need(at in nodes, f"no node {at}")
    need(not edges, "edges that nothing leads to")
    need(nodes[at].get("violation") == "true", "the path does not end in the violation")
    return found


def validate(witness, source):
    root = tree.parse(witness).getroot()
    (graph,) = root.findall(SPACE + "graph")
    check_head(root, graph, source)
    lines, known = source.read_text().splitlines(), {0}
    path = path_of(graph)
    need(path, "a witness without steps")
    for step in path:
        thread, line = int(step["threadId"]), int(step.get("startline", 0))
        need(thread in known, f"thread {thread} was not created")
        need(0 <= line <= len(lines), f"line {line} is not in the file")
        if "createThread" in step:
            need(re.search(r"pthread_create|thrd_create", lines[line - 1]), f"line {line} creates no thread: {lines[line - 1]!r}")
            need(int(step["createThread"]) == len(known), f"thread {step['createThread']} is created as number {len(known)}")
            known.add(int(step["createThread"]))
        if "assumption" in step:
            need(re.fullmatch(r"\\result == -?\d+[uUlL]*( - 1)?", step["assumption"]), f"assumption {step['assumption']!r}")
            need(step.get("assumption.resultfunction", "?") in lines[line - 1], f"line {line} does not call {step.get('assumption.resultfunction')}")
    return len(path), len(known)


def main():
    try:
        steps, threads = validate(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    except (Invalid, tree.ParseError, KeyError, ValueError) as error:
        print(f"{sys.argv[1]}: {error!r}")
        return 1
    print(f"{sys.argv[1]}: {steps} steps of {threads} threads")
    return 0


if __name__ == "__main__":
    sys.exit(main())
