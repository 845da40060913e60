import { randomUUID } from 'node:crypto'
import { systemClock } from '../../kernel/clock.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type CashLedger, createCashLedger } from './ledger.ts'
import { CASH_NETWORK, cashOfferIn, encodeCash, signCash } from './payload.ts'

/** Options of a payment. */
export interface CashPayment {
  /** The payer. Default: `wallet:payer`. */
  readonly wallet?: string | undefined
  /** Makes it single use: a second payment of one wallet with this nonce is the same credential. */
  readonly nonce?: string | undefined
  /** In atomic units. A value that differs from the offer is refused. */
  readonly amount?: string | bigint | undefined
  /** Validity of the credential in seconds, by the clock of the wallets. Default: that of the offer. */
  readonly validSeconds?: number | undefined
  /** Signs with the wrong key, so that verification refuses it. */
  readonly forged?: boolean | undefined
}

/** A failure of one call of the rail. The members can be combined. */
export interface CashFault {
  /** Waits for this promise before the call is carried out. */
  readonly hold?: Promise<unknown> | undefined
  /** Waits for this promise after the money was taken, before the call returns. */
  readonly late?: Promise<unknown> | undefined
  /** Refuses with this reason, without taking money. */
  readonly refuse?: string | undefined
  /** Fails with an unknown outcome: `request` before the money is taken, `answer` after it. */
  readonly lose?: 'request' | 'answer' | undefined
  /** The value to throw for a lost outcome instead of `paymentUnknown`, to test errors that a rail should not throw. */
  readonly as?: unknown
}

/** A refund of a seller. Omitted members default to those of a correct refund of the payer's last payment. */
export interface CashReturn {
  readonly to: string
  readonly from?: string | undefined
  readonly amount?: string | bigint | undefined
  readonly asset?: string | undefined
  readonly at?: Date | undefined
}

/** A completed {@link CashReturn}. */
export interface CashReturned {
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly asset: string
  readonly at: Date
}

/** A method of {@link cashRail} that a test can make fail. */
export type CashMethod = 'offer' | 'verify' | 'settle' | 'recover' | 'inspect' | 'verifyRefund'

/** Controls a {@link cashRail} in a test: signs payments, counts money and injects failures. */
export interface CashWallets {
  readonly ledger: CashLedger
  readonly clock: () => Date
  /** The amount received in atomic units, in total or by one seller. */
  balance(payTo?: string): bigint
  /** Acts as the client: signs a payment of an offer (`RailOffer.accept`). Takes no money. */
  pay(accept: JsonObject, payment?: CashPayment): { readonly paymentSignature: string }
  /** Acts as the client: turns the `PAYMENT-REQUIRED` header of a 402 into the headers of the paid request. */
  answer(paymentRequired: unknown, payment?: CashPayment): { readonly 'payment-signature': string }
  /** Limits what a wallet has, less what it has paid. Default: it has any amount. */
  fund(wallet: string, amount: bigint): void
  /** What a wallet has. */
  fundsOf(wallet: string): number | bigint
  /** Acts as the seller: refunds a wallet. Returns the reference of the transfer. */
  giveBack(change: CashReturn): string
  /** A transfer made by `giveBack`. */
  findReturn(reference: string): CashReturned | undefined
  /** Makes the next call of a method fail. Repeated calls queue failures for later calls. */
  next(method: CashMethod, fault: CashFault): void
  /** The calls of the rail so far, oldest first. */
  readonly calls: readonly CashMethod[]
  /** Records a call and returns its fault. Used by the rail. */
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

  const funds = new Map<string, bigint>()
  const returns = new Map<string, CashReturned>()

  const pay: CashWallets['pay'] = (accept, payment = {}) => {
    const authorization = {
      from: payment.wallet ?? 'wallet:payer',
      to: String(accept.payTo),
      value: String(payment.amount ?? accept.amount),
      validBefore:
        Math.floor(clock().getTime() / 1000) + (payment.validSeconds ?? Number(accept.maxTimeoutSeconds ?? 120)),
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
    fund: (wallet, amount) => void funds.set(wallet, amount),
    fundsOf(wallet) {
      const amount = funds.get(wallet)
      if (amount === undefined) return Number.POSITIVE_INFINITY
      return ledger.list().reduce((left, { from, value }) => (from === wallet ? left - value : left), amount)
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
