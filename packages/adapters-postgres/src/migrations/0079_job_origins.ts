import type { Migration } from './index.ts'

export const m0079JobOrigins: Migration = ['alter table jobs add column origin json']
