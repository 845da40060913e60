import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

/** Payloads contain no address, because payout addresses are private. */
const ofAccount = { audience: 'account', subject: 'account', invalidates: ['account'] } as const
const wallet = z.object({ walletId: z.string(), network: z.string() })

export const walletLinked = defineEvent('wallets.wallet_linked', {
  ...ofAccount,
  data: wallet,
  summary: 'A wallet was linked to an account',
})
export const walletUnlinked = defineEvent('wallets.wallet_unlinked', {
  ...ofAccount,
  data: wallet,
  summary: 'A wallet was unlinked from an account',
})
export const payoutChanged = defineEvent('wallets.payout_changed', {
  ...ofAccount,
  data: z.object({ network: z.string() }),
  summary: 'The payout wallet of an account changed',
})

export const walletEvents = [walletLinked, walletUnlinked, payoutChanged] as const
