import type { CatalogueFilter, ListedResource, PricedKind, PricedResourceStore, PricedRow } from '@eep/core/ports'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database.ts'
import { holdExisting, isText } from '../rows.ts'
import { anyOf } from './listed-pages.ts'

type Catalogue = Pick<
  PricedResourceStore,
  | 'listOffers'
  | 'countOffers'
  | 'findOffers'
  | 'listRequested'
  | 'listCandidates'
  | 'digest'
  | 'nextSequence'
  | 'put'
  | 'finish'
  | 'request'
  | 'saveDigest'
>

interface OfferRow {
  readonly profile_id: number | string
  readonly key: string
  readonly kind: PricedKind
  readonly resource: string
}

const toListed = ({ profile_id, key, kind, resource }: OfferRow): ListedResource => ({
  profileId: Number(profile_id),
  key,
  kind,
  resource,
})

const isMatched = ({ profileId, network, payTo, isTool }: CatalogueFilter): RawBuilder<unknown> =>
  sql.join(
    [
      sql`kind is not null`,
      ...(isTool === undefined ? [] : [isTool ? sql`kind = 'tool'` : sql`kind <> 'tool'`]),
      ...(profileId === undefined ? [] : [sql`profile_id = ${profileId}::bigint`]),
      ...(network === undefined ? [] : [sql`networks @> array[${network}::text]`]),
      ...(payTo === undefined ? [] : [sql`pay_to @> array[${payTo}::text]`]),
    ],
    sql` and `,
  )

/** No stored text has the character 0, and a query with it is an error. */
const canMatch = ({ network = '', payTo = '' }: CatalogueFilter): boolean => isText(network, payTo)

/** The resources with a network or a receiver that are sorted, instead of read in the order of the newest. */
const FEW = 2_000

const idsOf = (rows: readonly { readonly id: number | string }[]): readonly number[] => rows.map(({ id }) => Number(id))

const toJson = (rows: readonly PricedRow[]) =>
  JSON.stringify(
    rows.map(({ profileId: profile_id, key, offer }) => ({
      profile_id,
      key,
      ...(offer && { ...offer, pay_to: offer.payTo, updated_at: offer.updatedAt }),
    })),
  )

/** The catalogue of what is for sale. */
export function pricedCatalogue(db: Db, schema: string): Catalogue {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const [resources, profiles, state] = [table('priced_resources'), table('priced_profiles'), table('priced_state')]
  const next = sql`nextval(${`"${schema}".priced_sequences`}::text::regclass)`

  /**
   * Returns those of some profiles that have been listed or requested, and for which this sequence still counts. Prevents until the
   * transaction ends that another one ends their listing.
   */
  async function openProfiles(ids: readonly number[], sequence: number): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ readonly id: number | string }>`
      select profile_id as id from ${profiles} where profile_id = ${anyOf(ids)} and sequence <= ${sequence}::bigint
      order by profile_id for share`.execute(db)
    return new Set(idsOf(rows))
  }

  return {
    async listOffers({ filter, limit, offset }) {
      if (!canMatch(filter)) return []
      const part = sql`order by updated_at desc, id limit ${limit}::integer offset ${offset}::integer`
      const isFew = sql`(select count(*) <= ${FEW}::integer from matched)`
      // The planner does not know how many resources have a network or a receiver. Few are found by their index and sorted; of many, the
      // newest ones are read in their order. Without such a filter, only the index is read for what the offset skips.
      const isSorted = filter.network === undefined && filter.payTo === undefined
      const page = isSorted
        ? sql`page as materialized (select id from ${resources} where ${isMatched(filter)} ${part})`
        : sql`matched as materialized (
            select id, updated_at from ${resources} where ${isMatched(filter)} limit ${FEW + 1}::integer
          ),
          page as materialized (
            (select id from matched where ${isFew} ${part})
            union all
            (select id from ${resources} where not ${isFew} and ${isMatched(filter)} ${part})
          )`
      const { rows } = await sql<OfferRow>`
        with ${page} select profile_id, key, kind, resource from page join ${resources} using (id)
        order by updated_at desc, id`.execute(db)
      return rows.map(toListed)
    },

    async countOffers(filter) {
      if (!canMatch(filter)) return 0
      const { rows } = await sql<{ readonly count: string }>`
        select count(*) as count from ${resources} where ${isMatched(filter)}`.execute(db)
      return Number(rows[0]?.count)
    },

    async findOffers(keys, filter) {
      if (keys.length === 0 || !canMatch(filter)) return []
      const { rows } = await sql<OfferRow>`
        select profile_id, key, kind, resource from ${resources}
        where key = any(array(select json_array_elements_text(${JSON.stringify(keys)}::text::json))) and ${isMatched(filter)}`.execute(
        db,
      )
      return rows.map(toListed)
    },

    async listRequested(limit) {
      const { rows } = await sql<{ readonly id: number | string }>`
        select profile_id as id from ${profiles} where requested is not null
        order by requested, profile_id limit ${limit}::integer`.execute(db)
      return idsOf(rows)
    },

    async listCandidates({ after, limit, among }) {
      const isMeant = sql`profile_id > ${after}::bigint and ${among ? sql`profile_id = ${anyOf(among)}` : sql`true`}`
      const part = sql`order by profile_id limit ${limit}::integer`
      const { rows } = await sql<{ readonly id: number | string }>`
        (select profile_id as id from ${table('gates')} where ${isMeant} and config::text like '%"payment"%' ${part})
        union
        (select profile_id from ${profiles} where ${isMeant} ${part})
        order by id limit ${limit}::integer`.execute(db)
      return idsOf(rows)
    },

    async digest() {
      const { rows } = await sql<{ readonly digest: string }>`select digest from ${state}`.execute(db)
      return rows[0]?.digest
    },

    async nextSequence() {
      const { rows } = await sql<{ readonly sequence: string }>`select ${next} as sequence`.execute(db)
      return Number(rows[0]?.sequence)
    },

    async put(rows, sequence) {
      const held = await holdExisting(db, [...new Set(rows.map(({ profileId }) => profileId))])
      if (held.length === 0) return
      const selling = new Set(rows.flatMap(({ profileId, offer }) => (offer ? [profileId] : [])))
      const added = held.filter((id) => selling.has(id))
      if (added.length > 0) {
        await sql`insert into ${profiles} (profile_id) select id from unnest(${`{${added.join()}}`}::text::bigint[]) id
          order by id on conflict do nothing`.execute(db)
      }
      const open = await openProfiles(held, sequence)
      // The last state of a key counts.
      const latest = new Map(rows.map((row) => [`${row.profileId} ${row.key}`, row]))
      const kept = [...latest.values()].filter(({ profileId }) => open.has(profileId))
      if (kept.length === 0) return
      await sql`
        insert into ${resources} as kept
          (profile_id, key, kind, resource, path, currency, amount, networks, assets, pay_to, updated_at, sequence)
        select profile_id, key, kind, resource, path, currency, amount, networks, assets, pay_to, updated_at, ${sequence}::bigint
        from json_to_recordset(${toJson(kept)}::text::json) as given (
          profile_id bigint, key text, kind text, resource text, path text, currency text, amount numeric,
          networks text[], assets text[], pay_to text[], updated_at timestamptz)
        order by profile_id, key
        on conflict (profile_id, key) do update set
          kind = excluded.kind, resource = excluded.resource, path = excluded.path, currency = excluded.currency,
          amount = excluded.amount, networks = excluded.networks, assets = excluded.assets, pay_to = excluded.pay_to,
          updated_at = excluded.updated_at, sequence = excluded.sequence
        where kept.sequence <= excluded.sequence`.execute(db)
    },

    async finish(profileId, sequence, limit) {
      if ((await holdExisting(db, [profileId])).length === 0) return true
      const { rows } = await sql`
        insert into ${profiles} as known (profile_id, sequence) values (${profileId}::bigint, ${sequence}::bigint)
        on conflict (profile_id) do update set sequence = excluded.sequence where known.sequence <= excluded.sequence
        returning profile_id`.execute(db)
      if (rows.length === 0) return true
      const { numAffectedRows = 0n } = await sql`
        delete from ${resources} where id in (
          select id from ${resources} where profile_id = ${profileId}::bigint and sequence < ${sequence}::bigint
          limit ${limit}::integer for update)`.execute(db)
      if (Number(numAffectedRows) >= limit) return false
      await sql`update ${profiles} set requested = null
        where profile_id = ${profileId}::bigint and requested < ${sequence}::bigint`.execute(db)
      return true
    },

    async request(profileIds) {
      const held = await holdExisting(db, [...new Set(profileIds)])
      if (held.length === 0) return
      await sql`
        with taken as materialized (select ${next} as number)
        insert into ${profiles} as known (profile_id, requested)
        select id, taken.number from unnest(${`{${held.join()}}`}::text::bigint[]) id, taken order by id
        on conflict (profile_id) do update set requested = greatest(known.requested, excluded.requested)`.execute(db)
    },

    async saveDigest(digest) {
      await sql`insert into ${state} (digest) values (${digest}) on conflict (is_only) do update set digest = excluded.digest`.execute(
        db,
      )
    },
  }
}
