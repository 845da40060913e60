import type { Migration } from './index.ts'

export const m0098EventTraces: Migration = ['alter table events add column traceparent text']
