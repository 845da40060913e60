import type { Outbox } from '../../email/outbox.ts'
import type { Mail } from '../../ports/mailer.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { PauseReason, Webhook } from '../../ports/storage/webhooks.ts'
import { composeEmail, type MailContext } from '../accounts/index.ts'

export interface PauseEmailDeps {
  readonly read: Readers<'webhooks'>
  readonly outbox: Pick<Outbox, 'post'>
  /** The name of the service in emails. */
  readonly service: string
}

type Cause = Exclude<PauseReason, 'owner'>

const CAUSES: Readonly<Record<Cause, string>> = {
  failures: 'Five events in a row could not be delivered. New events wait.',
  gone: 'The receiver answered 410 Gone. New events wait.',
  backlog: 'Too many events wait, so newer ones are not queued: replay them after you resume the subscription.',
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

/** Returns what sends the email about a pause. Nothing is sent for a webhook that was resumed or ended meanwhile. */
export function createPauseEmails({ read, outbox, service }: PauseEmailDeps) {
  return (webhookId: string): void =>
    outbox.post('webhook_paused', async () => {
      const webhook = await read.webhooks.get(webhookId)
      if (webhook?.status !== 'paused' || webhook.pauseReason === null || webhook.pauseReason === 'owner')
        return undefined
      const account = await read.accounts.get(webhook.accountId)
      if (!account || account.deletionScheduledAt || account.bannedAt) return undefined
      const { email: to, username } = account
      return pauseEmail({ service, to, username }, webhook, webhook.pauseReason)
    })
}
