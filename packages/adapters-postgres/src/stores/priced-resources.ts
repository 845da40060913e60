import type { PricedResourceStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { hasContent, isListed } from './listed-profiles.ts'
import { pricedCatalogue } from './priced-catalogue.ts'
import { searchSources } from './search-sources.ts'

/** What profiles sell. */
export function pricedResources(db: Db, schema: string): PricedResourceStore {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const sources = searchSources(db, schema)

  return {
    async listSellers({ limit, since, verifiedOnly }) {
      const isVerified = verifiedOnly ? sql`accounts.email_verified` : sql`true`
      const { rows } = await sql<{ readonly id: number | string }>`
        with buyers as (
          select sold.profile_id, count(distinct coalesce(sold.payer_account_id, lower(sold.payer_wallet_address) || ' ' || sold.payer_network)) as buyers
          from ${table('receipts')} sold
          join ${table('profiles')} seller on seller.id = sold.profile_id
          where sold.issued_at >= ${since}
            and sold.payer_account_id is distinct from seller.owner_account_id::text
            and not exists (
              select from ${table('members')} members
              where members.profile_id = seller.id and members.account_id::text = sold.payer_account_id)
            and not exists (
              select from ${table('wallets')} own
              where own.account_id = seller.owner_account_id and lower(own.address) = lower(sold.payer_wallet_address))
          group by sold.profile_id
        )
        select profiles.id
        from ${table('profiles')} profiles
        join ${table('accounts')} accounts on accounts.id = profiles.owner_account_id
        join ${table('gates')} gates on gates.profile_id = profiles.id
        left join ${table('trust_levels')} trust_levels on trust_levels.profile_id = profiles.id
        left join buyers on buyers.profile_id = profiles.id
        where ${isListed} and ${isVerified} and ${hasContent(db)} and gates.config::text like '%"payment"%'
        order by coalesce(buyers.buyers, 0) desc,
          coalesce(array_position(array['low', 'basic', 'established', 'high'], trust_levels.level), 1) desc,
          profiles.created_at, profiles.id
        limit ${limit}::integer`.execute(db)
      return rows.map(({ id }) => Number(id))
    },

    ...pricedCatalogue(db, schema),
    listNewest: (profileIds, request) => sources.listGuarded(profileIds, request),
    listSources: (refs) => sources.listListed(refs, 0),
  }
}
