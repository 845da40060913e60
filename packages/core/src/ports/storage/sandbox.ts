import type { JsonObject } from '../../kernel/json.ts'
import type { ErasedAccount } from './erasure.ts'

// The play money of the sandbox: wallets of a chain that does not exist, and the records of a card processor that moves nothing.

/** A wallet of the play chain. */
export interface SandboxWallet {
  /** An address in lower case. */
  readonly address: string
  /** In the smallest unit of the play token. */
  readonly atomic: bigint
  readonly createdAt: Date
}

/** A transfer on the play chain. */
export interface SandboxTransfer {
  /** Addresses in lower case. */
  readonly from: string
  readonly to: string
  /** Unique for its sender. */
  readonly nonce: string
  readonly atomic: bigint
  /** The hash of the transaction. */
  readonly transaction: string
  /** Whether it was made with a signed authorization, and not to give money back. */
  readonly isAuthorized: boolean
  readonly at: Date
}

/** Which wallet gets how much play money. */
export interface SandboxFunding {
  readonly address: string
  /** The balance that the wallet has afterwards, unless it has more. */
  readonly upTo: bigint
  readonly at: Date
  /** The most wallets that there may be. */
  readonly maxWallets: number
}

/** Wallets of the play chain. */
export interface SandboxWalletReader {
  /** Returns a wallet. Undefined for one that never had play money. */
  get(address: string): Promise<SandboxWallet | undefined>
  /** Returns a transfer by its sender and nonce. */
  getTransfer(from: string, nonce: string): Promise<SandboxTransfer | undefined>
  /** Returns a transfer by the hash of its transaction. */
  getTransaction(transaction: string): Promise<SandboxTransfer | undefined>
}

/** Moves play money. */
export interface SandboxWalletStore extends SandboxWalletReader {
  /** Fills a wallet, and creates it. Undefined when there are too many wallets to create another one. */
  fund(funding: SandboxFunding): Promise<SandboxWallet | undefined>
  /**
   * Moves play money and stores the transfer. Of concurrent transfers with the same sender and nonce, one moves it. A sender never
   * pays more than it has, however many transfers run concurrently.
   */
  transfer(transfer: SandboxTransfer): Promise<'moved' | 'nonce_used' | 'insufficient_balance'>
  /** Deletes at most `limit` wallets that were created before a time and never sent or received a transfer. Returns how many. */
  deleteUnused(before: Date, limit: number): Promise<number>
}

/**
 * The state of a play payment. A page or token is `open` until it is used. `unknown` is a payment whose outcome a person decides
 * later.
 */
export type SandboxPaymentState = 'open' | 'paid' | 'declined' | 'unknown' | 'canceled' | 'expired'

/** A page or token of the play processor that was not used yet. */
export interface NewSandboxPayment {
  /** Unguessable. */
  readonly id: string
  /** A page that a person pays on, or a token that an agent pays with. */
  readonly kind: 'checkout' | 'token'
  /** ISO 4217, lower case. */
  readonly currency: string
  /** In the smallest unit of the currency; the most that a token pays. */
  readonly amount: bigint
  /** The texts of the page, and where it redirects to. */
  readonly details: JsonObject
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** A payment of the play processor. */
export interface SandboxPayment extends NewSandboxPayment {
  readonly state: SandboxPaymentState
  /** The address that the buyer entered. */
  readonly email: string | null
  /** When its state changed last. */
  readonly decidedAt: Date | null
  /** When it was given back; null if it was not. */
  readonly refundedAt: Date | null
  /** The state of a dispute; null for none. */
  readonly dispute: 'opened' | 'won' | 'lost' | null
}

/** A change of the state of a payment. */
export interface SandboxDecision {
  readonly id: string
  /** The states that it may have before. */
  readonly from: readonly SandboxPaymentState[]
  readonly to: SandboxPaymentState
  readonly at: Date
  /** The amount that is taken, for a token that pays less than it may. */
  readonly amount?: bigint | undefined
  /** Details to add. */
  readonly details?: JsonObject | undefined
  readonly email?: string | undefined
}

/** Payments of the play processor. */
export interface SandboxPaymentReader {
  /** Returns a payment, in any state. */
  get(id: string): Promise<SandboxPayment | undefined>
  /** Returns payments in a state, the latest first. */
  list(states: readonly SandboxPaymentState[], limit: number): Promise<readonly SandboxPayment[]>
}

/** Changes payments of the play processor. */
export interface SandboxPaymentStore extends SandboxPaymentReader {
  /** Stores a payment that is open. Returns false when there are `maxOpen` of its kind that are not expired. */
  insert(payment: NewSandboxPayment, maxOpen: number): Promise<boolean>
  /**
   * Changes the state of a payment, and returns the payment; undefined when it does not exist or has another state. Of concurrent
   * changes from the same state, one wins. A payment that is past its time changes from `open` to `expired` only.
   */
  decide(decision: SandboxDecision): Promise<SandboxPayment | undefined>
  /** Gives a paid payment back, once, and returns it; undefined when it is not paid. */
  refund(id: string, at: Date): Promise<SandboxPayment | undefined>
  /** Opens the dispute of a paid payment, or decides an open one. Returns the payment; undefined when that is not possible. */
  dispute(id: string, state: 'opened' | 'won' | 'lost'): Promise<SandboxPayment | undefined>
  /** Deletes at most `limit` payments that expired before a time and were never paid. Returns how many. */
  deleteUnpaid(before: Date, limit: number): Promise<number>
}

/** An order of a plan at the play processor, and the subscription that it became. */
export interface SandboxPlan {
  /** The unguessable id of the checkout page. */
  readonly id: string
  readonly accountId: string
  /** Unique: the key of the attempt to order. */
  readonly attempt: string
  /** Unique; null until the page was completed. */
  readonly subscriptionId: string | null
  /** Increased by every change. */
  readonly version: number
  /** How far its time is ahead of the clock, in milliseconds. */
  readonly aheadMs: number
  /** What the play processor knows of it. Times in it are those of the plan. */
  readonly details: JsonObject
  readonly createdAt: Date
}

/** Plans of the play processor. */
export interface SandboxPlanReader {
  /** Returns an order by the id of its page. */
  get(id: string): Promise<SandboxPlan | undefined>
  /** Returns an order by the subscription that it became. */
  getBySubscription(subscriptionId: string): Promise<SandboxPlan | undefined>
  /** Returns the latest plans, the latest first. */
  list(limit: number): Promise<readonly SandboxPlan[]>
}

/** Changes plans of the play processor. */
export interface SandboxPlanStore extends SandboxPlanReader {
  /** Stores an order with version 1, whose time is the clock. Returns the order of the same attempt if there is one. */
  insert(plan: Omit<SandboxPlan, 'version' | 'subscriptionId' | 'aheadMs'>): Promise<SandboxPlan>
  /** Changes a plan that still has this version, and returns it; undefined otherwise. Of concurrent changes, one wins. */
  update(
    plan: Pick<SandboxPlan, 'id' | 'version' | 'subscriptionId' | 'aheadMs' | 'details'>,
  ): Promise<SandboxPlan | undefined>
  /**
   * Lets time pass for what people paid: moves the time of every plan ahead, and brings the ends of access and of the periods of
   * subscriptions nearer, with what counts from their begin. Concurrent calls add up, and a concurrent change of a plan loses.
   * Sessions, tokens and everything else keep their times. Returns the ids of the profiles whose access ends earlier.
   */
  moveClock(byMs: number): Promise<readonly number[]>
  /** Deletes at most `limit` orders that were made before a time and never became a subscription. Returns how many. */
  deleteUnbought(before: Date, limit: number): Promise<number>
}

/** An email that was not sent, but put into the mailbox of the sandbox. */
export interface SandboxMail {
  /** UUID. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly sentAt: Date
}

/** The mailbox of the sandbox. */
export interface SandboxMailReader {
  /** Returns an email. */
  get(id: string): Promise<SandboxMail | undefined>
  /** Returns the latest emails, the latest first. */
  list(limit: number): Promise<readonly SandboxMail[]>
}

/** Puts emails into the mailbox of the sandbox. */
export interface SandboxMailStore extends SandboxMailReader {
  /** Stores an email, and deletes all but the latest `keep`. */
  insert(mail: SandboxMail, keep: number): Promise<void>
  /** Deletes the emails to an account, its plans, and its address in payments. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
