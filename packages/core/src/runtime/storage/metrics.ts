import { defineCounter, defineGauge, defineHistogram } from '../telemetry/define-metric.ts'

export const transactionDuration = defineHistogram(
  'eep_storage_transaction_duration_seconds',
  'The time of a transaction, with its repetitions after conflicts',
  ['outcome'],
)
export const cacheReads = defineCounter('eep_cache_reads_total', 'Reads of the caches in memory: found there or not', [
  'cache',
  'outcome',
])
export const cacheEntries = defineGauge('eep_cache_entries', 'Entries of the caches in memory', ['cache'])
export const poolConnections = defineGauge(
  'eep_storage_pool_connections',
  'Connections of the pool to the database: used or idle',
  ['state'],
)
export const poolWaiting = defineGauge('eep_storage_pool_waiting', 'Work that waits for a connection of the pool')
