import type { Clock } from '../../../kernel/clock.ts'
import type { Webhook } from '../../../ports/storage/webhooks.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { scopesOfKey } from '../../people/api-keys/index.ts'
import { subscriptionPaused } from './events.ts'

export interface EndedKeysDeps extends GuardedStorage<'webhooks'> {
  readonly clock: Clock
}

/** How many webhooks are paused in one transaction. */
export const PAUSED_AT_ONCE = 200

/** The API keys that webhooks depend on. */
export function createWebhookKeys({ read, write, clock }: EndedKeysDeps) {
  return {
    /** Returns the scopes of the credential that a webhook depends on. Undefined when its key has ended. */
    async scopesOf({
      apiKeyId,
      accountId,
    }: Pick<Webhook, 'apiKeyId' | 'accountId'>): Promise<readonly string[] | 'all' | undefined> {
      return apiKeyId === null ? 'all' : scopesOfKey(read, { id: apiKeyId, accountId }, clock())
    },

    /** Pauses webhooks that keys of an account created for a profile in which the account has no role any more. */
    pauseOfFormerMember: (accountId: string, profileId: number): Promise<void> =>
      write(async (tx, emit) => {
        for (const { id } of await tx.webhooks.pauseOfFormerMember(accountId, profileId)) {
          emit(subscriptionPaused, { subscriptionId: id, reason: 'key_ended' }, { accountId })
        }
      }),

    /** Pauses webhooks whose key has ended. Returns their number, at most `PAUSED_AT_ONCE`. */
    pauseEnded: (): Promise<number> =>
      write(async (tx, emit) => {
        const paused = await tx.webhooks.pauseOfEndedKeys(clock(), PAUSED_AT_ONCE)
        for (const { id, accountId } of paused) {
          emit(subscriptionPaused, { subscriptionId: id, reason: 'key_ended' }, { accountId })
        }
        return paused.length
      }),
  }
}

export type WebhookKeys = ReturnType<typeof createWebhookKeys>
