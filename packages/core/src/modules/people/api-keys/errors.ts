import { defineError } from '../../../kernel/errors.ts'

export const apiKeyNotFound = defineError('api_key_not_found', 404, 'API key not found, or it was revoked')
export const tooManyApiKeys = defineError(
  'too_many_api_keys',
  409,
  'The account has the maximum number of API keys; revoke one first',
)
export const keyScopeEscalation = defineError(
  'key_scope_escalation',
  403,
  'API keys cannot create keys with broader permissions',
)
