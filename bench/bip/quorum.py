#!/usr/bin/env python3
"""Writes the BIP model of section 7.2 of the BIP{I} paper: the Quorum protocol with CLIENTS clients and SERVERS servers.

    quorum.py CLIENTS SERVERS [--bug forget|hasty]

Bugs: `forget`: a server takes the newest value instead of keeping the first; `hasty`: a client decides after the first accept."""
import argparse

STORIES = {
    None: "Both invariants hold",
    "forget": "It has a\n// bug: a server takes the newest value instead of keeping the first. Both invariants are violated",
    "hasty": "It has a\n// bug: a client decides after the first accept. Both invariants are violated",
}

HEAD = """// Section 7.2 of the BIP{I} paper: the Quorum protocol with @CLIENTS@ clients and @SERVERS@ servers. @STORY@:
//   plumb bip @FILE@ --props @PROPS@
//
// How it follows the paper's text:
// 1. A client's proposal is any value. Proposing puts it into the channels to all servers and starts the client's timer.
// 2. Between each client and each server there is a perfect channel; proposals and answers arrive in any order. A server keeps
//    the first value that it receives and answers each proposal with an accept of the value that it keeps.
// 3. A client that has received two different accepts switches to the backup phase with its proposal.
// 4. A client that has received the same accept from all servers decides on it.
// 5. The timer expires at any moment from the proposal on. Then the client switches with the value of an accept, as soon as it
//    has one.
// 6. The backup phase is not modelled. Clients that have switched ignore the accepts that still come.
// When all clients have decided or switched, they rest; that there is no deadlock means that they all come so far.
package quorum
  const data int SERVERS = @SERVERS@

  port type Sync()
  port type Value(int v)

  atom type Client()
    data int proposal, value, received, accepts
    data bool different, expired
    export port Value propose(proposal)
    export port Value accept(received)
    port Sync decide()
    port Sync disagree()
    port Sync expire()
    port Sync give_up()
    export port Sync rest()
    place READY, WAITING, DECIDED, SWITCHED
    initial to READY do { value = 0; received = 0; accepts = 0; different = false; expired = false; }
    on propose from READY to WAITING
    on accept from WAITING to WAITING do {
      if (accepts == 0) { value = received; }
      if (received != value) { different = true; }
      accepts = accepts + 1;
      received = 0;
    }
    on decide from WAITING to DECIDED provided (@DECIDE@)
    on disagree from WAITING to SWITCHED provided (different) do { value = proposal; }
    on expire from WAITING to WAITING provided (!expired) do { expired = true; }
    on give_up from WAITING to SWITCHED provided (expired && accepts > 0)
    on accept from SWITCHED to SWITCHED do { received = 0; }@LATE@
    on rest from DECIDED to DECIDED
    on rest from SWITCHED to SWITCHED
  end

  // From a client to a server and back.
  atom type Channel()
    data int v
    export port Value put(v)
    export port Value deliver(v)
    export port Value answer(v)
    export port Value get(v)
    place EMPTY, PROPOSAL, DELIVERED, ACCEPT, USED
    initial to EMPTY do { v = 0; }
    on put from EMPTY to PROPOSAL
    on deliver from PROPOSAL to DELIVERED do { v = 0; }
    on answer from DELIVERED to ACCEPT
    on get from ACCEPT to USED do { v = 0; }
  end

  atom type Server()
    data int kept, received
    data bool accepted
    export port Value receive(received)
    export port Value answer(kept)
    place FREE, BUSY
    initial to FREE do { kept = 0; received = 0; accepted = false; }
    on receive from FREE to BUSY do {
      if (@KEEP@) { kept = received; accepted = true; }
      received = 0;
    }
    on answer from BUSY to FREE
  end

  connector type Move(Value giver, Value taker)
    define giver taker
    on giver taker down { taker.v = giver.v; }
  end
"""
LATE = "\n    on accept from DECIDED to DECIDED do { received = 0; }"


def broadcast(servers):
    ports = [f"s{i}" for i in range(1, servers + 1)]
    moves = " ".join(f"{port}.v = client.v;" for port in ports)
    return [f"  connector type Broadcast(Value client, {', '.join(f'Value {port}' for port in ports)})",
            f"    define client {' '.join(ports)}",
            f"    on client {' '.join(ports)} down {{ {moves} }}",
            "  end", ""]


def rest(clients):
    ports = [f"c{i}" for i in range(1, clients + 1)]
    return [f"  connector type Rest({', '.join(f'Sync {port}' for port in ports)})", f"    define {' '.join(ports)}", "  end", ""]


def model(clients, servers, bug=None, file="FILE.bip", props="FILE.props"):
    replacements = {"@CLIENTS@": clients, "@SERVERS@": servers, "@STORY@": STORIES[bug], "@FILE@": file, "@PROPS@": props,
                    "@DECIDE@": "accepts > 0" if bug == "hasty" else "accepts == SERVERS && !different",
                    "@LATE@": LATE if bug == "hasty" else "",
                    "@KEEP@": "true" if bug == "forget" else "!accepted"}
    head = HEAD
    for mark, text in replacements.items():
        head = head.replace(mark, str(text))
    all_clients, all_servers = range(1, clients + 1), range(1, servers + 1)
    lines = [head, *broadcast(servers), *rest(clients), "  compound type System()"]
    lines += [f"    component Client client{c}()" for c in all_clients]
    lines += [f"    component Server server{s}()" for s in all_servers]
    lines += [f"    component Channel channel{c}{s}()" for c in all_clients for s in all_servers]
    for c in all_clients:
        lines.append(f"    connector Broadcast propose{c}(client{c}.propose, {', '.join(f'channel{c}{s}.put' for s in all_servers)})")
        for s in all_servers:
            lines += [f"    connector Move deliver{c}{s}(channel{c}{s}.deliver, server{s}.receive)",
                      f"    connector Move answer{c}{s}(server{s}.answer, channel{c}{s}.answer)",
                      f"    connector Move accept{c}{s}(channel{c}{s}.get, client{c}.accept)"]
    lines.append(f"    connector Rest rest({', '.join(f'client{c}.rest' for c in all_clients)})")
    return "\n".join([*lines, "  end", "end", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", type=int)
    parser.add_argument("servers", type=int)
    parser.add_argument("--bug", nargs="?", choices=("forget", "hasty"), const="forget")
    options = parser.parse_args()
    if not 1 <= options.clients <= 9 or not 1 <= options.servers <= 9:
        parser.error("1 to 9 clients and servers are possible")
    print(model(options.clients, options.servers, options.bug), end="")


if __name__ == "__main__":
    main()
