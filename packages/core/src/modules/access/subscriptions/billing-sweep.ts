import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Batch, OpenCheckout } from '../../../ports/storage/subscriptions.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { createAccountDeletion } from './account-deletion.ts'
import type { BillingContext } from './billing-context.ts'
import { createTrialReminders } from './trial-reminders.ts'

export interface BillingSweepDeps extends GuardedStorage<'subscriptions'>, BillingContext {
  readonly clock: Clock
  readonly logger: EepLogger | undefined
}

const EVERY_MS = HOUR_MS
const FIRST_TURN_MS = 30_000
const JITTER = 0.25
const AT_ONCE = 100
/** Messages about checkout pages arrive within seconds. After this time they are considered lost. */
const CHECKOUT_MS = HOUR_MS
/** How long processed messages are recorded. Processors resend messages for some days. */
const MESSAGES_KEPT_MS = 30 * 24 * HOUR_MS

/**
 * Checks subscriptions and checkouts whose messages are overdue, reminds of trials that end, and ends what can no longer be paid. Every instance may
 * run it: repeating it changes nothing.
 */
export function createBillingSweep(deps: BillingSweepDeps) {
  const { read, write, clock, billing, leases, sync, checkouts, logger } = deps
  const accountDeletion = createAccountDeletion({ ...deps, connected: deps })
  const trialReminders = createTrialReminders(deps)
  const onError = (error: unknown) => logger?.warn({ err: error }, 'subscriptions could not be checked; will retry')

  /** Runs `work` for each item of a list, continuing after failures. Returns the number of successes. */
  async function each<Item>(
    list: (batch: Batch) => Promise<readonly Item[]>,
    idOf: (item: Item) => string,
    work: (item: Item) => Promise<unknown>,
    signal: AbortSignal | undefined,
  ): Promise<number> {
    let done = 0
    for (let after: string | undefined; ; ) {
      const items = await list({ limit: AT_ONCE, after })
      for (const item of items) {
        if (signal?.aborted) return done
        try {
          await work(item)
          done += 1
        } catch (error) {
          onError(error)
        }
      }
      const last = items.at(-1)
      if (items.length < AT_ONCE || last === undefined) return done
      after = idOf(last)
    }
  }

  /** A checkout page stays open for a day, but cannot be paid once the account has another subscription. */
  const settle = (open: OpenCheckout) =>
    leases.during(open.accountId, async (lease) => {
      const now = await read.subscriptions.getCheckout(open.accountId)
      if (now?.attempt !== open.attempt) return
      const page = now.checkoutId === null ? undefined : await billing.getCheckout(now.checkoutId)
      if (page?.state === 'open' && !(await read.subscriptions.getLive(open.accountId))) return
      await checkouts.close(lease, now)
    })

  const forgetMessages = (before: Date, signal: AbortSignal | undefined) =>
    inBatches(() => write((tx) => tx.subscriptions.deleteMessages(before, AT_ONCE)), signal, AT_ONCE)

  async function run(signal?: AbortSignal) {
    const now = clock()
    const ago = (ms: number) => new Date(now.getTime() - ms)
    const { subscriptions } = read
    const looked = await each(
      (batch) => subscriptions.listDue(billing.id, now, batch),
      ({ id }) => id,
      ({ processorSubscriptionId }) => sync.sync(processorSubscriptionId),
      signal,
    )
    // After the synchronization, so that a trial that was cancelled meanwhile is not announced.
    const reminded = await each(
      (batch) => subscriptions.listTrialsEnding(billing.id, { from: now, to: trialReminders.dueUntil() }, batch),
      ({ id }) => id,
      trialReminders.remind,
      signal,
    )
    const left = await each(
      (batch) => subscriptions.listLeaving(billing.id, batch),
      ({ id }) => id,
      ({ accountId }) => accountDeletion.leave(accountId),
      signal,
    )
    const pages = await each(
      (batch) => subscriptions.listCheckouts(billing.id, ago(CHECKOUT_MS), batch),
      ({ accountId }) => accountId,
      settle,
      signal,
    )
    return { looked, reminded, left, pages, messages: await forgetMessages(ago(MESSAGES_KEPT_MS), signal) }
  }

  const turns = timed(run, { everyMs: EVERY_MS, firstMs: FIRST_TURN_MS, jitter: JITTER, onError })
  return {
    ...turns,
    /** Runs one round immediately and returns the counts. */
    run,
  }
}
