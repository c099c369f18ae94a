#!/usr/bin/env python3
"""Writes the BIP model of section 7.1 of the BIP{I} paper: N users, each at an automatic teller machine of their own, and one
bank with a validation and a transaction unit that the machines share.

    atm.py N"""
import argparse

HEAD = """// Section 7.1 of the BIP{{I}} paper: {number} users, {number} automatic teller machines, one bank. User i uses machine i; all
// machines share the bank's two units. There is no deadlock:
//   plumb bip {file} --deadlock{props}
//
// How it follows the paper's text: the machine waits in IDLE for a card, then in CODE for the code, for 5 time units at most;
// then the counter has expired and the card is ejected. It has the code checked by the validation unit (VALIDATE: it asks for
// that; CHECKED: it waits for the answer). If the code is wrong, the card is ejected. If it is right, the machine waits in
// AMOUNT for the amount, for 6 time units at most, and asks the transaction unit whether it may pay (TRANSACT, GRANTED). If so,
// the user gets the money (PAY), if not, the user is told (REFUSE); then the card is ejected (EJECT), and the machine is idle.
// Users never speak to the bank. A unit of the bank works on one question at a time, during which the time of all machines may
// pass; its answer goes to the machine that asked, the only one that waits for it.
package bank
  const data int CODE_TIME = 5
  const data int AMOUNT_TIME = 6
  const data int LIMIT = 50

  port type Sync()
  port type Code(bool right)
  port type Amount(int money)

  // Who inserts a card may remember the code or not, and wants much or little. Money and rejections come before the card.
  atom type User()
    data bool code
    data int amount
    export port Sync insert()
    export port Code enter_code(code)
    export port Amount enter_amount(amount)
    export port Sync take_money()
    export port Sync refused()
    export port Sync take_card()
    place AWAY, AT_CODE, AT_AMOUNT, WAITING, SERVED
    initial to AWAY do {{ code = false; amount = 0; }}
    on insert from AWAY to AT_CODE do {{ code = true; amount = 20; }}
    on insert from AWAY to AT_CODE do {{ code = true; amount = 100; }}
    on insert from AWAY to AT_CODE do {{ code = false; amount = 20; }}
    on enter_code from AT_CODE to AT_AMOUNT
    on enter_amount from AT_AMOUNT to WAITING
    on take_money from WAITING to SERVED
    on refused from WAITING to SERVED
    on take_card from AT_CODE to AWAY
    on take_card from AT_AMOUNT to AWAY
    on take_card from SERVED to AWAY
  end

  atom type Machine()
    data int t, amount
    data bool code
    port Sync tick()
    port Sync timeout()
    export port Sync insert()
    export port Code enter_code(code)
    export port Code validate(code)
    export port Sync valid()
    export port Sync invalid()
    export port Amount enter_amount(amount)
    export port Amount transact(amount)
    export port Sync approved()
    export port Sync rejected()
    export port Sync pay()
    export port Sync refuse()
    export port Sync eject()
    place IDLE, CODE, VALIDATE, CHECKED, AMOUNT, TRANSACT, GRANTED, PAY, REFUSE, EJECT
    initial to IDLE do {{ t = 0; code = false; amount = 0; }}
    on insert from IDLE to CODE do {{ t = 0; }}
    on tick from CODE to CODE provided (t < CODE_TIME) do {{ t = t + 1; }}
    on timeout from CODE to EJECT provided (t >= CODE_TIME)
    on enter_code from CODE to VALIDATE provided (t < CODE_TIME)
    on validate from VALIDATE to CHECKED
    on valid from CHECKED to AMOUNT do {{ t = 0; }}
    on invalid from CHECKED to EJECT
    on tick from AMOUNT to AMOUNT provided (t < AMOUNT_TIME) do {{ t = t + 1; }}
    on timeout from AMOUNT to EJECT provided (t >= AMOUNT_TIME)
    on enter_amount from AMOUNT to TRANSACT provided (t < AMOUNT_TIME)
    on transact from TRANSACT to GRANTED
    on approved from GRANTED to PAY
    on rejected from GRANTED to REFUSE
    on pay from PAY to EJECT
    on refuse from REFUSE to EJECT
    on eject from EJECT to IDLE do {{ t = 0; code = false; amount = 0; }}
  end

  atom type Validation()
    data bool code
    export port Code check(code)
    export port Sync valid()
    export port Sync invalid()
    place FREE, BUSY
    initial to FREE do {{ code = false; }}
    on check from FREE to BUSY
    on valid from BUSY to FREE provided (code) do {{ code = false; }}
    on invalid from BUSY to FREE provided (!code)
  end

  atom type Transaction()
    data int amount
    export port Amount ask(amount)
    export port Sync approve()
    export port Sync reject()
    place FREE, BUSY
    initial to FREE do {{ amount = 0; }}
    on ask from FREE to BUSY
    on approve from BUSY to FREE provided (amount <= LIMIT) do {{ amount = 0; }}
    on reject from BUSY to FREE provided (amount > LIMIT) do {{ amount = 0; }}
  end

  connector type Meet(Sync a, Sync b)
    define a b
  end

  connector type Tell(Code giver, Code taker)
    define giver taker
    on giver taker down {{ taker.right = giver.right; }}
  end

  connector type Request(Amount giver, Amount taker)
    define giver taker
    on giver taker down {{ taker.money = giver.money; }}
  end
"""

CONNECTORS = """    connector Meet insert{i}(user{i}.insert, atm{i}.insert)
    connector Tell code{i}(user{i}.enter_code, atm{i}.enter_code)
    connector Tell validate{i}(atm{i}.validate, validation.check)
    connector Meet valid{i}(atm{i}.valid, validation.valid)
    connector Meet invalid{i}(atm{i}.invalid, validation.invalid)
    connector Request amount{i}(user{i}.enter_amount, atm{i}.enter_amount)
    connector Request transact{i}(atm{i}.transact, transaction.ask)
    connector Meet approve{i}(atm{i}.approved, transaction.approve)
    connector Meet reject{i}(atm{i}.rejected, transaction.reject)
    connector Meet pay{i}(atm{i}.pay, user{i}.take_money)
    connector Meet refuse{i}(atm{i}.refuse, user{i}.refused)
    connector Meet eject{i}(atm{i}.eject, user{i}.take_card)"""


def model(number, file="FILE.bip", props=""):
    ids = range(1, number + 1)
    lines = [HEAD.format(number=number, file=file, props=props), "  compound type Town()",
             "    component Validation validation()", "    component Transaction transaction()"]
    for i in ids:
        lines += [f"    component User user{i}()", f"    component Machine atm{i}()"]
    lines += [CONNECTORS.format(i=i) for i in ids]
    return "\n".join([*lines, "  end", "end", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int, help="of users and machines")
    options = parser.parse_args()
    if options.number < 1:
        parser.error("at least one user is needed")
    print(model(options.number), end="")


if __name__ == "__main__":
    main()
