import type { Storage } from '@eep/core/ports'
import { newAppConnection, newAppDecision, newAppGrant, newAppToken } from '@eep/core/testing'

const DAY_MS = 86_400_000

/** Connects an app to an account at a time, without its pages. Returns the digest of an access token of ten days. */
export async function connectApp(storage: Storage, accountId: string, now = new Date()): Promise<string> {
  const later = new Date(now.getTime() + 10 * DAY_MS)
  const grant = newAppGrant(accountId, { expiresAt: later })
  const decision = newAppDecision(grant, { decidedAt: now })
  if (!decision.code) throw new Error('The decision has no code')
  const code = { ...decision.code, expiresAt: later }
  const token = newAppToken({ createdAt: now, expiresAt: later })
  const result = await storage.transaction(async (tx) => {
    await tx.connectedApps?.decide({ ...decision, code })
    return tx.connectedApps?.redeem(code.hash, { now, check: () => true, connection: newAppConnection({ token }) })
  })
  if (result?.outcome !== 'redeemed') throw new Error('The app was not connected')
  return token.hash
}
