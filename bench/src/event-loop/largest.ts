import { Client } from 'pg'

/** What a profile is that has as much of everything as it may. */
export interface Largest {
  readonly profileId: number
  readonly accountId: string
  /** A page that becomes the one with a thousand public changes. */
  readonly pageId: number
}

const AWKWARD = '*_[a](b)|`<c>&~#-1. '
/** Text of a length that every format has to escape. */
export const awkward = (length: number): string => AWKWARD.repeat(Math.ceil(length / AWKWARD.length)).slice(0, length)

/** Makes an account an administrator. */
export async function administer(connectionString: string, accountId: string) {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query('update eep.accounts set is_admin = true where id = $1', [accountId])
  await client.end()
}

/** Rows that would take thousands of requests to make: written past the service, as long as the service would let them be. */
export async function fillDatabase(connectionString: string, of: Largest) {
  const client = new Client({ connectionString })
  await client.connect()
  const { profileId, accountId, pageId } = of
  const run = (text: string, values: readonly unknown[] = []) => client.query(text, [...values])
  try {
    await run('set search_path = eep')
    await run(
      `insert into categories (profile_id, parent_id, name, slug, description, visibility, position, created_at, updated_at)
       select $1, null, left($2, 115) || n, 'category-' || n, left($2, 1000), 'public', n, now(), now()
       from generate_series(1, 990) n`,
      [profileId, awkward(1_000)],
    )
    await run(
      `insert into pages (profile_id, category_id, title, slug, body, excerpt, status, version, position,
                          created_at, updated_at, published_at)
       select $1, null, left($2, 190) || n, repeat('s', 85) || n, 'Short.', left($2, 1000), 'published', 1, n,
              now(), now(), now()
       from generate_series(1, 3000) n`,
      [profileId, awkward(1_000)],
    )
    await run(
      `insert into receipts (receipt_id, profile_id, seller_did, resource, resource_pattern, tier, per, amount_atomic,
         amount_decimal, amount_asset, amount_currency, commission_bps, rail, settlement_reference, settlement_network,
         payer_account_id, payer_wallet_address, payer_network, gate_hit_at, challenge_issued_at, timeline_basis,
         paid_at, settled_at, issued_at, signature)
       select 'rcpt_' || n, $1, 'did:web:profiles.example:u:largest', 'content.' || repeat('r', 500),
              'content.' || repeat('r', 500), repeat('t', 32), 'day', '10000', '0.01', repeat('a', 200), 'usdc', 1000,
              'cash', repeat('f', 500), 'cash:test', $2, 'wallet:' || repeat('w', 200), 'cash:test',
              now(), now(), 'challenge', now(), now(), now() - n * interval '1 second', repeat('j', 3000)
       from generate_series(1, 2000) n`,
      [profileId, accountId],
    )
    await run(
      `insert into grants (id, profile_id, resource_pattern, payer_wallet_address, payer_network, tier, reason, starts_at, created_at)
       select gen_random_uuid(), $1, 'content.' || repeat('r', 490) || n, 'wallet:largest', 'cash:test', repeat('t', 32), 'hand',
              now(), now()
       from generate_series(1, 2000) n`,
      [profileId],
    )
    const file = (name: string, type: string, sha256: string, count = 1) =>
      run(
        `insert into files (key, state, account_id, profile_id, filename, size, content_type, sha256, created_at)
         select 'missing/' || $3 || n, 'stored', $2, $1, $3, 1, $4, $5, now() from generate_series(1, $6::int) n
         returning id`,
        [profileId, accountId, name, type, sha256, count],
      ).then(({ rows }) => Number(rows[0].id))
    await file(`${awkward(180)}.bin`, 'application/octet-stream', '0'.repeat(64), 500)
    const textFile = await file('long.txt', 'text/plain', '1'.repeat(64))
    await run(
      `insert into file_texts (sha256, converter, markdown, warnings, created_at)
       values ($1, 'eep-1 text/plain txt', left(repeat($2, 60), 5242880), '[]', now())`,
      ['1'.repeat(64), awkward(100_000)],
    )
    const recording = await file('long.mp3', 'audio/mpeg', '2'.repeat(64))
    await run(
      `insert into transcripts (file_id, sha256, duration_seconds, body, segments, job_id, created_at)
       select $1, $2, 50000, repeat(left($3, 40), 50000),
              json_agg(json_build_object('startSeconds', n, 'endSeconds', n + 1, 'text', left($3, 40))),
              gen_random_uuid(), now()
       from generate_series(1, 50000) n`,
      [recording, '2'.repeat(64), awkward(100)],
    )
    await run(
      `insert into jobs (id, kind, account_id, profile_id, input, status, progress, result, attempts, created_at, finished_at)
       select gen_random_uuid(), 'conversion', $2, $1, '{}', 'succeeded', 100,
              json_build_object('warnings', array_fill(left($3, 300), array[20])), 1, now(), now()
       from generate_series(1, 300) n`,
      [profileId, accountId, awkward(300)],
    )
    await run(
      `insert into events (id, type, profile_id, account_id, data, at)
       select gen_random_uuid(), 'content.page_saved', $1, $2, json_build_object('pageId', $4::bigint, 'slug', 'big',
              'title', left($3, 200), 'status', 'published', 'version', n, 'previousStatus', 'published'), now()
       from generate_series(1, 1000) n`,
      [profileId, accountId, awkward(200), pageId],
    )
    const places = (name: string, count: number, customFields: string) =>
      run(
        `insert into profiles (owner_account_id, type, username, visibility, full_name, bio, skills, socials, keywords,
           capabilities, custom_fields, type_data, created_at, updated_at)
         select owner_account_id, 'place', $2 || n, 'public', full_name, bio, skills, socials, keywords,
                capabilities, ${customFields}, '{}', now(), now()
         from profiles, generate_series(1, $3::int) n where id = $1`,
        [profileId, name, count],
      )
    await places('large-place-', 300, 'custom_fields')
    // As many addresses as one part of a sitemap has.
    await run(
      `insert into pages (profile_id, category_id, title, slug, body, status, version, position, created_at, updated_at,
                          published_at)
       select id, null, 'Page', 'page-' || n, '', 'published', 1, n, now(), now(), now()
       from (select id from profiles where username = 'large-place-1') place, generate_series(1, 50000) n`,
    )
    return { textFile, recording }
  } finally {
    await client.end()
  }
}
