import type { Clock } from '../../../kernel/clock.ts'
import { createTaskLoop, type TaskLoop } from '../../../kernel/task-loop.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { DueEmail, EmailAttempt, NotificationDigest } from '../../../ports/storage/notifications.ts'
import type { Outbox } from '../../../runtime/email/outbox.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { EmailComposer } from './compose-emails.ts'
import { nextDigestAt } from './digest-time.ts'
import { notificationDigestEmail } from './email-definitions.ts'

export interface NotificationEmailDeps extends Pick<GuardedStorage<'notifications'>, 'write'> {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'send'>
  readonly composer: EmailComposer
  /** The hour (UTC) of daily emails. */
  readonly digestHour: number
  readonly logger: EepLogger | undefined
  readonly onError: (error: unknown) => void
}

const POLL_MS = 60_000
/** The delay before the first retry of an email that failed, or whose process crashed. Longer than the timeout of mailers. */
const RETRY_MS = 15 * 60_000
/** The number of attempts, with doubling delays: about 32 hours. */
const MAX_ATTEMPTS = 8
/** The number of notifications to read for a digest. It shows fewer, and the number of the others. */
const READ_FOR_DIGEST = 500

/**
 * Sends the emails of notifications and daily digests. An instance leases an email in the storage before it sends it, so one
 * instance sends each. When the instance crashes before the mailer accepted the email, another one sends it.
 */
export function createNotificationEmails(deps: NotificationEmailDeps): TaskLoop {
  const { write, clock, outbox, composer, digestHour, logger, onError } = deps

  /** Sends a leased email. Returns true when it was sent or given up, and false when a later attempt follows. */
  async function sendOrGiveUp(
    { attempt }: EmailAttempt,
    send: () => Promise<boolean>,
    about: object,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (attempt <= MAX_ATTEMPTS) {
      // A process that stops does not wait for a slow mailer. Another process repeats an email with an unknown outcome.
      if (await Promise.race([send(), aborted(signal)])) return true
      if (attempt < MAX_ATTEMPTS || signal.aborted) return false
    }
    logger?.error({ ...about, attempts: MAX_ATTEMPTS }, 'gave up on sending a notification email')
    return true
  }

  async function sendEmail(due: DueEmail, signal: AbortSignal): Promise<void> {
    const { id, accountId: account, kind } = due.notification
    const send = () => outbox.send(composer.emailOf(kind), () => composer.notification(due.notification))
    if (!(await sendOrGiveUp(due, send, { account, kind, notification: id }, signal))) return
    await write((tx) => tx.notifications.endEmail(id, due.retryAt))
  }

  async function sendDigest(digest: NotificationDigest, signal: AbortSignal): Promise<void> {
    let left: readonly string[] = []
    const send = () =>
      outbox.send(notificationDigestEmail, async () => {
        const composed = await composer.digest(digest)
        left = composed.left
        return composed.letter
      })
    if (!(await sendOrGiveUp(digest, send, { account: digest.accountId }, signal))) return
    const unlisted = digest.items.filter(({ id, inApp }) => !inApp && !left.includes(id)).map(({ id }) => id)
    const nextAt = nextDigestAt(clock(), digestHour)
    await write((tx) => tx.notifications.endDigest(digest, unlisted, nextAt))
  }

  /** Sends one due email. Returns false when there is none. */
  async function sendNext(signal: AbortSignal): Promise<boolean> {
    const due = await write((tx) => tx.notifications.takeEmail(clock(), { retryMs: RETRY_MS }))
    if (due) {
      await sendEmail(due, signal)
      return true
    }
    const options = { retryMs: RETRY_MS, limit: READ_FOR_DIGEST }
    const digest = await write((tx) => tx.notifications.takeDigest(clock(), options))
    if (digest) await sendDigest(digest, signal)
    return digest !== undefined
  }

  return createTaskLoop(async (signal) => {
    try {
      while (!signal.aborted && (await sendNext(signal)));
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    return POLL_MS
  })
}

/** Resolves to false when the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })
