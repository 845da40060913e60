import { defineError } from '../../kernel/errors.ts'

export const memorySessionNotFound = defineError(
  'memory_session_not_found',
  404,
  'This memory session does not exist, has expired, or belongs to another agent',
)
export const memoryEntryNotFound = defineError('memory_entry_not_found', 404, 'This session has no such entry')
export const memoryAgentMismatch = defineError(
  'memory_agent_mismatch',
  403,
  'A signed request creates sessions of the agent that signed it only',
)
export const memorySignatureRequired = defineError(
  'memory_signature_required',
  403,
  'With an API key, sessions of an agent need a request that the agent signed',
)
export const tooManyMemorySessions = defineError(
  'too_many_memory_sessions',
  409,
  'This account has the maximum number of memory sessions of its plan; delete one or wait until one expires',
  { planLimit: true },
)
export const tooManyMemoryEntries = defineError(
  'too_many_memory_entries',
  409,
  'This session has the maximum number of entries; delete some or start another session',
)
export const memoryFull = defineError(
  'memory_full',
  409,
  'The plan of this account has no room for these entries; delete some first',
  { planLimit: true },
)
export const memoryKeyMissing = defineError(
  'memory_key_missing',
  503,
  'This entry is encrypted with a key that the service does not have at the moment',
)
export const summaryDisabled = defineError('summary_disabled', 503, 'This service does not summarize sessions')
export const summaryFailed = defineError('summary_failed', 502, 'The session could not be summarized; try again later')
