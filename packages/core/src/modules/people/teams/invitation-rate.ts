import { HOUR_MS } from '../../../kernel/durations.ts'
import { foldAddress } from '../../../kernel/email-address.ts'
import type { Account } from '../../../model/account.ts'
import type { EmailRate } from '../../../runtime/email/email-rate.ts'
import { msUntilReset } from '../../../runtime/rate-limits/ms-until-reset.ts'
import { tooManyEmails } from './errors.ts'

/** Counts the emails that accounts send to other people, for teams and workspaces together. */
export const createInvitationRate = (emailRate: EmailRate) => ({
  /** Counts an email that an account sends to another person. Throws `too_many_mails` above the hourly limit. */
  async count(account: Pick<Account, 'id'>): Promise<void> {
    const hit = await emailRate.store.hit(`team-mail:${account.id}`, HOUR_MS)
    if (hit.count <= emailRate.perHour) return
    throw tooManyEmails({ retryAfterMs: msUntilReset(hit) })
  },

  /** Counts an email to an address. False when the address has reached its hourly limit, over all senders. */
  async countTo(address: string): Promise<boolean> {
    const { count } = await emailRate.store.hit(`invitation-mail:${foldAddress(address)}`, HOUR_MS)
    return count <= emailRate.perHour
  },
})

export type InvitationRate = ReturnType<typeof createInvitationRate>
