export { addressRefused } from './errors.ts'
export { createGuardedFetch, type GuardedFetch, type SignOutbound } from './guarded-fetch.ts'
