import { defineError } from '../kernel/errors.ts'

export const invalidSignature = defineError(
  'invalid_signature',
  401,
  'EEP-Signature is not a valid signature of this agent',
)
