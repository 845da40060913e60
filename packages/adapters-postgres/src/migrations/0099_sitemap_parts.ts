import type { Migration } from './index.ts'

export const m0099SitemapParts: Migration = [
  // Sitemaps have 10,000 ids each. The first entry of a part shows that it is not empty, and when it last changed.
  `create index profiles_by_part on profiles ((id / 10000), updated_at desc)
    where visibility = 'public' and withdrawn_at is null`,
  `create index pages_by_part on pages ((id / 10000), updated_at desc)
    where status = 'published'`,
]
