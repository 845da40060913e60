import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import type { PlanTable } from '../../../model/plan.ts'
import type { Reminder } from '../../../ports/storage/prepaid-plans.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { subscriptionEndsEmail } from './emails.ts'
import type { PrepaidFulfilment } from './prepaid-fulfilment.ts'
import { PAID_BEFOREHAND } from './prepaid-processor.ts'
import { noteChange } from './update-account-plan.ts'

export interface PrepaidPlanTurnsDeps extends GuardedStorage<'subscriptions'> {
  readonly clock: Clock
  readonly delivery: PrepaidFulfilment
  readonly outbox: Pick<Outbox, 'post'>
  readonly planLimits: PlanTable
  /** The page of the frontend where a year is paid. */
  readonly link: string
  readonly onError: (error: unknown) => void
  readonly everyMs: number
}

/** Days before the end on which reminders are sent, the last one first. */
const REMINDED = [1, 7, 30] as const
/** The outbox drops emails beyond its capacity, and a claimed reminder is not sent again. */
const REMINDED_A_TURN = 250
const AT_ONCE = 100
const FIRST_TURN_MS = 20_000
const JITTER = 0.25

/**
 * Ends expired years, starts waiting ones, and sends reminders. Safe on several instances: each step has one winner.
 */
export function createPrepaidPlanTurns(deps: PrepaidPlanTurnsDeps) {
  const { read, write, clock, delivery, outbox, planLimits, link, onError, everyMs } = deps

  /** A failure for one account is logged and does not affect the others; it is tried again in the next round. */
  const attempted = (work: () => Promise<boolean>): Promise<boolean> =>
    work().catch((error: unknown) => {
      onError(error)
      return false
    })

  /** True when this call ended it. */
  const end = (accountId: string, now: Date) =>
    write(async (tx, emit) => {
      await tx.accounts.lock(accountId)
      const live = await tx.subscriptions.getLive(accountId)
      const endsAt = live?.processor === PAID_BEFOREHAND ? live.currentPeriodEnd : null
      if (!live || endsAt === null || endsAt > now) return false
      const ended = await tx.subscriptions.put({ ...live, status: 'canceled', canceledAt: endsAt, updatedAt: now })
      if (!ended) return false
      await noteChange(tx, emit, live, ended)
      await delivery.beginWaiting(accountId, tx, emit)
      return true
    })

  async function endDue(now: Date, signal?: AbortSignal): Promise<number> {
    let ended = 0
    for (let after: string | undefined; !signal?.aborted; ) {
      const due = await read.subscriptions.listDue(PAID_BEFOREHAND, now, { limit: AT_ONCE, after })
      for (const { accountId } of due) if (await attempted(() => end(accountId, now))) ended += 1
      after = due.at(-1)?.id
      if (due.length < AT_ONCE) break
    }
    return ended
  }

  /** True when this call started one. */
  const begin = (accountId: string) =>
    write(async (tx, emit) => {
      await tx.accounts.lock(accountId)
      if (await tx.subscriptions.getLive(accountId)) return false
      return delivery.beginWaiting(accountId, tx, emit)
    })

  async function beginStalled(): Promise<number> {
    const accounts = await read.prepaidPlans.listStalled(AT_ONCE)
    let begun = 0
    for (const accountId of accounts) if (await attempted(() => begin(accountId))) begun += 1
    return begun
  }

  async function remind(reminder: Reminder, days: number): Promise<boolean> {
    if (!(await write((tx) => tx.prepaidPlans.claimReminder(reminder, days)))) return false
    outbox.post(subscriptionEndsEmail, async () => {
      const account = await read.accounts.get(reminder.accountId)
      if (!account || account.deletionScheduledAt || account.bannedAt) return undefined
      const { email: to, username, language } = account
      return { to, username, language, data: { tier: planLimits(reminder.tier).name, endsAt: reminder.endsAt, link } }
    })
    return true
  }

  async function remindAll(now: Date, signal?: AbortSignal): Promise<number> {
    let reminded = 0
    for (const days of REMINDED) {
      if (signal?.aborted) break
      const to = new Date(now.getTime() + days * DAY_MS)
      const due = await read.prepaidPlans.listToRemind({ from: now, to, days, limit: REMINDED_A_TURN })
      for (const reminder of due) if (await attempted(() => remind(reminder, days))) reminded += 1
    }
    return reminded
  }

  async function run(signal?: AbortSignal) {
    const now = clock()
    const ended = await endDue(now, signal)
    const begun = await beginStalled()
    return { ended, begun, reminded: await remindAll(now, signal) }
  }

  const turns = timed(run, { everyMs, firstMs: Math.min(everyMs, FIRST_TURN_MS), jitter: JITTER, onError })
  return {
    ...turns,
    /** Runs one round immediately and returns the counts. */
    run,
  }
}
