import { defineError } from '../../../kernel/errors.ts'

export const invalidBotSignature = defineError(
  'invalid_bot_signature',
  400,
  'The HTTP message signature of this program is not valid',
)
