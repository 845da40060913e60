export { invalidSearchQuery, semanticSearchDisabled, semanticSearchUnavailable } from './errors.ts'
export type { SearchPartitions } from './search-partitions.ts'
