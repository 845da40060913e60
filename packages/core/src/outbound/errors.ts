import { defineError } from '../kernel/errors.ts'

export const addressRefused = defineError('address_refused', 400, 'This address is not one the service calls')
export const outboundFailed = defineError('outbound_failed', 502, 'The other side did not give a usable answer')
