export { addressRefused } from './errors.ts'
export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
