import type { Negotiation, NegotiationQuery, PageRequest, Party } from '@eep/core/ports'
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
