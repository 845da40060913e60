export { invalidSearchQuery, searchDisabled, semanticSearchDisabled, semanticSearchUnavailable } from './errors.ts'
export type { SearchPartitions } from './search-partitions.ts'
