import { defineError } from '../../kernel/errors.ts'

export const upgradeRequired = defineError('upgrade_required', 426, 'Ask for a WebSocket: Upgrade: websocket')
export const invalidFrame = defineError('invalid_frame', 400, 'The frame is not valid')
export const unsupportedFrame = defineError('unsupported', 400, 'This service does not handle this frame')
export const notSubscribed = defineError('not_subscribed', 409, 'The connection is not subscribed to this source')
export const tooManySubscriptions = defineError(
  'too_many_subscriptions',
  409,
  'The connection is subscribed to as many sources as it may',
)
export const unknownSeq = defineError(
  'unknown_seq',
  400,
  'This connection has not sent that number yet; use last_event_id after reconnecting',
)
export const refreshRefused = defineError(
  'auth_refresh_refused',
  403,
  'The token is not one of the account of this connection',
)
