import type { Migration } from './index.ts'

export const m0080VisibilityOnceVerified: Migration = [
  `alter table profiles add column visibility_once_verified text
    check (visibility_once_verified in ('public', 'unlisted'))`,
]
