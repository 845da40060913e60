import type { Migration } from './index.ts'

export const m0017Listings: Migration = [
  // Sitemaps measure all listed items; with these columns, index-only scans suffice.
  `create index profiles_listed on profiles (id) include (updated_at)
    where visibility = 'public' and withdrawn_at is null`,
  `create index pages_published on pages (id) include (profile_id, category_id, updated_at)
    where status = 'published'`,
]
