import { defineError } from '../../../kernel/errors.ts'

export const memorySessionNotFound = defineError(
  'memory_session_not_found',
  404,
  'This memory session does not exist, has expired, or belongs to another agent',
)
export const memoryEntryNotFound = defineError('memory_entry_not_found', 404, 'Entry not found in this memory session')
export const memoryAgentMismatch = defineError(
  'memory_agent_mismatch',
  403,
  'A signed request can create sessions only for the agent that signed it',
)
export const memorySignatureRequired = defineError(
  'memory_signature_required',
  403,
  'An API key can use sessions of an agent only in requests that the agent signed',
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
  'These entries exceed the memory storage of this account; delete some first',
  { planLimit: true },
)
export const memoryKeyMissing = defineError(
  'memory_key_missing',
  503,
  'This entry is encrypted with a key that is not configured',
)
export const summaryDisabled = defineError('summary_disabled', 503, 'This service does not summarize sessions')
export const summaryFailed = defineError('summary_failed', 502, 'The session could not be summarized; try again later')
