import { createEep } from '../../framework/eep.ts'
import { keyOfFile } from '../../model/image-widths.ts'
import type { BlobStore } from '../../ports/blob-store.ts'
import type { Configuration } from '../configuration.ts'
import type { HostDefinition } from '../host-definition.ts'
import { openConfiguration, openService } from '../open-service.ts'
import { serviceOptions } from '../service-options.ts'
import type { Command, CommandResult } from './command.ts'

/** How long a dry run holds its locks and delays later events. */
const DRY_RUN_MS = 20_000

/** Deletes now what a running host deletes in the background. */
export const purge: Command = {
  name: 'purge',
  usage: '[--dry-run]',
  summary: 'deletes what is due: accounts, expired records, old events, files',
  help: `Deletes now what a running host deletes in the background: accounts past their grace period, expired records, what is
older than the retention periods, and bytes of deleted files.

  --dry-run   count what would be deleted, by table, and delete nothing. It does the work in a transaction that is undone,
              for up to ${DRY_RUN_MS / 1_000} seconds; events of a running host are delivered after it.`,
  positionals: 0,
  options: { 'dry-run': { type: 'boolean' } },
  run: ({ host, options, readConfiguration }) => (options['dry-run'] ? rehearse : purgeNow)(host, readConfiguration()),
}

async function purgeNow(host: HostDefinition, configuration: Configuration): Promise<CommandResult> {
  const { eep, close } = await openService(host, configuration)
  try {
    await eep.purge()
  } finally {
    await close()
  }
  return { text: 'Everything that was due is deleted', json: { dry_run: false } }
}

/** A blob store that counts what it would delete. */
function countingBlobs(blobStore: BlobStore) {
  const keys = new Set<string>()
  const blobs: BlobStore = {
    put: () => Promise.reject(new Error('A dry run stores nothing')),
    get: (key, range) => blobStore.get(key, range),
    head: (key) => blobStore.head(key),
    list: (request) => blobStore.list(request),
    async delete(key) {
      keys.add(keyOfFile(key))
    },
    sweep: async () => 0,
  }
  return { blobs, count: () => keys.size }
}

async function rehearse(host: HostDefinition, configuration: Configuration): Promise<CommandResult> {
  const { storage, service, place, close } = await openConfiguration(host, configuration)
  const { blobs, count } = countingBlobs(service.parts.blobStore)
  const signal = AbortSignal.timeout(DRY_RUN_MS)
  try {
    const tables = await storage.rehearse(async (undone) => {
      // Without the parts that a transaction cannot undo.
      const eep = createEep({
        ...serviceOptions({ ...service, parts: { blobStore: blobs } }, { storage: undone, publicUrl: place.publicUrl }),
        logger: { info() {}, warn() {}, error() {} },
      })
      await eep.purge(signal)
      await eep.stop()
    })
    const files = count()
    const isComplete = !signal.aborted
    return { text: summarize(tables, files, isComplete), json: { dry_run: true, complete: isComplete, tables, files } }
  } finally {
    await close()
  }
}

function summarize(tables: Readonly<Record<string, number>>, files: number, isComplete: boolean): string {
  const rows = Object.entries(tables)
  if (rows.length === 0 && files === 0 && isComplete) return 'Nothing would be deleted'
  const width = Math.max(...rows.map(([, rows]) => String(rows).length), String(files).length)
  const line = (count: number, what: string) => `${String(count).padStart(width)}  ${what}`
  return [
    isComplete ? 'Would be deleted:' : `Would be deleted, as far as ${DRY_RUN_MS / 1_000} seconds were enough:`,
    ...rows.map(([table, count]) => line(count, `rows of ${table}`)),
    line(files, 'stored files'),
  ].join('\n')
}
