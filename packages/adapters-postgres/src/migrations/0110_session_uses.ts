import type { Migration } from './index.ts'

export const m0110SessionUses: Migration = [
  // A session of the previous release has one token, which is accepted as cookie and as bearer token.
  "alter table sessions add column uses text[] not null default '{bearer}'",
]
