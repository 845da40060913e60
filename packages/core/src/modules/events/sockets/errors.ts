import { defineError } from '../../../kernel/errors.ts'

export const upgradeRequired = defineError('upgrade_required', 426, 'WebSocket required: send Upgrade: websocket')
export const invalidHandshake = defineError(
  'invalid_handshake',
  400,
  'The WebSocket handshake is not valid (RFC 6455, 4.2.1)',
)
export const invalidFrame = defineError('invalid_frame', 400, 'The frame is not valid')
export const unsupportedFrame = defineError('unsupported', 400, 'This service does not support this frame')
export const notSubscribed = defineError('not_subscribed', 409, 'The connection is not subscribed to this source')
export const tooManySubscriptions = defineError(
  'too_many_subscriptions',
  409,
  'The connection has reached its limit of subscriptions',
)
export const unknownSeq = defineError(
  'unknown_seq',
  400,
  'This connection has not sent that number yet; use last_event_id after reconnecting',
)
export const refreshRefused = defineError(
  'auth_refresh_refused',
  403,
  'The token and this connection belong to different accounts',
)
