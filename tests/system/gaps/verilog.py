#!/usr/bin/env python3
"""Every construct of Verilog that Yosys accepts, under every engine of `plumb check`: no verdict is wrong, and what is
read otherwise than by a simulator is refused.

    verilog.py PLUMB            all scenarios
    verilog.py PLUMB NAME…      those whose name contains one of the words

Constructs are those of tests/unit/lang/verilog/reading_cases.h, which that suite compares with a simulator value by
value, and more here. Values come from Icarus Verilog. A design of many constructs has the property that none of them has
another output than simulated; and for each of them one that is the same but for a single wrong value, which `bmc` looks at
one by one, each other engine at another one. A scenario's docstring is its claim."""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

ENGINES = ("auto", "bmc", "bmc split", "path-bmc", "k-induction", "guess", "modes", "abc pdr", "abc int")
CASES_FILE = HERE.parents[1] / "unit" / "lang" / "verilog" / "reading_cases.h"

# --- Constructs with a value ---

# Beside those of CASES_FILE; the text behind | stands before the module.
MORE = {
    "buf": "wire q; buf(q, a[0]); assign y = q;",
    "gates": "wire p, q, r, s, t, u, v; xor(p, a[0], b[0]); xnor(q, a[1], b[1]); nand(r, a[2], b[2]); or(s, a[3], b[3]); not(t, a[4]); nor(u, a[5], b[5]); "
             "and(v, a[6], b[6]); assign y = {p, q, r, s, t, u, v};",
    "gates_of_three": "wire p, q; nand(p, a[0], b[0], a[1]); xnor(q, a[2], b[2], a[3]); assign y = {p, q};",
    "not_of_several": "wire p, q; not(p, q, a[0]); assign y = {p, q};",
    "gate_delay": "wire q; and #2 (q, a[0], b[0]); assign y = q;",
    "bufif1_that_is_on": "wire q; bufif1(q, a[0], 1'b1); assign y = q;", "bufif0_that_is_on": "wire q; bufif0(q, a[0], 1'b0); assign y = q;",
    "notif1_that_is_on": "wire q; notif1(q, a[0], 1'b1); assign y = q;",
    "wand": "wand [7:0] q; assign q = a; assign q = b; assign y = q;", "wor": "wor [7:0] q; assign q = a; assign q = b; assign y = q;",
    "triand": "triand [7:0] q; assign q = a; assign q = b; assign y = q;", "trior": "trior [7:0] q; assign q = a; assign q = b; assign y = q;",
    "supply": "supply0 g; supply1 v; assign y = {v, g};", "tri": "tri [7:0] q; assign q = a; assign y = q;",
    "increment": "reg [7:0] r; always @* begin r = a; r++; end assign y = r;",
    "union": "union packed {logic [7:0] p; logic [7:0] q;} u; assign u.p = a; assign y = u.q;",
    "defparam": "d%u(b, y); defparam u.K = 5;|module d%(input [7:0] b, output [31:0] y); parameter K = 1; assign y = b + K; endmodule".replace("d%u", "d% u"),
    "specify": "assign y = a; specify (a => y) = 3; endspecify", 
    "implicit_ports": "d% u(.*);|module d%(input [7:0] a, output [31:0] y); assign y = a; endmodule",
    "implicit_named_ports": "d% u(.a, .y);|module d%(input [7:0] a, output [31:0] y); assign y = a; endmodule",
    "wider_port": "d% u(.a({a, b}), .y(y));|module d%(input [7:0] a, output [31:0] y); assign y = a; endmodule",
    "inout_port": "wire [7:0] q; d% u(q, a); assign y = q;|module d%(inout [7:0] q, input [7:0] a); assign q = a; endmodule",
    "priority_case": "reg [7:0] r; always @* begin priority case (a[0]) 0: r = 1; 1: r = 2; endcase end assign y = r;",
    "functions_of_reals": "localparam integer N = $sqrt(16.0) + $ln(2.8) * 10 + $pow(2.0, 3.0) + $itor(3) * 1.5 + $floor(2.7); assign y = N;",
    "counting": "assign y = {$countones(a), $onehot(a), $onehot0(a)};",
    "genvar_loop": "genvar i; for (i = 0; i < 8; i = i + 1) assign y[i] = a[7 - i]; assign y[31:8] = 0;",
    "display": "always @* $display(\"%d\", a); assign y = a;", "attributes": "(* keep *) wire [7:0] q = a; (* fsm_encoding = \"none\" *) reg [1:0] s; always @* s = b; assign y = {q, s};",
    "macros": "\n`define Q 3\n`undef Q\n`ifdef Q\nassign y = b;\n`else\nassign y = a;\n`endif\n",
    "initial_value": "reg [7:0] r; initial begin r = 3; end assign y = r;",
}


def of_file(table):
    text = CASES_FILE.read_text()
    begin = text.index(f"constexpr ReadingCase {table}[]")
    part = text[begin:text.index("\n};", begin)]
    found = re.findall(r'\{"(\w+)", R"v\((.*?)\)v", (?:R"v\((.*?)\)v"|"")\}', part, re.S)
    check(len(found) == part.count('    {"'), f"{table}: {len(found)} cases are read")
    return {name: (body, parts) for name, body, parts in found}


FOLLOWED = {**of_file("kFollowed"), **{name: (text.partition("|")[0], text.partition("|")[2]) for name, text in MORE.items()}}
STEPS = of_file("kSteps")
PARTS = re.search(r'kParts = R"v\((.*?)\)v"', CASES_FILE.read_text(), re.S).group(1)
PAIRS = [(a, b) for a in (0, 3, 90, 128, 254) for b in (0, 7, 255)]


def module_of(number, body, parts, ports="input [7:0] a, input [7:0] b"):
    """The construct as a module, with names of its own for what it needs."""
    signs = "  wire signed [7:0] sa = a;\n  wire signed [7:0] sb = b;\n" if "clk" not in ports else ""
    text = f"{parts}\nmodule case{number}({ports}, output [31:0] y);\n{signs}  {body}\nendmodule\n".replace("%(", f"{number}(").replace("% ", f"{number} ") \
        if "%" in parts else f"{parts}\nmodule case{number}({ports}, output [31:0] y);\n{signs}  {body}\nendmodule\n"
    return re.sub(r"(?<!\w)(sub|myudp|package p|p(?=::))(?!\w)", rf"\g<1>{number}", text)


def simulated(files, design, bench):
    """Lines that the bench prints behind "="."""
    files("design.sv", design)
    files("bench.sv", bench)
    subprocess.run(["iverilog", "-g2012", "-s", "bench", "-o", "run", "design.sv", "bench.sv"], cwd=files.path, check=True, capture_output=True, timeout=SECONDS)
    printed = subprocess.run(["vvp", "run"], cwd=files.path, check=True, capture_output=True, timeout=SECONDS).stdout.decode()
    return [line[1:] for line in printed.splitlines() if line.startswith("=")]


def is_value(signal, bits):
    """The known bits of a simulated value."""
    known = "".join("0" if bit in "xz" else "1" for bit in bits)
    return f"(({signal} & 32'b{known}) == 32'b{bits.replace('x', '0').replace('z', '0')})"


def wrong(bits):
    """Another value; nothing if no bit is known."""
    at = max(bits.rfind("0"), bits.rfind("1"))
    return bits[:at] + ("1" if bits[at] == "0" else "0") + bits[at + 1:] if at >= 0 else None


def properties(cases, moments, values):
    """`moments` are conditions, `values` what is simulated there, construct by construct."""
    lines = [f"  wire m{k} = {moment};\n" for k, moment in enumerate(moments)]
    has_value = []
    for i in range(len(cases)):
        bits = values[i::len(cases)]
        right = [f"!m{k} || {is_value(f'y{i}', text)}" for k, text in enumerate(bits)]
        lines.append(f"  wire is{i} = &{{{', '.join(right)}}};\n")
        if known := [k for k, text in enumerate(bits) if wrong(text)]:
            at = known[len(known) * 2 // 3]
            has_value.append(i)
            lines.append(f"  wire not{i} = &{{{', '.join(right[:at] + [f'!m{at} || ' + is_value(f'y{i}', wrong(bits[at]))] + right[at + 1:])}}};\n")
    lines.append(f"  is: assert property (&{{{', '.join(f'is{i}' for i in range(len(cases)))}}});\n")
    lines += [f"  {cases[i]}_is_not: assert property (&{{{', '.join(f'not{k}' if k == i else f'is{k}' for k in range(len(cases)))}}});\n" for i in has_value]
    return "".join(lines)


def words_design(files, cases):
    """A design of these constructs and what their properties are made of."""
    text = "".join(module_of(i, *FOLLOWED[name]) for i, name in enumerate(cases))
    instances = "".join(f"  wire [31:0] y{i};\n  case{i} c{i}(a, b, y{i});\n" for i in range(len(cases)))
    bench = "module bench;\n  reg [7:0] a, b;\n" + instances + "  initial begin\n"
    for a, b in PAIRS:
        bench += f"    a = {a}; b = {b}; #10;\n" + "".join(f"    $display(\"=%b\", y{i});\n" for i in range(len(cases)))
    values = simulated(files, text, bench + "    $finish;\n  end\nendmodule\n")
    check(len(values) == len(PAIRS) * len(cases), f"{len(values)} values")
    moments = [f"a == {a} && b == {b}" for a, b in PAIRS]
    return text + "module top(input [7:0] a, input [7:0] b);\n" + instances, moments, values


INPUTS = [(0, 3, 9), (0, 200, 1), (1, 7, 255), (0, 5, 2), (0, 129, 64), (0, 255, 8)]


def steps_design(files, cases):
    """The same of constructs with registers, for one sequence of inputs."""
    ports = "input clk, input rst, input [7:0] a, input [7:0] b"
    text = PARTS + "\n" + "".join(module_of(i, *STEPS[name], ports) for i, name in enumerate(cases))
    instances = "".join(f"  wire [31:0] y{i};\n  case{i} c{i}(clk, rst, a, b, y{i});\n" for i in range(len(cases)))
    bench = "module bench;\n  reg clk = 0, rst = 0;\n  reg [7:0] a = 0, b = 0;\n" + instances + "  initial begin\n    #10;\n"
    for rst, a, b in INPUTS:
        bench += f"    rst = {rst}; a = {a}; b = {b}; #10;\n" + "".join(f"    $display(\"=%b\", y{i});\n" for i in range(len(cases))) + "    clk = 1; #10; clk = 0; #10;\n"
    values = simulated(files, text, bench + "    $finish;\n  end\nendmodule\n")
    check(len(values) == len(INPUTS) * len(cases), f"{len(values)} values")
    top = "  reg [2:0] t = 0;\n  always @(posedge clk) if (t != 7) t <= t + 1;\n"
    top += "".join(f"  assume property (t != {i} || (rst == {rst} && a == {a} && b == {b}));\n" for i, (rst, a, b) in enumerate(INPUTS))
    moments = [f"t == {i}" for i in range(len(INPUTS))]
    return f"{text}module top({ports});\n{instances}{top}", moments, values


def parts_of(cases, size):
    names = list(cases)
    return [names[i:i + size] for i in range(0, len(names), size)]


def run(files, engine, file="design.sv", asked=()):
    words = [] if engine == "auto" else ["--engine", engine]
    words += [word for name in asked for word in ("--property", name)] + (["--top", "top"] if file.endswith(".sv") else [])
    return subprocess.run([PLUMB, "check", file, *words, "--timeout", "60", "--bound", "10", "--json", "-q"], capture_output=True, timeout=SECONDS, cwd=files.path)


def of_constructs(kind, make, part, number):
    def scenario(files):
        design, moments, values = make(files, part)
        files("design.sv", design + properties(part, moments, values) + "endmodule\n")
        # Made once for all engines.
        shown_system = subprocess.run([PLUMB, "check", "design.sv", "--top", "top", "--show", "btor2", "-q"], capture_output=True, timeout=SECONDS, cwd=files.path)
        check(shown_system.returncode == 0, shown(shown_system))
        files("design.btor2", shown_system.stdout.decode())
        names = re.findall(r"\bbad \S+ (\w+_is_not)", shown_system.stdout.decode())
        check(len(names) > len(part) * 2 // 3, str(names))
        for i, engine in enumerate(ENGINES):
            asked = () if engine == "bmc" else ("is", names[(i * 7 + number) % len(names)])
            done = run(files, engine, "design.btor2", asked)
            found = {each["name"]: each["verdict"] for each in result_object(done.stdout)["properties"]}
            check(len(found) == (len(names) + 1 if engine == "bmc" else 2), shown(done))
            for name, verdict in found.items():
                right = "holds" if name == "is" else "violated"
                check(verdict not in ("holds", "violated") or verdict == right, f"{name} by {engine}: {verdict}\n{shown(done)}")
                check(engine != "auto" and (engine != "bmc" or name == "is") or verdict == right, f"{name} by {engine}: {verdict} instead of {right}\n{shown(done)}")

    scenario.__name__ = f"{kind}_{number}_are_as_simulated"
    scenario.__doc__ = f"No engine has another value of {', '.join(part)} than the simulator."
    return scenario


# --- Properties and signals without one value ---

CLOCKED = "module top(input clk, input [7:0] a, input [7:0] b);\n  reg [2:0] t = 0;\n  always @(posedge clk) if (t != 7) t <= t + 1;\n"
# By name: the inside of a module behind CLOCKED, and the verdicts of its labels.
VERDICTS = {
    "assert": ("always @* begin p: assert (a != 9); q: assert (t < 8); end", {"p": "violated", "q": "holds"}),
    "assert property": ("p: assert property (a != 9); q: assert property (t < 8);", {"p": "violated", "q": "holds"}),
    "assert in a clocked block": ("always @(posedge clk) begin p: assert (a != 9); q: assert (t < 8); end", {"p": "violated", "q": "holds"}),
    "assert under a condition": ("always @* if (a == 9) begin p: assert (b != 3); q: assert (a[0]); end", {"p": "violated", "q": "holds"}),
    "assert final": ("always @* p: assert final (a != 9);", {"p": "violated"}),
    "assert in an initial block": ("reg r; initial begin r = 1; end always @* begin p: assert (r); q: assert (!r); end", {"p": "holds", "q": "violated"}),
    "assume": ("always @* assume (a != 9); p: assert property (a != 9); q: assert property (a != 8);", {"p": "holds", "q": "violated"}),
    "assume property": ("assume property (a != 9); p: assert property (a != 9); q: assert property (a != 8);", {"p": "holds", "q": "violated"}),
    "assume of the past": ("always @(posedge clk) assume (a < 5); reg [7:0] r = 0; always @(posedge clk) r <= a; p: assert property (r < 5); q: assert property (r < 4);",
                           {"p": "holds", "q": "violated"}),
    "restrict": ("always @* restrict (a != 9); p: assert property (a != 9); q: assert property (a != 8);", {"p": "holds", "q": "violated"}),
    "restrict property": ("restrict property (a != 9); p: assert property (a != 9);", {"p": "holds"}),
    "cover": ("cover property (a == 3); always @* cover (b == 3); p: assert property (a != 3);", {"p": "violated"}),
    "contradiction": ("assume property (a == 1); assume property (a == 2); p: assert property (a == 3);", {"p": "vacuous"}),
    "casts of signs": ("wire signed [7:0] sa = a; p: assert property (signed'(a) >>> 1 == sa >>> 1); q: assert property (signed'(a) >= 0); r: assert property (unsigned'(sa) >= 0);",
                       {"p": "holds", "q": "violated", "r": "holds"}),
    "var": ("var logic [7:0] q; assign q = a; p: assert property (q == a); q1: assert property (q != 9);", {"p": "holds", "q1": "violated"}),
    "anyseq": ("wire [7:0] r = $anyseq; p: assert property (r != 9);", {"p": "violated"}),
    "anyseq attribute": ("(* anyseq *) wire [7:0] r; p: assert property (r != 9);", {"p": "violated"}),
    "anyconst": ("wire [7:0] r = $anyconst; reg [7:0] s = 0; reg u = 0; always @(posedge clk) begin s <= r; u <= 1; end "
                 "p: assert property (r != 9); q: assert property (!u || s == r);", {"p": "violated", "q": "holds"}),
    "rand": ("rand reg [7:0] r; p: assert property (r != 9);", {"p": "violated"}),
    "rand const": ("rand const reg [7:0] r; reg [7:0] s = 0; reg u = 0; always @(posedge clk) begin s <= r; u <= 1; end "
                   "p: assert property (r != 9); q: assert property (!u || s == r);", {"p": "violated", "q": "holds"}),
    "initstate": ("p: assert property (!$initstate || t == 0); q: assert property ($initstate);", {"p": "holds", "q": "violated"}),
    "past": ("always @(posedge clk) begin p: assert (t == 0 || t == 7 || t == $past(t) + 3'd1); q: assert (t != $past(t) + 3'd1); end", {"p": "holds", "q": "violated"}),
    "past of two steps": ("always @(posedge clk) begin p: assert (t < 2 || t == 7 || t == $past(t, 2) + 3'd2); end", {"p": "holds"}),
    "rose, fell": ("always @(posedge clk) begin p: assert (t == 0 || $rose(t[0]) == (t[0] && !$past(t[0]))); q: assert (t == 0 || !$fell(t[0])); end",
                   {"p": "holds", "q": "violated"}),
    "stable, changed": ("always @(posedge clk) begin p: assert (t == 0 || t == 7 || !$stable(t)); q: assert (t == 0 || !$changed(t)); end", {"p": "holds", "q": "violated"}),
    "x": ("wire [7:0] r = 8'bx; p: assert property (r != 9);", {"p": "violated"}),
    "division by zero": ("wire [7:0] r = a / b; p: assert property (b != 0 || r != 9); q: assert property (b != 1 || r == a);", {"p": "violated", "q": "holds"}),
    "outside of a vector": ("wire r = a[b]; p: assert property (b < 8 || !r); q: assert property (b != 3 || r == a[3]);", {"p": "violated", "q": "holds"}),
    "outside of a memory": ("reg [7:0] m [0:2]; initial begin m[0] = 0; m[1] = 0; m[2] = 0; end wire [7:0] r = m[a[1:0]]; p: assert property (r == 0); "
                            "q: assert property (a[1:0] == 3 || r == 0);", {"p": "violated", "q": "holds"}),
    "register without a value": ("reg [7:0] r; always @(posedge clk) r <= r; reg [7:0] s = 0; reg u = 0; always @(posedge clk) begin s <= r; u <= 1; end "
                                 "p: assert property (r != 9); q: assert property (!u || s == r);", {"p": "violated", "q": "holds"}),
    "case that nothing matches": ("reg [7:0] r; always @* begin (* full_case *) case (a[1:0]) 0: r = 1; 1: r = 2; endcase end p: assert property (r == 1 || r == 2); "
                                  "q: assert property (a[1] || r == a[0] + 1);", {"p": "violated", "q": "holds"}),
    "unique case that nothing matches": ("reg [7:0] r; always @* begin unique case (a[1:0]) 0: r = 1; 1: r = 2; endcase end p: assert property (r == 1 || r == 2);", {"p": "violated"}),
    "latch": ("reg [7:0] r; always_latch if (a[0]) r = b; p: assert property (!a[0] || r == b); q: assert property (a[0] || r == b);", {"p": "holds", "q": "violated"}),
    "asynchronous reset": ("reg r = 0; always @(posedge clk or posedge a[0]) if (a[0]) r <= 0; else r <= 1; p: assert property (!a[0] || !r); q: assert property (!r);",
                           {"p": "holds", "q": "violated"}),
    "translate_off": ("\n// synopsys translate_off\nwire q0;\n// synopsys translate_on\np: assert property (a != 9);", {"p": "violated"}),
    "names of one value": ("p: assert property (1'b1); q: assert property (1'b1); r: assert property (1'b0);", {"p": "holds", "q": "holds", "r": "violated"}),
}

# --- What is refused ---

SHARED = {
    "wire of two assignments": "wire [7:0] q; assign q = a; assign q = b;", "wire of an assignment and a constant": "wire [7:0] q; assign q = a; assign q = 3;",
    "wire of two constants": "wire [7:0] q; assign q = 5; assign q = 3;", "register of two blocks": "reg [7:0] q; always @* q = a; always @* q = 3;", "input": "assign a = 3;",
}
# Bodies of a module with the inputs a and b; what stands behind | stands before it.
REFUSED = {
    **SHARED, "break": "reg [7:0] r; integer i; always @* begin r = 0; for (i = 0; i < 8; i = i + 1) begin if (a[i]) break; r = r + 1; end end",
    "continue": "reg [7:0] r; integer i; always @* for (i = 0; i < 8; i = i + 1) begin if (a[i]) continue; r = 1; end", "return": "function [7:0] f(input [7:0] x); begin return 1; end endfunction",
    "do": "reg [7:0] r; always @* begin r = a; do r = r + 1; while (r[0]); end", "foreach": "reg [7:0] m[4]; always @* foreach (m[i]) m[i] = 0;", "forever": "reg r; initial forever r = 1;",
    "inside": "wire q = a inside {1, 2};", "fork": "reg r; always @* fork r = a; join", "disable": "reg r; always @* begin : blk r = 1; disable blk; end",
    "procedural assign": "reg r; always @* begin assign r = a; end", "deassign": "reg r; always @* begin deassign r; end", "force": "reg r; initial force r = a;", "release": "reg r; initial release r;",
    "wait": "reg r; initial begin wait (a) r = 1; end", "event": "event e; always @(e) ;", "trigger": "initial -> e;", "let": "let f(x) = x + 1;", "alias": "wire [7:0] q; alias q = a;",
    "string": "string s = \"x\";", "time": "time t;", "realtime": "realtime t;", "shortreal": "shortreal t;", "chandle": "chandle t;", "tri0": "tri0 q;", "tri1": "tri1 q;", "uwire": "uwire q;",
    "trireg": "trireg q;", "static": "function static [7:0] f(input [7:0] x); f = x; endfunction", "void": "function void f(input x); endfunction", "import": "import p::*;|package p; localparam K = 3; endpackage",
    "primitive": "wire q; u u1(q, a[0]);|primitive u(o, i); output o; input i; table 0 : 0; 1 : 1; endtable endprimitive", "pmos": "wire q; pmos(q, a[0], b[0]);", "tran": "wire q; tran(q, a[0]);",
    "pullup": "wire q; pullup(q);", "strengths": "wire (strong0, weak1) q = a[0];", "vectored": "wire vectored [7:0] q = a;", "iff": "reg r; always @(posedge a[0] iff b[0]) r <= 1;",
    "edge": "reg r; always @(edge a[0]) r <= 1;", "wildcards": "wire q = a ==? 8'b1xxx_0000;", "streams": "wire [7:0] q = {<<{a}};", "assignment pattern": "reg [7:0] m[2]; always @* m = '{a, b};",
    "class": "class c; int x; endclass", "queue": "int q[$];", "dynamic array": "int q[];", "type": "parameter type T = logic [7:0];", "nettype": "nettype logic [7:0] n;",
    "program": "|program q; endprogram", "checker": "|checker c; endchecker", "config": "|config c; design x; endconfig", "clocking": "clocking c @(posedge a[0]); endclocking", "covergroup": "covergroup g; endgroup",
    "sequence": "sequence s; a[0]; endsequence", "property": "property p; a[0]; endproperty", "expect": "initial expect (a[0]);", "extern": "|extern module q(input x);", "export": "export \"DPI-C\" function f;",
    "bind": "|module w; endmodule bind top w w1();", "timeunit": "timeunit 1ns;", "random in a block that ends": "reg r; always @* if (a == 3) $finish;", "error": "always @* if (a == 3) $error(\"x\");",
    "assertoff": "initial $assertoff;", "gate array": "wire [7:0] q; and g[7:0](q, a, b);", "latch of always_comb": "reg r; always_comb if (b[0]) r = a;", "inside of case": "reg r; always @* case (a) inside 1: r = 1; endcase",
    "matches": "reg r; always @* case (a) matches 1: r = 1; endcase", "ref": "task automatic t(ref [7:0] x); x = 1; endtask", "missing module": "d u(a);", "blackbox": "wire [7:0] q; d u(a, q); always @* assert (q != 3);|(* blackbox *) module d(input [7:0] a, output [7:0] q); endmodule",
    "clock of a property": "assert property (@(posedge a[0]) b != 3);", "implication": "assert property (@(posedge a[0]) b[0] |-> b[1]);", "delay of cycles": "assert property (@(posedge a[0]) b[0] ##1 b[1]);", "eventually": "assert property (eventually a[0]);",
    "s_eventually": "assert property (s_eventually a[0]);", "allconst": "wire q = $allconst; always @* assert (q);", "final": "final begin end", "delay": "reg r; always begin #5 r = a; end", "modport of an interface":
    "i u(); m s(u); wire [7:0] q = u.w; always @* assert (q != 3);|interface i; logic [7:0] w; modport o(output w); endinterface module m(i.o p); assign p.w = 3; endmodule",
    "division assignment": "reg [7:0] r; always @* begin r = a; r **= 3; end", "loop of wires": "wire p, q; assign p = q ^ a[0]; assign q = p;",
}
# What Yosys's reader knows as a word of the language, by trying all words of IEEE 1800.
KEYWORDS = """always always_comb always_ff always_latch and assert assign assume automatic begin bind bit buf bufif0 bufif1 byte case casex casez checker const cover default
defparam else end endcase endchecker endfunction endgenerate endinterface endmodule endpackage endspecify endtask enum eventually final for function generate genvar if initial
inout input int integer interface localparam logic longint modport module nand negedge nor not notif0 notif1 or output package packed parameter posedge priority property rand
real reg repeat restrict s_eventually shortint signed specify specparam struct supply0 supply1 task tri triand trior typedef union unique unique0 unsigned var wand while wire wor
xnor xor""".split()


def verdicts(name):
    body, expected = VERDICTS[name]

    def scenario(files):
        files("design.sv", f"{CLOCKED}  {body}\nendmodule\n")
        for engine in ENGINES:
            done = run(files, engine)
            found = {each["name"]: each["verdict"] for each in result_object(done.stdout)["properties"]}
            check(set(found) == set(expected), f"{found}\n{shown(done)}")
            for label, verdict in found.items():
                is_right = verdict not in ("holds", "violated") or verdict == expected[label]
                check(is_right and (engine != "auto" or verdict == expected[label]), f"{label} by {engine}: {verdict} instead of {expected[label]}\n{shown(done)}")

    scenario.__name__ = f"verdicts_of_{re.sub(r'[^a-z_]+', '_', name)}"
    scenario.__doc__ = f"No engine is wrong about '{name}'."
    return scenario


def what_is_not_read_is_refused(files):
    """Exit code 2 and a message of the file, no verdict."""
    accepted = []
    for name, text in REFUSED.items():
        body, _, parts = text.partition("|")
        files("design.sv", f"{parts}\nmodule top(input [7:0] a, input [7:0] b);\n  {body}\n  always @* assert (a != 77);\nendmodule\n")
        done = run(files, "bmc")
        if done.returncode != 2 or b"design.sv" not in done.stdout + done.stderr:
            accepted.append(f"{name}: exit {done.returncode} {done.stdout[-300:]}")
    check(not accepted, "\n".join(accepted))


def every_keyword_has_a_construct(files):
    """None that Yosys reads is left out."""
    texts = [text for table in (FOLLOWED, STEPS, of_file("kMisread")) for case in table.values() for text in case]
    used = set(re.findall(r"[a-z_0-9]+", " ".join([PARTS, CLOCKED, *texts, *(body for body, _ in VERDICTS.values()), *REFUSED.values(), "bind checker"])))
    check(not set(KEYWORDS) - used, f"{set(KEYWORDS) - used}")


SCENARIOS = [every_keyword_has_a_construct, what_is_not_read_is_refused, *map(verdicts, VERDICTS),
             *(of_constructs("words", words_design, part, i) for i, part in enumerate(parts_of(FOLLOWED, 75))),
             *(of_constructs("steps", steps_design, part, i) for i, part in enumerate(parts_of(STEPS, 40)))]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
