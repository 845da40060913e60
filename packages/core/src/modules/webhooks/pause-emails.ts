import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createTaskLoop, type TaskLoop } from '../../kernel/task-loop.ts'
import type { EepLogger } from '../../ports/logger.ts'
import type { Mail } from '../../ports/mailer.ts'
import type { PauseReason, Webhook } from '../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'

export interface PauseEmailDeps extends GuardedStorage<'webhooks'> {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'send'>
  /** The name of the service in emails. */
  readonly service: string
  readonly logger: EepLogger | undefined
  readonly onError: (error: unknown) => void
}

const POLL_MS = 60_000
/** When an email is first sent again that failed, or whose process died: longer than the mailer may take. */
const RETRY_MS = 15 * 60_000
/** How often it is tried, with pauses that double: for about 32 hours. */
const MAX_ATTEMPTS = 8

type Cause = Exclude<PauseReason, 'owner'>

const CAUSES: Readonly<Record<Cause, string>> = {
  failures: 'Five events in a row could not be delivered. New events wait.',
  gone: 'The receiver answered 410 Gone. New events wait.',
  backlog: 'Too many events wait, or they waited for longer than events are kept.',
}

/** Reports to the owner of a webhook that the service paused it. */
const pauseEmail = (head: MailContext, { id, deliveryUrl, sourceDid, missedSince }: Webhook, cause: Cause): Mail =>
  composeEmail(head, {
    subject: `A webhook of yours at ${head.service} was paused`,
    paragraphs: [
      `Events of ${sourceDid} are not delivered to ${new URL(deliveryUrl).host} any more. ${CAUSES[cause]}`,
      ...(missedSince ? [`Events since ${missedSince.toISOString()} are missing: replay them after you resume.`] : []),
      `When the receiver works again, resume the subscription ${id}; its delivery log has the attempts.`,
      'If you do not need it any more, cancel it.',
    ],
  })

/**
 * Sends an email about each webhook that the service paused. The transaction that pauses one stores that its owner is to be
 * notified, so a process that dies before the email was sent leaves it to another. `wake` looks for them now.
 */
export function createPauseEmails({ read, write, clock, outbox, service, logger, onError }: PauseEmailDeps): TaskLoop {
  async function make(webhook: Webhook): Promise<Mail | undefined> {
    const account = await read.accounts.get(webhook.accountId)
    const { pauseReason } = webhook
    if (!account || account.deletionScheduledAt || account.bannedAt) return undefined
    if (pauseReason === null || pauseReason === 'owner') return undefined
    const { email: to, username } = account
    return pauseEmail({ service, to, username }, webhook, pauseReason)
  }

  /** Sends one email; false when none is due. */
  async function sendNext(signal: AbortSignal): Promise<boolean> {
    const options = { retryMs: RETRY_MS, limit: 1 }
    const [notice] = await write((tx) => tx.webhooks.takePauseNotices(clock(), options))
    if (!notice) return false
    const { webhook, attempt, retryAt } = notice
    const sending = outbox.send('webhook_paused', () => make(webhook))
    // A process that stops does not wait for a slow mailer. Another one sends an email again that may not have been sent.
    const isSent = await Promise.race([sending, aborted(signal)])
    if (isSent || (attempt >= MAX_ATTEMPTS && !signal.aborted)) {
      await write((tx) => tx.webhooks.endPauseNotice(webhook.id, retryAt))
      if (!isSent)
        logger?.error({ webhook: webhook.id, attempts: attempt }, 'an email about a paused webhook was given up')
    }
    return true
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

/** Resolves to false when a signal is aborted. */
const aborted = (signal: AbortSignal): Promise<false> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(false)
    else signal.addEventListener('abort', () => resolve(false), { once: true })
  })
