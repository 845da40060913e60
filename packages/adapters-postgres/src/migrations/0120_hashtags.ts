import type { Migration } from './index.ts'

// Tags are folded without the dot of an İ since this release. Processes of the previous one store further tags with it; reading a
// stored tag never fails. A post that has both forms keeps one row.
export const m0120Hashtags: Migration = [
  `insert into feed_hashtags (hashtag, created_at, post_id)
    select distinct regexp_replace(hashtag, U&'i\\0307+', 'i', 'g'), created_at, post_id from feed_hashtags
      where position(U&'i\\0307' in hashtag) > 0
    on conflict do nothing`,
  `delete from feed_hashtags where position(U&'i\\0307' in hashtag) > 0`,
]
