import type { Pool } from 'pg'
import type { Footprint } from './footprint.ts'
import { p95 } from './measure.ts'
import { openService } from './service.ts'

const POSTS = 1_000_000
const FOLLOWS = 5_000
/** At most, in milliseconds. */
const MUST_MS = 50
const REQUESTS = 200

/** Readers, each with the profiles that it follows among 15,000, of which the first 5,000 write nearly everything. */
const READERS = [
  { name: 'busy', from: 0, what: 'that write 198 posts each' },
  { name: 'quiet', from: 5_000, what: 'that write 2 posts each, older than 900,000 others' },
  { name: 'silent', from: 10_000, what: 'that have no posts' },
] as const

/** Accounts with a profile each, and posts. It is SQL: the routes would take hours. */
async function seed(pool: Pool): Promise<void> {
  await pool.query(`insert into eep.accounts (id, email, username, created_at)
    select gen_random_uuid(), 'author-' || n || '@example.com', 'author-' || n, now() from generate_series(1, 15000) n`)
  await pool.query(`insert into eep.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities,
      custom_fields, type_data, visibility, created_at, updated_at)
    select id, 'person', username, '{}', '{}', '{}', '{}', '{}', '{}', 'public', now(), now() from eep.accounts
    where username like 'author-%' order by substr(username, 8)::integer`)
  await pool.query(`with authors as (
      select array_agg(id order by substr(username, 8)::integer) as ids from eep.profiles where username like 'author-%'
    )
    insert into eep.feed_posts (profile_id, body, attachments, created_at)
    select case when n <= 10000 then ids[5001 + n % 5000] else ids[1 + n % 5000] end,
      'An update with some words in it, as people write them', '{}', now() - interval '1 year' + n * interval '10 seconds'
    from authors, generate_series(1, ${POSTS}) n`)
  await pool.query('vacuum analyze eep.feed_posts, eep.profiles, eep.accounts')
}

async function follow(pool: Pool, profileId: number, from: number): Promise<void> {
  await pool.query(
    `insert into eep.connections (follower_profile_id, followee_profile_id, created_at)
     select $1, id, now() from eep.profiles
     where username like 'author-%' order by substr(username, 8)::integer offset $2 limit $3`,
    [profileId, from, FOLLOWS],
  )
}

/** How long readers of a feed wait among a million posts, one request after another and nothing cached. */
export async function measureFeed(connectionString: string): Promise<readonly Omit<Footprint, 'database'>[]> {
  const { app, pool, close } = await openService(connectionString, () => ({
    limits: { readCacheEntries: 0 },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  }))
  const measured: Omit<Footprint, 'database'>[] = []
  try {
    await seed(pool)
    const measure = async (what: string, url: string, headers: Record<string, string> = {}) => {
      const times: number[] = []
      for (let round = -20; round < REQUESTS; round++) {
        const from = performance.now()
        const { statusCode, body } = await app.inject({ method: 'GET', url, headers })
        if (statusCode !== 200) throw new Error(`${url}: ${body}`)
        if (round >= 0) times.push(performance.now() - from)
      }
      measured.push({
        what: `p95 of ${what}, among ${POSTS.toLocaleString('en')} posts`,
        must: MUST_MS,
        value: Math.round(p95(times) * 10) / 10,
        unit: 'ms',
      })
    }
    for (const { name, from, what } of READERS) {
      const payload = { username: name, email: `${name}@example.com`, password: 'Correct horse 7 battery' }
      const { token, user } = (await app.inject({ method: 'POST', url: '/auth/register', payload })).json()
      await follow(pool, user.active_profile_id, from)
      await pool.query('vacuum analyze eep.connections')
      const headers = {
        authorization: `Bearer ${token}`,
        'x-active-profile-id': String(user.active_profile_id),
        accept: 'application/json',
      }
      const url = '/feed/following'
      await measure(`the feed of 5,000 followed profiles ${what}`, url, headers)
      const { pagination } = (await app.inject({ method: 'GET', url, headers })).json()
      if (pagination.next_cursor === undefined) continue
      await measure(
        `the second page of the feed of 5,000 followed profiles ${what}`,
        `${url}?cursor=${pagination.next_cursor}`,
        headers,
      )
    }
    await measure('the feed of all', '/feed')
    return measured
  } finally {
    await close()
  }
}
