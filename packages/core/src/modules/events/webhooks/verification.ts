import type { Clock } from '../../../kernel/clock.ts'
import type { Webhook, WebhookReader, WebhookStatus } from '../../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { subscriptionCreated } from './events.ts'
import { leaseEnd } from './lease-end.ts'
import type { ReceiverClient } from './receiver.ts'

/** The number of webhooks among which one to the same host is looked for. */
const COMPARED = 100
/** The states of webhooks whose receivers confirmed them. */
const CONFIRMED: readonly WebhookStatus[] = ['active', 'paused']

const hostOf = (url: string): string => new URL(url).host

export interface VerificationDeps extends Pick<GuardedStorage<'webhooks'>, 'write'> {
  readonly clock: Clock
  readonly receivers: Pick<ReceiverClient, 'refusal'>
  /** Whether patterns match events that only a team or an account receives. */
  readonly namesPrivate: (patterns: readonly string[]) => boolean
}

/** The result of a verification. */
export interface Verification {
  /** Undefined when the state of the webhook has changed in the meantime. */
  readonly webhook: Webhook | undefined
  /** The reason of a refusal. Undefined when the receiver confirmed. */
  readonly refusal: string | undefined
}

/** Asks the receiver of a leased new webhook for confirmation, and activates or rejects the webhook. */
export function createVerification({ write, clock, receivers, namesPrivate }: VerificationDeps) {
  /** Whether a webhook names private events, and no other one sends private events of its source to its host. */
  async function isNewReceiver({ listOfAccount }: Pick<WebhookReader, 'listOfAccount'>, webhook: Webhook) {
    if (!namesPrivate(webhook.eventTypes)) return false
    const host = hostOf(webhook.deliveryUrl)
    const { items } = await listOfAccount(webhook.accountId, { limit: COMPARED })
    return !items.some(
      (other) =>
        other.id !== webhook.id &&
        CONFIRMED.includes(other.status) &&
        other.sourceProfileId === webhook.sourceProfileId &&
        hostOf(other.deliveryUrl) === host &&
        namesPrivate(other.eventTypes),
    )
  }

  return async (webhook: Webhook, holder: string, signal?: AbortSignal): Promise<Verification> => {
    const { id, deliveryUrl, sourceDid, leaseSeconds } = webhook
    const reject = () =>
      write((tx) => tx.webhooks.update(id, ['pending_verification'], { status: 'rejected', endedAt: clock() }))
    let refusal: string | undefined
    try {
      refusal = await receivers.refusal(deliveryUrl, sourceDid, leaseSeconds, signal)
    } catch (error) {
      signal?.throwIfAborted()
      await reject()
      throw error
    }
    if (refusal !== undefined) return { webhook: await reject(), refusal }
    const active = await write(async (tx, emit) => {
      const changes = { status: 'active', ...leaseEnd(clock(), leaseSeconds) } as const
      const verified = await tx.webhooks.update(id, ['pending_verification'], changes)
      await tx.webhooks.release({ webhookId: id, holder })
      if (verified) {
        const data = { subscriptionId: id, isNewReceiver: await isNewReceiver(tx.webhooks, verified) }
        emit(subscriptionCreated, data, { accountId: verified.accountId })
      }
      return verified
    })
    return { webhook: active, refusal }
  }
}

export type Verify = ReturnType<typeof createVerification>
