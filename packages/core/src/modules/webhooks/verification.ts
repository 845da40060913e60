import type { Clock } from '../../kernel/clock.ts'
import type { Webhook } from '../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { subscriptionCreated } from './events.ts'
import { leaseEnd } from './lease-end.ts'
import type { ReceiverClient } from './receiver.ts'

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
        const data = { subscriptionId: id, isPrivate: namesPrivate(verified.eventTypes) }
        emit(subscriptionCreated, data, { accountId: verified.accountId })
      }
      return verified
    })
    return { webhook: active, refusal }
  }
}

export type Verify = ReturnType<typeof createVerification>
