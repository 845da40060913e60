import type { AccountExportFile } from '../../../framework/module/account-data.ts'
import { jsonMember } from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { AppConnection } from '../../../ports/storage/connected-apps.ts'

const serializeConnection = (connection: AppConnection) => ({
  id: connection.id,
  name: connection.app.name,
  client_id: connection.app.clientId,
  client_host: connection.app.host,
  verified: connection.app.verified,
  redirect_host: connection.app.redirectHost,
  scopes: connection.scopes,
  reach: connection.reach,
  profile_id: connection.profileId,
  spending: connection.spending,
  created_at: connection.createdAt.toISOString(),
  last_used_at: connection.lastUsedAt.toISOString(),
  expires_at: connection.expiresAt.toISOString(),
  ended_at: connection.endedAt?.toISOString() ?? null,
  end_reason: connection.endReason,
})

/** The apps that an account connected, what they spent in millionths of the currency, and the receipts of their purchases. */
export const exportOfAccount: AccountExportFile<'connectedApps'>['exportOfAccount'] = ({ read, clock }) =>
  async function* ({ account }) {
    const connections: unknown[] = []
    const now = clock()
    const pages = allPages((page) => read.connectedApps.listOfAccount(account.id, { now, withEnded: true }, page))
    for await (const connection of pages) connections.push(serializeConnection(connection))
    const receipts: unknown[] = []
    for await (const receipt of allPages((page) => read.appSpending.listReceipts(account.id, {}, page)))
      receipts.push({
        receipt_id: receipt.receiptId,
        name: receipt.name,
        host: receipt.host,
        created_at: receipt.createdAt.toISOString(),
      })
    const spending = await read.appSpending.listMonths(account.id)
    yield jsonMember('apps.json', { connections, spending, receipts })
  }
