import { ERASED_DID, type ErasedAccount, type JsonObject } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isOfProfiles, json } from '../rows.ts'

const AT_ONCE = 200
const ERASED = 'erased'

/**
 * Removes the names of an account and its profiles from negotiations, which are kept for the other side: DIDs and all
 * text that a party wrote. Amounts and dates are kept.
 */
export async function eraseFromNegotiations(db: Db, account: ErasedAccount): Promise<void> {
  while ((await eraseSomeNegotiations(db, account, AT_ONCE)) > 0);
  await db.updateTable('negotiation_moves').set({ account_id: null }).where('account_id', '=', account.id).execute()
}

/** Removes the names of profiles from at most `limit` negotiations. Returns how many; 0 when none has them. */
export async function eraseSomeNegotiations(
  db: Db,
  { profileIds: profiles }: ErasedAccount,
  limit: number,
): Promise<number> {
  const isErased = new Set(profiles)
  const found = await db
    .selectFrom('negotiations')
    .select('id')
    .where((where) =>
      where.or([
        where.and([isOfProfiles(profiles, 'seller_profile_id'), where('seller_did', '!=', ERASED_DID)]),
        where.and([isOfProfiles(profiles, 'buyer_profile_id'), where('buyer_did', '!=', ERASED_DID)]),
      ]),
    )
    .limit(limit)
    .execute()
  if (found.length === 0) return 0
  const part = found.map(({ id }) => id)
  const rows = await db
    .selectFrom('negotiations')
    .selectAll()
    .where('id', 'in', part)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const row of rows) {
    await db.updateTable('negotiations').set(withoutNames(row, isErased)).where('id', '=', row.id).execute()
  }
  const moves = await db.selectFrom('negotiation_moves').selectAll().where('negotiation_id', 'in', part).execute()
  for (const { negotiation_id, version, data } of moves) {
    await db
      .updateTable('negotiation_moves')
      .set({ data: json(wordless(data)) })
      .where('negotiation_id', '=', negotiation_id)
      .where('version', '=', version)
      .execute()
  }
  return rows.length
}

function withoutNames(row: Row<'negotiations'>, isErased: ReadonlySet<number>) {
  const { service, terms, pricing, invoice, receipt, dispute } = row
  return {
    ...(isErased.has(Number(row.seller_profile_id)) && { seller_did: ERASED_DID }),
    ...(row.buyer_profile_id !== null && isErased.has(Number(row.buyer_profile_id)) && { buyer_did: ERASED_DID }),
    service: service.startsWith('svc_') ? service : ERASED,
    metadata: json<JsonObject>({}),
    pricing: json(wordless(pricing)),
    terms: json(wordless(terms)),
    invoice: invoice && json(wordless(invoice)),
    receipt: receipt && json(wordless(receipt)),
    dispute: dispute && json(wordless(dispute)),
  }
}

/** Fields without free text: terms of the protocol, currencies, times and receipts of the service. */
const PLAIN = new Set([
  ...['model', 'currency', 'period', 'delivery', 'cancellation_policy', 'requested_remedy', 'outcome'],
  ...['opened_by', 'resolved_by', 'opened_at', 'resolved_at', 'paid_at', 'due_by', 'up_to'],
])

/** Returns a document without free text. */
function wordless<Document>(document: Document, name = ''): Document {
  if (typeof document === 'string') return (PLAIN.has(name) ? document : ERASED) as Document
  if (Array.isArray(document)) return document.map((item) => wordless(item, name)) as Document
  if (typeof document !== 'object' || document === null) return document
  const members = Object.entries(document).map(([key, value]) => [key, wordless(value, key)])
  return Object.fromEntries(members) as Document
}
