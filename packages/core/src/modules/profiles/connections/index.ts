export type { ConnectionService, ScoredConnection } from './service.ts'
