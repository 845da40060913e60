import type { Outbox } from '../../email/outbox.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createTaskLoop, type TaskLoop } from '../../kernel/task-loop.ts'
import type { Mail } from '../../ports/mailer.ts'
import type { PauseReason, Webhook } from '../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'

export interface PauseEmailDeps extends GuardedStorage<'webhooks'> {
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'send'>
  /** The name of the service in emails. */
  readonly service: string
  readonly onError: (error: unknown) => void
}

const BATCH = 20
const POLL_MS = 60_000
/** When an email is sent again that failed, or whose process died. */
const RETRY_MS = 15 * 60_000

type Cause = Exclude<PauseReason, 'owner'>

const CAUSES: Readonly<Record<Cause, string>> = {
  failures: 'Five events in a row could not be delivered. New events wait.',
  gone: 'The receiver answered 410 Gone. New events wait.',
  backlog:
    'Too many events wait, or they waited for longer than events are kept. Newer ones may be missing: replay them after you resume the subscription.',
}

/** Reports to the owner of a webhook that the service paused it. */
const pauseEmail = (head: MailContext, { id, deliveryUrl, sourceDid }: Webhook, cause: Cause): Mail =>
  composeEmail(head, {
    subject: `A webhook of yours at ${head.service} was paused`,
    paragraphs: [
      `Events of ${sourceDid} are not delivered to ${new URL(deliveryUrl).host} any more. ${CAUSES[cause]}`,
      `When the receiver works again, resume the subscription ${id}; its delivery log has the attempts.`,
      'If you do not need it any more, cancel it.',
    ],
  })

/**
 * Sends an email about each webhook that the service paused. The transaction that pauses one stores that its owner is to be
 * notified, so a process that dies before the email was sent leaves it to another. `wake` looks for them now.
 */
export function createPauseEmails({ read, write, clock, outbox, service, onError }: PauseEmailDeps): TaskLoop {
  async function make(webhook: Webhook): Promise<Mail | undefined> {
    const account = await read.accounts.get(webhook.accountId)
    const { pauseReason } = webhook
    if (!account || account.deletionScheduledAt || account.bannedAt) return undefined
    if (pauseReason === null || pauseReason === 'owner') return undefined
    const { email: to, username } = account
    return pauseEmail({ service, to, username }, webhook, pauseReason)
  }

  async function sendSome(): Promise<number> {
    const now = clock()
    const retryAt = new Date(now.getTime() + RETRY_MS)
    const paused = await write((tx) => tx.webhooks.takePauseNotices(now, retryAt, BATCH))
    for (const webhook of paused) {
      const isDone = await outbox.send('webhook_paused', () => make(webhook))
      if (isDone) await write((tx) => tx.webhooks.endPauseNotice(webhook.id, retryAt))
    }
    return paused.length
  }

  return createTaskLoop(async (signal) => {
    try {
      for (let sent = BATCH; sent === BATCH && !signal.aborted; ) sent = await sendSome()
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    return POLL_MS
  })
}
