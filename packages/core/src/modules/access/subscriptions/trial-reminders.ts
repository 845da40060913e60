import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { trialEnding } from './events.ts'

export interface TrialReminderDeps extends GuardedStorage<'subscriptions'> {
  readonly clock: Clock
}

/** How many days before the end of a trial its account is reminded. */
const TRIAL_REMINDER_DAYS = 3

/** Announces the end of trials, once for each end. */
export function createTrialReminders({ write, clock }: TrialReminderDeps) {
  return {
    /** The time until which trials must end for a reminder to be due. */
    dueUntil: (): Date => new Date(clock().getTime() + TRIAL_REMINDER_DAYS * DAY_MS),

    /** Emits the reminder of a trial. Of concurrent calls, one does; none for a trial as short as the period of the reminder. */
    remind({
      id: subscriptionId,
      accountId,
      tier,
      processor,
      status,
      trialEnd,
      createdAt,
    }: Subscription): Promise<boolean> {
      return write(async (tx, emit) => {
        if (!trialEnd || trialEnd.getTime() - createdAt.getTime() <= TRIAL_REMINDER_DAYS * DAY_MS) return false
        if (!(await tx.subscriptions.claimTrialReminder(subscriptionId, trialEnd, TRIAL_REMINDER_DAYS))) return false
        const data = { accountId, subscriptionId, tier, processor, status, trialEndsAt: trialEnd.toISOString() }
        emit(trialEnding, data, { accountId })
        return true
      })
    },
  }
}
