/** How many rows the large tables get. */
export interface TableSizes {
  /** Accounts with a profile each, and pages. */
  readonly profiles: number
  /** Of the log. */
  readonly events: number
  /** With a payment and a receipt each. */
  readonly entitlements: number
  readonly posts: number
}

/** A million profiles, pages, entitlements and posts, and ten million events, in the given share. */
export const sizesOf = (factor: number): TableSizes => ({
  profiles: Math.round(1_000_000 * factor),
  events: Math.round(10_000_000 * factor),
  entitlements: Math.round(1_000_000 * factor),
  posts: Math.round(1_000_000 * factor),
})

/** Runs one statement, always on the same connection. */
export type RunSql = (text: string) => Promise<{ readonly rows: readonly Record<string, unknown>[] }>

/** The tables that grow with the number of profiles, pages and visitors. */
export const LARGE = [
  'accounts',
  'profiles',
  'pages',
  'page_counts',
  'entitlements',
  'grants',
  'receipts',
  'payments',
  'feed_posts',
  'connections',
  'events',
] as const

/** How many of the profiles, `author-1` and so on, are sellers. What a profile has does not depend on the sizes. */
export const SELLER_EVERY = 100
/** A seller has so many pages in `guides`, `page-1` and so on, which it sells. Of the others every second has one page. */
export const PAGES_OF_SELLER = 50

/** The posts with each hashtag, `tag0` and so on: as many as a list counts. */
const POSTS_OF_HASHTAG = 1_000

/** The number of hashtags. Every tenth post has one. */
export const hashtagsOf = ({ posts }: Pick<TableSizes, 'posts'>) =>
  Math.max(1, Math.round(posts / 10 / POSTS_OF_HASHTAG))

/** The number of the profile that sold an entitlement, in the order of their wallets: `wallet:1` and so on. */
export const sellerOf = (entitlement: number, { profiles }: TableSizes) =>
  SELLER_EVERY * (1 + (entitlement % Math.max(1, Math.floor(profiles / SELLER_EVERY))))

/**
 * Fills the migrated tables of a PostgreSQL server by SQL: the routes would take days. Profiles are created in the same order
 * as their numbers, in an otherwise empty database or after other profiles.
 */
export async function fillBigTables(run: RunSql, { profiles, events, entitlements, posts }: TableSizes): Promise<void> {
  // Both are settings of this connection. Indexes are built faster than they are kept up to date.
  await run(`set maintenance_work_mem = '256MB'`)
  await run(`set synchronous_commit = off`)
  const indexes = await dropIndexes(run)
  await run(`insert into eep.accounts (id, email, email_verified, username, created_at)
    select md5('account ' || n)::uuid, 'author-' || n || '@example.com', true, 'author-' || n, ${duringYear(profiles)}
    from generate_series(1, ${profiles}) n`)
  await run(`insert into eep.profiles (owner_account_id, type, username, full_name, bio, skills, socials, keywords, capabilities,
      custom_fields, type_data, visibility, created_at, updated_at)
    select md5('account ' || n)::uuid, 'person', 'author-' || n, 'Author ' || n, repeat('Writes about engines. ', 10), '{}', '{}',
      '{}', '{}', '{}', '{}', 'public', ${duringYear(profiles)}, ${duringYear(profiles)}
    from generate_series(1, ${profiles}) n order by n`)
  // Identities have gaps only after conflicts, so the numbers of the profiles follow from their ids.
  await run(`create table big_profiles as
    select id, substr(username, 8)::bigint as n, owner_account_id from eep.profiles where username like 'author-%'`)
  await run('create unique index on big_profiles (n)')
  await run('analyze big_profiles')

  await run(`insert into eep.categories (profile_id, name, slug, visibility, position, created_at, updated_at)
    select id, 'Guides', 'guides', 'public', 0, now(), now() from big_profiles where n % ${SELLER_EVERY} = 0`)
  const page = (
    slug: string,
  ) => `'Page ' || ${slug}, 'page-' || ${slug}, repeat('A line of text. ', 60), 'In short', 'published', 1,
      ${slug}, now() - interval '1 day', now() - interval '1 day', now() - interval '1 day'`
  const columns = `profile_id, category_id, title, slug, body, excerpt, status, version, position, created_at, updated_at, published_at`
  await run(`insert into eep.pages (${columns})
    select profile_id, id, ${page('each')} from eep.categories, generate_series(1, ${PAGES_OF_SELLER}) each where slug = 'guides'`)
  await run(`insert into eep.pages (${columns})
    select id, null, ${page('1')} from big_profiles where n % ${SELLER_EVERY} <> 0 and n % 2 = 1`)
  await run(`insert into eep.gates (profile_id, config, version, updated_at)
    select id, '${JSON.stringify(GATE)}', 1, now() from big_profiles where n % ${SELLER_EVERY} = 0`)

  // As the first start with the rail for cash does.
  await run(`update eep.service_settings set money_kind = 'test'`)
  const holders = `from generate_series(1, ${entitlements}) each join big_profiles on n = ${seller('each', profiles)}`
  await run(`insert into eep.entitlements (profile_id, resource_pattern, payer_wallet_address, payer_network, is_open)
    select id, 'content.*', 'wallet:' || each, 'cash:test', true ${holders}`)
  await run(`insert into eep.grants (id, profile_id, resource_pattern, payer_wallet_address, payer_network, tier, receipt_id, reason,
      starts_at, created_at)
    select gen_random_uuid(), id, 'content.*', 'wallet:' || each, 'cash:test', 'reader', 'rcpt_' || each, 'purchase', now(), now()
    ${holders}`)
  await run(`insert into eep.receipts (receipt_id, profile_id, seller_did, seller_account_id, resource, resource_pattern, tier, per,
      amount_atomic, amount_decimal, amount_asset, amount_currency, commission_bps, rail, settlement_reference, settlement_network,
      payer_wallet_address, payer_network, gate_hit_at, challenge_issued_at, timeline_basis, paid_at, settled_at, issued_at, signature)
    select 'rcpt_' || each, id, 'did:web:profiles.example:u:author-' || n, owner_account_id, 'content.guides.page-1', 'content.*',
      'reader', 'year', '10000', '0.01', 'test', 'usdc', 0, 'cash', 'ref-' || each, 'cash:test', 'wallet:' || each, 'cash:test',
      now(), now(), 'challenge', now(), now(), now() - each * interval '1 second', 'none'
    from generate_series(1, ${entitlements}) each join big_profiles on n = ${seller('each', profiles)}`)
  await run(`insert into eep.payments (id, rail, credential_id, fingerprint, payer, profile_id, per, purchase, proof, checkpoint, state,
      asked_at, gate_hit_at, challenge_issued_at, timeline_basis, receipt_id, settlement, created_at, delivered_at, seller_account_id, buyer)
    select gen_random_uuid(), 'cash', 'credential-' || each, 'fingerprint', '{}', id, 'year', '{}', '{}', '{}', 'settled', now(), now(), now(), 'challenge',
      'rcpt_' || each, '{}', now() - each * interval '1 second', now(), owner_account_id, 'buyer-' || each
    from generate_series(1, ${entitlements}) each join big_profiles on n = ${seller('each', profiles)}`)

  await run(`insert into eep.feed_posts (profile_id, account_id, body, attachments, created_at)
    select id, owner_account_id, 'An update with some words in it, as people write them', '{}', now() - (${posts} - each) * interval '1 second'
    from generate_series(1, ${posts}) each join big_profiles on n = ${any('each', profiles)}`)
  await run(`insert into eep.feed_hashtags (hashtag, created_at, post_id)
    select 'tag' || id / 10 % ${hashtagsOf({ posts })}, created_at, id from eep.feed_posts where id % 10 = 0`)
  await run(`insert into eep.connections (follower_profile_id, followee_profile_id, created_at)
    select followers.id, followees.id, now() - each * interval '1 second'
    from generate_series(1, ${profiles}) each
    join big_profiles followers on followers.n = ${any('each', profiles)}
    join big_profiles followees on followees.n = ${seller('each', profiles)}
    where followers.id <> followees.id on conflict do nothing`)

  // Each event had a transaction; like those of a restored log, they belong to the era before.
  await run('update eep.event_log set era = era + 1')
  await run(`insert into eep.events (id, type, profile_id, account_id, about_account_id, data, at, era, xid)
    select gen_random_uuid(), 'content.page_saved', id, owner_account_id, null,
      json_build_object('pageId', each, 'slug', 'page-1', 'title', 'Page 1', 'status', 'published'),
      now() - (${events} - each) * (interval '30 days' / ${events}), (select era - 1 from eep.event_log), (1000 + each)::text::xid8
    from generate_series(1, ${events}) each join big_profiles on n = ${any('each', profiles)}
    order by each`)
  await run('drop table big_profiles')
  for (const definition of indexes) await run(definition)
  await run('vacuum analyze')
}

/** Drops the indexes of the large tables that belong to no constraint, and returns the statements that create them. */
async function dropIndexes(run: RunSql): Promise<readonly string[]> {
  const { rows } = await run(`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid in (${LARGE.map((table) => `'eep.${table}'::regclass`)}) and not exists (
      select from pg_constraint where conindid = indexrelid
    )`)
  for (const { name } of rows) await run(`drop index ${name}`)
  return rows.map(({ definition }) => String(definition))
}

/** All configurations are equal: pages in `guides` are sold. */
const GATE = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['profile.*', 'content'] },
    reader: {
      label: 'Reader',
      requirements: [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'year' }],
      access: ['content.*'],
    },
  },
}

/** The number of the seller of a row, by the rule of {@link sellerOf}. */
const seller = (row: string, profiles: number) =>
  `${SELLER_EVERY} * (1 + ${row} % ${Math.max(1, Math.floor(profiles / SELLER_EVERY))})`

/** The number of any profile for a row, in an order that is not the order of the rows. */
const any = (row: string, profiles: number) => `1 + (${row}::bigint * 7919) % ${profiles}`

/** Times that are spread over a year, in the order of `n`. */
const duringYear = (profiles: number) => `now() - interval '1 year' + n * (interval '1 year' / ${profiles})`
