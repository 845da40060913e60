export { addressRefused, outboundFailed } from './errors.ts'
export { createGuardedFetch, type GuardedFetch, type OutboundAnswer } from './guarded-fetch.ts'
