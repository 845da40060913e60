import type { Migration } from './index.ts'

export const m0135TextEncodings: Migration = [
  // Processes of the previous release write none. Their texts are UTF-8.
  'alter table files add column encoding text',
]
