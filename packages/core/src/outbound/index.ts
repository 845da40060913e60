export { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts'
