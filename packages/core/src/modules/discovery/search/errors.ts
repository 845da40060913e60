import { defineError } from '../../../kernel/errors.ts'

export const invalidSearchQuery = defineError('invalid_search_query', 400, 'The search query is not valid')
export const searchDisabled = defineError('search_disabled', 503, 'Search is not configured on this service')
export const semanticSearchDisabled = defineError(
  'semantic_search_disabled',
  503,
  'This service has no semantic search; use mode=keyword',
)
export const semanticSearchUnavailable = defineError(
  'semantic_search_unavailable',
  503,
  'Semantic search is not available at the moment; try again later or use mode=keyword',
)
export const askModeUnsupported = defineError(
  'ask_mode_unsupported',
  400,
  'This service lists results and generates no text; use mode=list',
)
