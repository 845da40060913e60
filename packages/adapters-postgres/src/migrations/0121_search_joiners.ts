import type { Migration } from './index.ts'

// Words with joiners are indexed in two spellings and tags are folded like hashtags: without a position, the index is rebuilt, while
// searches use the current one.
export const m0121SearchJoiners: Migration = ['update search_state set position = null']
