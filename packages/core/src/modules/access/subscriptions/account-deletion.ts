import { isLive } from '../../../model/subscription-status.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { AccountLeases } from './account-lease.ts'
import type { BillingContext } from './billing-context.ts'
import { warnOfCharges } from './foreign-charges.ts'

export interface AccountDeletionDeps {
  readonly read: Readers<'subscriptions'>
  readonly leases: AccountLeases
  readonly connected: BillingContext | undefined
  readonly logger: EepLogger | undefined
}

/** Ends the subscriptions of deleted accounts. */
export function createAccountDeletion({ read, leases, connected, logger }: AccountDeletionDeps) {
  const isOurs = ({ processor }: { readonly processor: string }) => processor === connected?.billing.id

  return {
    /**
     * Cancels the subscription of an account in deletion at the end of its period, because the deletion may be
     * cancelled. Throws when the processor fails; the sweep tries again.
     */
    async leave(accountId: string): Promise<void> {
      const live = await read.subscriptions.getLive(accountId)
      if (!connected || !live || !isOurs(live) || live.cancelAtPeriodEnd) return
      await leases.during(accountId, async (lease) => {
        const account = await read.accounts.get(accountId)
        const now = await connected.sync.look(lease, live.processorSubscriptionId)
        if (!now || !isLive(now) || now.cancelAtPeriodEnd || !account?.deletionScheduledAt) return
        await connected.sync.cancel(lease, now, 'at_period_end')
      })
    },

    /** Ends every possible charge of an account before it is purged. Throws when the processor fails. */
    async end(accountId: string): Promise<void> {
      const [live, open] = await Promise.all([
        read.subscriptions.getLive(accountId),
        read.subscriptions.getCheckout(accountId),
      ])
      const isForeign = (charge: { readonly processor: string } | undefined) => charge && !isOurs(charge)
      warnOfCharges({ live: isForeign(live) ? live : undefined, open: isForeign(open) ? open : undefined }, logger)
      const owes = (live && isOurs(live)) || (open && isOurs(open))
      if (!connected || !owes) return
      await leases.during(accountId, async (lease) => {
        const page = await read.subscriptions.getCheckout(accountId)
        if (page && isOurs(page)) await connected.checkouts.close(lease, page)
        const now = await read.subscriptions.getLive(accountId)
        if (now && isOurs(now)) await connected.sync.cancel(lease, now, 'immediately')
      })
    },
  }
}
