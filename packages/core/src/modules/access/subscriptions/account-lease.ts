import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GuardedStorage, Write } from '../../../runtime/storage/guard.ts'
import { subscriptionBusy } from './errors.ts'

export interface LeaseDeps extends GuardedStorage<'subscriptions'> {
  /** How long a process holds the lease of an account without renewing it. */
  readonly leaseMs?: number | undefined
  /** How long to wait for others. */
  readonly patienceMs?: number | undefined
}

/** The lease for the subscriptions of an account. */
export interface Lease {
  readonly accountId: string
  /** Writes if the lease is still held, so older data never overwrites newer data. */
  readonly write: Write<'subscriptions'>
}

const LEASE_MS = 30_000
const PATIENCE_MS = 20_000
const FIRST_PAUSE_MS = 15
const LONGEST_PAUSE_MS = 400
const BUSY = { retryAfterMs: 1_000 }

/**
 * Lets one caller at a time, across all instances, query a processor for the subscription of an account and store the
 * result. Holds only a lease row meanwhile, and no open transaction.
 */
export function createAccountLeases({ read, write, leaseMs = LEASE_MS, patienceMs = PATIENCE_MS }: LeaseDeps) {
  // Within a process, only the first waiter queries the storage.
  const lines = new Map<string, Promise<unknown>>()

  async function take(accountId: string, holder: string, until: number): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      if (await write((tx) => tx.subscriptions.takeLease(accountId, holder, leaseMs))) return
      const isGone = !(await read.accounts.get(accountId))
      if (isGone || Date.now() >= until) throw subscriptionBusy(BUSY)
      await sleep(pause * (0.5 + Math.random()))
    }
  }

  const leaseOf = (accountId: string, holder: string): Lease => ({
    accountId,
    write: (work) =>
      write(async (tx, emit) => {
        if (!(await tx.subscriptions.keepLease(accountId, holder))) throw subscriptionBusy(BUSY)
        return work(tx, emit)
      }),
  })

  async function hold<Result>(
    accountId: string,
    until: number,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result> {
    const holder = randomUUID()
    await take(accountId, holder, until)
    try {
      return await work(leaseOf(accountId, holder))
    } finally {
      // If this fails, the lease expires.
      await write((tx) => tx.subscriptions.endLease(accountId, holder)).catch(() => undefined)
    }
  }

  return {
    /**
     * Runs work while holding the lease of the account.
     *
     * @throws `subscription_busy` when others take too long, took over, or the account is gone
     */
    during<Result>(accountId: string, work: (lease: Lease) => Promise<Result>): Promise<Result> {
      const until = Date.now() + patienceMs
      const before = lines.get(accountId) ?? Promise.resolve()
      const turn = before.catch(() => undefined).then(() => hold(accountId, until, work))
      lines.set(accountId, turn)
      const leave = () => {
        if (lines.get(accountId) === turn) lines.delete(accountId)
      }
      turn.then(leave, leave)
      return turn
    },
  }
}

export type AccountLeases = ReturnType<typeof createAccountLeases>
