import { defineError } from '../../kernel/errors.ts'

export const apiKeyNotFound = defineError('api_key_not_found', 404, 'There is no such API key, or it has ended')
export const tooManyApiKeys = defineError('too_many_api_keys', 409, 'The account has no room for another API key')
export const keyScopeEscalation = defineError(
  'key_scope_escalation',
  403,
  'API keys cannot create keys with broader permissions',
)
