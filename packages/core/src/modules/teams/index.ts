export type { MemberRole, ProfileOfAccount } from './store.ts'
