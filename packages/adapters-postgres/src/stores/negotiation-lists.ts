import type { DealNames, Negotiation, NegotiationQuery, PageRequest, Party, ProfileType } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { desc, listPage } from '../list-page.ts'
import { isText, toDate, toNumberOrNull } from '../rows.ts'

type Where = ExpressionBuilder<Database, 'negotiations'>

/** The negotiations in which a party buys. */
export const ofBuyer = (party: Party) => (where: Where) =>
  'profileId' in party
    ? where('buyer_profile_id', '=', party.profileId)
    : where.and([where('buyer_profile_id', 'is', null), where('buyer_did', '=', isText(party.did) ? party.did : '')])

const ofSeller = (party: Party) => (where: Where) =>
  'profileId' in party ? where('seller_profile_id', '=', party.profileId) : where.val(false)

/** The state at a given time. An overdue offer counts as expired, even if that is not stored yet. */
const stateAt = (now: Date) =>
  sql<string>`case when state in ('open', 'countered') and expires_at <= ${now} then 'expired' else state end`

export async function listNegotiations(db: Db, { party, side, state, now }: NegotiationQuery, request: PageRequest) {
  const theirs = (where: Where) =>
    where.or([
      ...(side === 'seller' ? [] : [ofBuyer(party)(where)]),
      ...(side === 'buyer' ? [] : [ofSeller(party)(where)]),
    ])
  let negotiations = db.selectFrom('negotiations').where(theirs)
  if (state !== undefined) negotiations = negotiations.where(stateAt(now), '=', state)
  const counted = negotiations.select((query) => query.fn.countAll<string>().as('count'))
  const query = negotiations.selectAll().select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('created_at', 'moment'), desc('id', 'text')],
    item: toNegotiation,
    key: ({ createdAt, id }) => [createdAt.getTime(), id],
    counted,
  })
}

export async function listDealNames(db: Db, ids: readonly string[]): Promise<readonly DealNames[]> {
  if (ids.length === 0 || !isText(...ids)) return []
  const isShown = (table: 'seller' | 'buyer') =>
    sql<boolean>`${sql.ref(`${table}.visibility`)} <> 'private' and ${sql.ref(`${table}.withdrawn_at`)} is null`
  const rows = await db
    .selectFrom('negotiations')
    .leftJoin('profiles as seller', (join) =>
      join.onRef('seller.id', '=', 'negotiations.seller_profile_id').on(isShown('seller')),
    )
    .leftJoin('profiles as buyer', (join) =>
      join.onRef('buyer.id', '=', 'negotiations.buyer_profile_id').on(isShown('buyer')),
    )
    .leftJoin('services', (join) =>
      join
        .onRef('services.profile_id', '=', 'negotiations.seller_profile_id')
        .onRef('services.id', '=', 'negotiations.service'),
    )
    .select([
      'negotiations.id',
      'services.details',
      'seller.type as seller_type',
      'seller.username as seller_username',
      'seller.full_name as seller_full_name',
      'buyer.type as buyer_type',
      'buyer.username as buyer_username',
      'buyer.full_name as buyer_full_name',
    ])
    .where('negotiations.id', 'in', ids)
    .execute()
  const party = (type: ProfileType | null, username: string | null, fullName: string | null) =>
    type === null || username === null ? null : { type, username, fullName }
  return rows.map((row) => ({
    id: row.id,
    service: row.details?.name ?? null,
    seller: party(row.seller_type, row.seller_username, row.seller_full_name),
    buyer: party(row.buyer_type, row.buyer_username, row.buyer_full_name),
  }))
}

export const toNegotiation = (row: Row<'negotiations'>): Negotiation => ({
  id: row.id,
  sellerProfileId: Number(row.seller_profile_id),
  sellerDid: row.seller_did,
  buyerProfileId: toNumberOrNull(row.buyer_profile_id),
  buyerDid: row.buyer_did,
  service: row.service,
  pricingMode: row.pricing_mode,
  metadata: row.metadata,
  state: row.state,
  version: row.version,
  offeredBy: row.offered_by,
  pricing: row.pricing,
  terms: row.terms,
  expiresAt: toDate(row.expires_at),
  invoice: row.invoice,
  receipt: row.receipt,
  dispute: row.dispute,
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})
