import { ERASED_DID, type ErasedAccount, type Json, type Payer } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isOfProfiles, json } from '../rows.ts'

/**
 * Removes the names of an account and its profiles from at most `limit` payments. Their documents are rebuilt here, because the SQL
 * of PostgreSQL cannot process JSON that contains the character 0. Returns how many; 0 when none has them.
 */
export async function eraseFromPayments(
  db: Db,
  { id: accountId, profileIds: profiles }: ErasedAccount,
  limit: number,
): Promise<number> {
  const ofProfile = new Set(profiles)
  for (const isNamed of [
    sql<boolean>`payer_account_id = ${accountId}`,
    sql<boolean>`seller_account_id = ${accountId}`,
    // Documents are stored as JSON.stringify returns them, in which a quote inside of a text is escaped.
    sql<boolean>`${isOfProfiles(profiles)} and position(${`"sellerDid":${JSON.stringify(ERASED_DID)}`} in purchase::text) = 0`,
  ]) {
    const found = await db.selectFrom('payments').select('id').where(isNamed).limit(limit).execute()
    if (found.length === 0) continue
    const ids = found.map(({ id }) => id)
    const rows = await db.selectFrom('payments').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
    for (const row of rows) {
      const changes = {
        ...(ofProfile.has(Number(row.profile_id)) && withoutSeller(row)),
        ...(row.payer_account_id === accountId && withoutPayer(row)),
        ...(row.seller_account_id === accountId && { seller_account_id: ERASED_DID, told_email: null }),
      }
      if (Object.keys(changes).length > 0)
        await db.updateTable('payments').set(changes).where('id', '=', row.id).execute()
    }
    return rows.length
  }
  return 0
}

/** Keeps the data that a rail needs to recover an open payment, with the seller as named in the purchase. */
function withoutSeller({ purchase, proof, checkpoint, state }: Row<'payments'>) {
  const isOpen = state !== 'settled' && state !== 'refused'
  const renamed = (document: Json): Json =>
    isOpen
      ? JSON.parse(JSON.stringify(document).replaceAll(JSON.stringify(purchase.sellerDid), JSON.stringify(ERASED_DID)))
      : null
  return {
    told_email: null,
    purchase: json({
      ...purchase,
      sellerDid: ERASED_DID,
      shown: { ...purchase.shown, url: '', description: '' },
      listing: undefined,
      payTo: isOpen ? purchase.payTo : {},
    }),
    proof: json(renamed(proof)),
    checkpoint: json(renamed(checkpoint)),
  }
}

const withoutDid = <Who extends Payer>({ did: _, ...who }: Who) => who

const withoutPayer = ({ payer, settlement }: Row<'payments'>) => ({
  payer_account_id: null,
  payer_did: null,
  payer_bot: null,
  buyer: null,
  told_email: null,
  payer: json<Payer>(withoutDid(payer)),
  settlement: settlement && json({ ...settlement, payer: withoutDid(settlement.payer) }),
})
