export type { AuditEntry } from './store.ts'
