import type { Migration } from './index.ts'

export const m0033GateVersionSizes: Migration = [
  // Sizes are listed and summed without reading the configurations.
  'alter table gate_versions add column bytes integer',
  'update gate_versions set bytes = octet_length(config::text)',
  'alter table gate_versions alter column bytes set not null',
]
