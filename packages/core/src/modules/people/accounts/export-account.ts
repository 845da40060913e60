import { type AccountExporter, jsonListMember, jsonMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

/** An account and its sessions, without secrets. */
export const createAccountExporter = (read: Readers, clock: Clock): AccountExporter =>
  async function* ({ account }) {
    yield jsonMember('account.json', {
      id: account.id,
      email: account.email,
      email_verified: account.emailVerified,
      username: account.username,
      full_name: account.fullName,
      language: account.language,
      tier: account.tier,
      created_at: account.createdAt.toISOString(),
      deletion_scheduled_at: account.deletionScheduledAt?.toISOString() ?? null,
    })
    const factor = await read.secondFactors?.get(account.id)
    yield jsonMember('second-factor.json', {
      enabled: factor?.isConfirmed === true,
      created_at: factor?.createdAt.toISOString() ?? null,
    })
    yield jsonListMember('sessions.json', async function* () {
      const sessions = allPages((request) => read.sessions.listOfAccount(account.id, clock(), request))
      for await (const { id, userAgent, createdAt, lastUsedAt, expiresAt } of sessions) {
        yield {
          id,
          user_agent: userAgent,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        }
      }
    })
  }
