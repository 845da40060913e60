import { defineError } from '../../kernel/errors.ts'

export const addressRefused = defineError('address_refused', 400, 'The service does not send requests to this address')
export const outboundFailed = defineError('outbound_failed', 502, 'The remote server did not send a usable response')
