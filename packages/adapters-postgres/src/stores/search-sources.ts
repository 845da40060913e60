import type { SearchKind, SearchRefRequest, SearchSource, SearchSourceReader } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'
import { anyOf } from './listed-pages.ts'
import { hasContent, isListed } from './listed-profiles.ts'
import { toProfile } from './profile-row.ts'

/** The columns of {@link toProfile}: a `select *` that a driver has prepared fails when a migration adds one. */
const PROFILE_COLUMNS = [
  'id',
  'owner_account_id',
  'type',
  'username',
  'full_name',
  'bio',
  'avatar_url',
  'cover_url',
  'accent',
  'email',
  'skills',
  'socials',
  'keywords',
  'agent_instructions',
  'agent_rules',
  'capabilities',
  'custom_fields',
  'type_data',
  'visibility',
  'visibility_once_verified',
  'apps',
  'withdrawn_at',
  'created_at',
  'updated_at',
] as const

type SourceRow = Pick<Row<'profiles'>, (typeof PROFILE_COLUMNS)[number]> & {
  readonly kind: SearchKind
  readonly source_id: number | string
  readonly slugs: readonly string[] | null
  readonly title: string | null
  readonly excerpt: string | null
  readonly body: string
  readonly encoding: string | null
  readonly changed_at: Date | string
  readonly config: SearchSource['gates']
  readonly trust_level: SearchSource['trustLevel'] | null
  readonly has_content: boolean
  readonly email_verified: boolean
}

const toSource = (row: SourceRow): SearchSource => ({
  kind: row.kind,
  id: Number(row.source_id),
  profile: toProfile(row),
  trustLevel: row.trust_level ?? 'low',
  profileHasContent: row.has_content,
  ownerIsVerified: row.email_verified,
  gates: row.config,
  slugs: row.slugs,
  title: row.title,
  excerpt: row.excerpt,
  body: row.body,
  encoding: row.encoding,
  updatedAt: toDate(row.changed_at),
})

/** The reader of the sources of a search index. Nothing here writes, so transactions use it unchanged. */
export function searchSources(db: Db, schema: string): SearchSourceReader {
  const table = (name: string) => sql.table(`${schema}.${name}`)
  const tables: Readonly<Record<SearchKind, ReturnType<typeof table>>> = {
    profile: table('profiles'),
    page: table('pages'),
    post: table('feed_posts'),
    file: table('files'),
  }

  const arms = {
    profile: (ids: readonly number[]) => sql`
      select 'profile' as kind, id as source_id, id as profile_id, null::text[] as slugs, null::text as title,
        null::text as excerpt, '' as body, null::text as encoding, updated_at as changed_at
      from ${tables.profile} where id = ${anyOf(ids)}`,
    page: (_ids: readonly number[], characters: number) => sql`
      select 'page', chosen.id, chosen.profile_id, coalesce(way.slugs, '{}') || chosen.slug, chosen.title, chosen.excerpt,
        left(chosen.body, ${characters}::integer), null, chosen.updated_at
      from chosen left join way on way.category_id = chosen.category_id and way.parent_id is null
      where chosen.category_id is null or way.category_id is not null`,
    post: (ids: readonly number[], characters: number) => sql`
      select 'post', id, profile_id, null, null, null, left(body, ${characters}::integer), null, created_at
      from ${tables.post} where id = ${anyOf(ids)} and hidden_at is null`,
    file: (ids: readonly number[], characters: number) => sql`
      select 'file', stored.id, stored.profile_id, null, stored.filename, null,
        coalesce(left(read.markdown, ${characters}::integer), ''), stored.encoding, greatest(stored.replaced_at, coalesce(read.created_at, stored.created_at))
      from ${tables.file} stored left join ${table('file_texts')} read on read.sha256 = stored.sha256
      where stored.id = ${anyOf(ids)} and stored.state = 'stored' and stored.profile_id is not null`,
  } as const satisfies Readonly<Record<SearchKind, unknown>>

  const profileColumns = sql.join(PROFILE_COLUMNS.map((name) => sql.ref(`profiles.${name}`)))

  return {
    async listListed(refs, characters) {
      const wanted = (['profile', 'page', 'post', 'file'] as const).filter((kind) => (refs[kind] ?? []).length > 0)
      if (wanted.length === 0) return []
      // The first arm names the columns.
      const named = wanted.includes('profile') ? [] : [arms.profile([])]
      const found = sql.join(
        [...named, ...wanted.map((kind) => arms[kind](refs[kind] ?? [], characters))],
        sql` union all `,
      )
      const { rows } = await sql<SourceRow>`
        with recursive chosen as (
          select id, profile_id, category_id, slug, title, excerpt, body, updated_at from ${tables.page}
          where id = ${anyOf(refs.page ?? [])} and status = 'published'
        ),
        way as (
          select id as category_id, parent_id, array[slug] as slugs from ${table('categories')}
          where visibility = 'public' and id in (select category_id from chosen)
          union all
          select way.category_id, above.parent_id, above.slug || way.slugs
          from way join ${table('categories')} above on above.id = way.parent_id where above.visibility = 'public'
        ),
        -- Without statistics of new rows the planner would read them again for each profile.
        found as materialized (${found})
        select ${profileColumns}, kind, source_id, slugs, title, excerpt, body, encoding, changed_at, gates.config,
          trust_levels.level as trust_level, ${hasContent(db)} as has_content, accounts.email_verified
        from found
        join ${tables.profile} profiles on profiles.id = found.profile_id
        join ${table('accounts')} accounts on accounts.id = profiles.owner_account_id
        left join ${table('gates')} gates on gates.profile_id = profiles.id
        left join ${table('trust_levels')} trust_levels on trust_levels.profile_id = profiles.id
        where ${isListed}`.execute(db)
      return rows.map(toSource)
    },

    async listIds(kind: SearchKind, { after, limit, profileId }: SearchRefRequest) {
      const owner = kind === 'profile' ? sql.ref('id') : sql.ref('profile_id')
      const isOfProfile = profileId === undefined ? sql`true` : sql`${owner} = ${profileId}::bigint`
      const { rows } = await sql<{ readonly id: number | string }>`
        select id from ${tables[kind]} where id > ${after}::bigint and ${isOfProfile} order by id limit ${limit}::integer`.execute(
        db,
      )
      return rows.map(({ id }) => Number(id))
    },

    async listReadable(accountId, holders, limit) {
      if (!isUuid(accountId)) return []
      const held = holders.map(
        ({ payerWalletAddress, payerNetwork }) => sql`
          union select profile_id from ${table('entitlements')}
          where payer_wallet_address = ${payerWalletAddress} and payer_network = ${payerNetwork}
            and is_open and (valid_until is null or valid_until > statement_timestamp())`,
      )
      const { rows } = await sql<{ readonly id: number | string }>`
        select id from (
          select id from ${tables.profile} where owner_account_id = ${accountId}::uuid
          union select profile_id from ${table('members')} where account_id = ${accountId}::uuid
          ${sql.join(held, sql` `)}
        ) readable order by id limit ${limit}::integer`.execute(db)
      return rows.map(({ id }) => Number(id))
    },

    async listGuarded(profileIds, { limit, before }) {
      const newest = (kind: 'page' | 'file') => sql`
          id < ${before[kind]}::bigint and profile_id = ${anyOf(profileIds)}
          and exists (select from ${table('gates')} gates where gates.profile_id = listed.profile_id)
          order by id desc limit ${limit}::integer`
      const { rows } = await sql<{ readonly kind: 'page' | 'file'; readonly id: number | string }>`
        (select 'page' as kind, id from ${tables.page} listed where status = 'published' and ${newest('page')})
        union all
        (select 'file', id from ${tables.file} listed where state = 'stored' and ${newest('file')})`.execute(db)
      const selectIds = (kind: 'page' | 'file') =>
        rows.flatMap((row) => (row.kind === kind ? [Number(row.id)] : [])).sort((left, right) => right - left)
      return { page: selectIds('page'), file: selectIds('file') }
    },
  }
}
