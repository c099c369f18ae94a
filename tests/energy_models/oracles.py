"""The models of models/energy a second time, from the text of chapter 5 and without a model checker: chains as tables of
rates, solved by elimination without subtractions (Grassmann, Taksar, Heyman 1985), closed forms where there are any, and
the trading of section 5.4 as a recursion over slots."""
import functools
import itertools
import math

# --- Chains ---


def explore(initial, moves):
    """All states that can be reached, as {state: {successor: rate}}."""
    rows = {}
    todo = [initial]
    while todo:
        state = todo.pop()
        if state in rows:
            continue
        row = rows[state] = {}
        for successor, rate in moves(state):
            if rate > 0 and successor != state:
                row[successor] = row.get(successor, 0.0) + rate
                todo.append(successor)
    return rows


def steady_state(rows):
    """The stationary distribution of an irreducible chain. No subtractions: every digit is right but the last few."""
    rows = {state: dict(row) for state, row in rows.items()}
    columns = {state: set() for state in rows}
    for state, row in rows.items():
        for successor in row:
            columns[successor].add(state)
    eliminated = []
    left = set(rows)
    heap = sorted(rows, key=lambda s: len(rows[s]) * len(columns[s]))
    while len(left) > 1:
        # Least fill of the first few candidates; a chain of some hundred states needs no better order.
        heap = [s for s in heap if s in left]
        state = min(itertools.islice(heap, 40), key=lambda s: len(rows[s]) * len(columns[s]))
        left.discard(state)
        out = rows[state]
        total = sum(out.values())
        incoming = {}
        for before in columns[state]:
            rate = rows[before].pop(state)
            incoming[before] = rate / total
            for after, share in out.items():
                if after != before:
                    rows[before][after] = rows[before].get(after, 0.0) + rate * share / total
                    columns[after].add(before)
        for after in out:
            columns[after].discard(state)
        eliminated.append((state, incoming))
    weight = {left.pop(): 1.0}
    for state, incoming in reversed(eliminated):
        weight[state] = sum(weight[before] * share for before, share in incoming.items())
    total = math.fsum(weight.values())
    return {state: w / total for state, w in weight.items()}


def earned_until(rows, initial, earning, time):
    """What is expected to be earned until `time` at `earning(state)` a unit of time, by uniformisation."""
    rate = 1.02 * max(sum(row.values()) for row in rows.values())
    chance = {initial: 1.0}
    mean = rate * time
    assert mean < 700, "e^-mean should not underflow"
    # Weight of step n: the probability of more than n jumps, over the rate.
    term = math.exp(-mean)
    more = 1 - term
    result = 0.0
    n = 0
    while n < mean or more > 1e-13:
        result += more / rate * math.fsum(p * earning(state) for state, p in chance.items())
        following = {}
        for state, p in chance.items():
            row = rows[state]
            following[state] = following.get(state, 0.0) + p * (1 - sum(row.values()) / rate)
            for successor, each in row.items():
                following[successor] = following.get(successor, 0.0) + p * each / rate
        chance = following
        n += 1
        term *= mean / n
        more -= term
    return result


# --- er_multi, section 5.3.1 ---


def multi_rows(routers=10, ports=1000, most=24, mttf_router=5e4, rec_router=24.0, mttf_port=1e5, rec_port=1.0, mttf_hub=1e5,
               rec_hub=4.0, wake=6.0, rest=30.0):
    def failure(down, total, mttf):
        return (total - down) * math.exp(-down / total) / mttf

    def moves(state):
        hub, fr, fp = state
        if hub == "broken":
            return [(("sleep", fr, fp), 1 / rec_hub)]
        result = [(("broken", fr, fp), 1 / mttf_hub)]
        if fr < routers:
            result.append((("busy", fr + 1, fp), failure(fr, routers, mttf_router)))
        if fp < most:
            result.append((("busy", fr, fp + 1), failure(fp, ports, mttf_port)))
        if hub == "sleep":
            return result + [(("busy", fr, fp), wake)]
        if fr == 0 and fp == 0:
            result.append((("sleep", fr, fp), rest))
        if fr > 0:
            result.append((("busy", fr - 1, fp), 1 / rec_router))
        if fp > 0:
            result.append((("busy", fr, fp - 1), 1 / rec_port))
        return result

    return explore(("sleep", 0, 0), moves)


def multi_down(**changes):
    distribution = steady_state(multi_rows(**changes))
    return math.fsum(p for (hub, fr, fp), p in distribution.items() if hub == "broken" or fr > 0 or fp > 0)


def all_work(total, most, mttf, repair):
    """Equation 5.1 alone: the probability that no member of a set is broken, a birth-death chain."""
    weight, result = 1.0, [1.0]
    for down in range(most):
        weight *= (total - down) * math.exp(-down / total) / mttf * repair
        result.append(weight)
    return 1 / math.fsum(result)


def multi_down_without_hub(mttf_router=5e4, rec_router=24.0):
    """If the hub never breaks, it is busy whenever something is broken, and routers and ports are independent."""
    return 1 - all_work(10, 10, mttf_router, rec_router) * all_work(1000, 24, 1e5, 1.0)


# --- er_single, section 5.3.2 ---

HOUR = 3600.0
CALL = 60.0  # the unit of the cell's rates
LIVES = [1 * 720 * HOUR, 1.5 * 720 * HOUR, 2 * 720 * HOUR]
REQUESTS = [0.015, 0.02, 0.025]


def cell_moves(state, channels, guard, ports, reentry):
    """Of the cell: (calls, is the router in, is port 1 in, …)."""
    calls, inside = state[0], state[1:]
    others = calls - sum(inside)
    for rate, limit in ((49 / CALL, channels - guard), (21 / CALL, channels)):
        if calls < limit:
            yield (calls + 1, *inside), rate
    if others:
        yield (calls - 1, *inside), others / CALL
    for i in range(ports + 1):
        flipped = (*inside[:i], not inside[i], *inside[i + 1:])
        if inside[i]:
            yield (calls - 1, *flipped), 1 / CALL
        elif calls < (channels if i == 0 else channels - guard):
            yield (calls + 1, *flipped), reentry / CALL


def single_down(channels, guard=None, ports=3, t_rec_router=24.0, reentry=60.0):
    """Breakdowns do not depend on anything, and the cell on nothing but itself: the parts multiply."""
    guard = max(1, channels // 10) if guard is None else guard
    rows = explore((ports + 1, *[True] * (ports + 1)), lambda s: cell_moves(s, channels, guard, ports, reentry))
    return 1 - math.fsum(p for s, p in steady_state(rows).items() if all(s[1:])) * all_up(ports, t_rec_router)


def all_up(ports, t_rec_router):
    result = 50000 / (50000 + t_rec_router)
    for life in LIVES[:ports]:
        result *= life / (life + 0.5 * HOUR)
    return result


def single_down_without_guard(channels, ports=3, t_rec_router=24.0, reentry=60.0):
    """Without guard channels the cell is a loss system in product form: 70^n / n! of others and `reentry` for each device
    that is in, cut off at `channels` calls."""
    all_in = everything = 0.0
    for devices in range(ports + 2):
        ways = math.comb(ports + 1, devices) * reentry**devices
        others = math.fsum(math.exp(n * math.log(70) - math.lgamma(n + 1)) for n in range(channels - devices + 1))
        everything += ways * others
        if devices == ports + 1:
            all_in = ways * others
    return 1 - all_in / everything * all_up(ports, t_rec_router)


def guarded_cell(channels, guard, load):
    """How the calls of a cell without devices are distributed: a birth-death chain."""
    weights = [1.0]
    for n in range(1, channels + 1):
        weights.append(weights[-1] * load * (70 if n - 1 < channels - guard else 21) / n)
    return [w / math.fsum(weights) for w in weights]


def single_rows(channels, most, t_rec_router=24.0):
    """The whole subsystem with one port: (sr, qsize, sp, calls, is the router in, is the port in). A cell of up to 72
    channels starts full."""
    guard = max(1, channels // 10)

    def moves(state):
        sr, q, sp = state[:3]
        cell = state[3:]
        _, router_in, port_in = cell
        for changed, rate in cell_moves(cell, channels, guard, 1, 60.0):
            yield (sr, q, sp, *changed), rate
        yield ((0, q, sp, *cell), 1 / (50000 * HOUR)) if sr else ((2, q, sp, *cell), 1 / (t_rec_router * HOUR))
        yield ((sr, q, 0, *cell), 1 / LIVES[0]) if sp else ((sr, q, 1, *cell), 1 / (0.5 * HOUR))
        if sr == 2 and q:
            yield (1, q, sp, *cell), 0.2
        if sr == 1:
            yield (2, q, sp, *cell), 0.1
        if sr == 1 and q and router_in:
            yield (3, q, sp, *cell), 0.5
        if sr == 3 and router_in:
            yield (4, q, sp, *cell), 0.5
        if sr == 4 and router_in:
            yield (1, q - 1, 3 if sp == 2 and port_in else sp, *cell), 0.5
        if port_in and sp in (1, 2) and q < most:
            yield (sr, q + 1, 2, *cell), REQUESTS[0]
        if port_in and sp == 3:
            yield (sr, q, 1, *cell), 0.1

    return explore((2, 0, 1, channels, True, True), moves)


def single_operations(channels, most, time):
    """Messages and answers until `time`, with one port."""

    def earning(state):
        sr, q, sp, _, router_in, port_in = state
        return REQUESTS[0] * (port_in and sp in (1, 2) and q < most) + 0.5 * (sr == 4 and router_in)

    return earned_until(single_rows(channels, most), (2, 0, 1, channels, True, True), earning, time)


# --- er_trade, section 5.4 ---

DEMAND = [12.1, 11.4, 11.1, 11.5, 13.2, 15.0, 15.7, 15.9, 15.8, 15.6, 15.8, 16.9, 18.2, 17.3, 15.3, 13.4]
AVERAGE = sum(DEMAND) / len(DEMAND)


def trade(slots, k, beta, gamma, trust, alpha=0.5):
    """Least cost and greatest loss. A provider is (known, threshold, reputation)."""

    def level(providers, x):
        told = [p[2] for y, p in enumerate(providers) if y != x and p[0]]
        reputation = providers[x][2]
        return alpha * reputation + (1 - alpha) * (sum(told) / len(told) if told else reputation)

    def replaced(providers, x, new):
        return (*providers[:x], new, *providers[x + 1:])

    def decide(pick, is_cost, value, t, served, must, providers, x):
        """The requester's choice once provider x has named its price."""
        _, threshold, reputation = providers[x]
        factor = beta / reputation + 1 - beta / 5
        price = 0.01 * factor * DEMAND[t % 16]
        paid = replaced(providers, x, (True, max(1, threshold - 1), min(10, reputation + 2)))
        choices = [(price if is_cost else 0) + value(t + 1, served + 1, paid)]
        if not must:
            is_high = factor * DEMAND[t % 16] > gamma * AVERAGE + 1e-9
            fall, rise = (3, 2) if is_high else (1, 1)
            unpaid = replaced(providers, x, (True, min(10, threshold + rise), max(1, reputation - fall)))
            choices.append((0 if is_cost else price) + value(t + 1, served + 1, unpaid))
            if factor > gamma + 1e-9:
                choices.append(value(t + 1, served, replaced(providers, x, (True, threshold, reputation))))
        return pick(choices)

    def ask(pick, is_cost, value, t, served, must, providers, unvisited):
        if not unvisited:
            return value(t + 1, served, providers)
        total = 0.0
        for x in unvisited:
            if must or level(providers, x) + 1e-9 >= providers[x][1]:
                total += decide(pick, is_cost, value, t, served, must, providers, x)
            else:
                rest = tuple(y for y in unvisited if y != x)
                total += ask(pick, is_cost, value, t, served, must, providers, rest)
        return total / len(unvisited)

    def solve(pick, is_cost):
        @functools.lru_cache(maxsize=None)
        def value(t, served, providers):
            if t == slots:
                return 0.0 if served == k else math.nan
            must = served < k and slots - t <= k - served
            choices = [] if must else [value(t + 1, served, providers)]
            if served < k:
                choices.append(ask(pick, is_cost, value, t, served, must, providers, (0, 1, 2)))
            return pick(choices)

        return value(0, 0, tuple((False, 1, each) for each in trust))

    return solve(min, True), solve(max, False)
