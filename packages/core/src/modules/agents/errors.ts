import { defineError } from '../../kernel/errors.ts'

export const invalidSignature = defineError('invalid_signature', 401, 'The EEP-Signature does not prove this agent')
