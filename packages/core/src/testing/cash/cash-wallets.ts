import { randomUUID } from 'node:crypto'
import { systemClock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type CashLedger, createCashLedger } from './ledger.ts'
import { CASH_NETWORK, cashOfferIn, encodeCash, signCash } from './payload.ts'

/** How a payment differs from a plain one. */
export interface CashPayment {
  /** Who pays; `wallet:payer` unless told. */
  readonly wallet?: string | undefined
  /** Makes it single use: a second payment of one wallet with this nonce is the same credential. */
  readonly nonce?: string | undefined
  /** In atomic units; another value than the offered one is refused. */
  readonly amount?: string | bigint | undefined
  /** How long the credential is valid, in seconds by the clock of the wallets. Default: 120. */
  readonly validSeconds?: number | undefined
  /** Signed by somebody else: refused when it is verified. */
  readonly forged?: boolean | undefined
}

/** What goes wrong in a call of the rail. The parts may be combined. */
export interface CashFault {
  /** Does nothing before this promise is fulfilled. */
  readonly hold?: Promise<unknown> | undefined
  /** Answers when this promise is fulfilled, after the money was taken. */
  readonly late?: Promise<unknown> | undefined
  /** Refuses with this reason; nothing is taken. */
  readonly refuse?: string | undefined
  /** The call fails and nobody sees its outcome: the request was lost and nothing taken, or the answer after taking. */
  readonly lose?: 'request' | 'answer' | undefined
  /** What is thrown for a lost outcome instead of `paymentUnknown`: anything a rail should not throw. */
  readonly as?: unknown
}

/** Cash that a seller hands back. What is left out is as a refund of the payer's last payment needs it. */
export interface CashReturn {
  readonly to: string
  readonly from?: string | undefined
  readonly amount?: string | bigint | undefined
  readonly asset?: string | undefined
  readonly at?: Date | undefined
}

/** A {@link CashReturn} that took place. */
export interface CashReturned {
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly asset: string
  readonly at: Date
}

/** A method of {@link cashRail} that a test can make fail. */
export type CashMethod = 'offer' | 'verify' | 'settle' | 'recover' | 'verifyRefund'

/** The far side of a {@link cashRail}: the payers, the money and the accidents of a test. */
export interface CashWallets {
  readonly ledger: CashLedger
  readonly clock: () => Date
  /** What was received so far in atomic units, altogether or by one seller. */
  balance(payTo?: string): bigint
  /** Plays the client: signs a payment of an offer (`RailOffer.accept`). Nothing is taken yet. */
  pay(accept: JsonObject, payment?: CashPayment): { readonly paymentSignature: string }
  /** Plays the client: from the `PAYMENT-REQUIRED` header of a 402 to the request headers of the paid repeat. */
  answer(paymentRequired: unknown, payment?: CashPayment): { readonly 'payment-signature': string }
  /** Plays the seller: hands cash back to a wallet that paid. Gives the reference of the transfer. */
  giveBack(change: CashReturn): string
  /** A transfer made by `giveBack`. */
  findReturn(reference: string): CashReturned | undefined
  /** Lets the next call of a method go wrong; called again, the one after it. */
  next(method: CashMethod, fault: CashFault): void
  /** The calls of the rail so far, oldest first. */
  readonly calls: readonly CashMethod[]
  /** Notes a call and gives the fault that was ordered for it; for the rail. */
  enter(method: CashMethod): CashFault
}

/** Options of {@link createCashWallets}. */
export interface CashWalletsOptions {
  /** The ledger, shared by the wallets of several instances of one service. */
  readonly ledger?: CashLedger | undefined
  readonly clock?: (() => Date) | undefined
  readonly network?: string | undefined
}

/** Creates the control object of {@link cashRail}. */
export function createCashWallets(options: CashWalletsOptions = {}): CashWallets {
  const { ledger = createCashLedger(), clock = systemClock, network = CASH_NETWORK } = options
  const faults: { readonly method: CashMethod; readonly fault: CashFault }[] = []
  const calls: CashMethod[] = []

  const returns = new Map<string, CashReturned>()

  const pay: CashWallets['pay'] = (accept, payment = {}) => {
    const authorization = {
      from: payment.wallet ?? 'wallet:payer',
      to: String(accept.payTo),
      value: String(payment.amount ?? accept.amount),
      validBefore: Math.floor(clock().getTime() / 1000) + (payment.validSeconds ?? 120),
      nonce: payment.nonce ?? randomUUID(),
    }
    const signature = payment.forged ? 'forged' : signCash(authorization)
    return { paymentSignature: encodeCash(accept, authorization, signature) }
  }

  return {
    ledger,
    clock,
    calls,
    pay,
    balance: (payTo) =>
      ledger
        .list()
        .filter((transfer) => payTo === undefined || transfer.to === payTo)
        .reduce((sum, { value }) => sum + value, 0n),
    answer: (paymentRequired, payment) => ({
      'payment-signature': pay(cashOfferIn(String(paymentRequired), network), payment).paymentSignature,
    }),
    giveBack({ to, from, amount, asset = 'cash', at = clock() }) {
      const paid = ledger.list().findLast((transfer) => transfer.from === to)
      const reference = `back_${randomUUID()}`
      const value = BigInt(amount ?? paid?.value ?? 0n)
      returns.set(reference, { from: from ?? paid?.to ?? '', to, value, asset, at })
      return reference
    },
    findReturn: (reference) => returns.get(reference),
    next: (method, fault) => void faults.push({ method, fault }),
    enter(method) {
      calls.push(method)
      const index = faults.findIndex((one) => one.method === method)
      return faults.splice(index, index < 0 ? 0 : 1)[0]?.fault ?? {}
    },
  }
}
