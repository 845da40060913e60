export { invalidSearchQuery, searchDisabled, semanticSearchDisabled, semanticSearchUnavailable } from './errors.ts'
export { searchNotes } from './schemas.ts'
export type { SearchPartitions } from './search-partitions.ts'
export { serializeNotes } from './serialize.ts'
