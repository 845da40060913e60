import { join } from 'node:path'
import { directoryBlobs } from '../adapters/directory-blobs.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { assertNoFormerData } from './former-data.ts'
import type { HostAdapter, HostParts, PartsContext, SandboxContext, SandboxParts } from './host-adapter.ts'
import type { HostDatabase } from './host-database.ts'
import type { HostDefinition } from './host-definition.ts'
import { allAdapters } from './merge-variables.ts'

/** Files in the data directory, for hosts whose variables name no other place. */
const filesOnDisk = (dataDir: string): BlobStore => directoryBlobs({ directory: join(dataDir, 'files') })

/** The parts of a host. Files have a place in each. */
export interface MadeParts extends HostParts {
  readonly blobStore: BlobStore
  /** The adapter whose store has the files. Undefined for the data directory. */
  readonly blobsOf?: HostAdapter | undefined
}

/**
 * Makes what the variables configure, except the database.
 *
 * @param secrets - the secrets of the service, with which rails sign challenges
 * @throws ConfigurationError when variables do not fit each other
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * const { rails, blobStore } = await makeParts(host, readConfig(host, process.env), secrets)
 */
export async function makeParts(
  host: Pick<HostDefinition, 'adapters'>,
  { values, dataDir, service }: Configuration,
  secrets: readonly string[],
): Promise<MadeParts> {
  const context: PartsContext = { dataDir, secrets, baseUrl: service.EEP_BASE_URL }
  const made: [HostAdapter, HostParts][] = []
  for (const adapter of allAdapters(host)) {
    const parts = await adapter.parts?.(values, context)
    if (parts) made.push([adapter, parts])
  }
  const { blobStore = filesOnDisk(dataDir), ...parts } = joined(made)
  return { ...parts, blobStore, blobsOf: made.find(([, each]) => each.blobStore)?.[0] }
}

/**
 * Makes the parts of a sandbox, which replace those of the same name.
 *
 * @throws ConfigurationError when two adapters make the same part
 */
export async function makeSandboxParts(
  host: Pick<HostDefinition, 'adapters'>,
  { values }: Configuration,
  context: SandboxContext,
): Promise<SandboxParts> {
  const made: [HostAdapter, SandboxParts][] = []
  for (const adapter of allAdapters(host)) {
    const parts = await adapter.sandbox?.(values, context)
    if (parts) made.push([adapter, parts])
  }
  return joined(made)
}

/** Joins the lists of adapters. Of other parts, one adapter makes each. */
function joined(made: readonly (readonly [HostAdapter, SandboxParts])[]): SandboxParts {
  const makers = new Map<string, HostAdapter>()
  const result: Record<string, unknown> = {}
  for (const [adapter, parts] of made) {
    for (const [name, part] of Object.entries(parts)) {
      if (part === undefined) continue
      const earlier = result[name]
      if (earlier !== undefined && !Array.isArray(earlier)) {
        throw new ConfigurationError([
          `${makers.get(name)?.name} and ${adapter.name} both make the part ${name}; remove the variables of one of them`,
        ])
      }
      makers.set(name, adapter)
      result[name] = Array.isArray(earlier) ? [...earlier, ...(part as readonly unknown[])] : part
    }
  }
  return result
}

/**
 * Returns the database that the variables name.
 *
 * @throws ConfigurationError when the data of the host is in the directory for another kind of money
 * @throws TypeError when the host has no adapter with a database, or more than one
 */
export function databaseOf({ adapters }: Pick<HostDefinition, 'adapters'>, configuration: Configuration): HostDatabase {
  assertNoFormerData(configuration)
  const databases = adapters.flatMap((adapter) =>
    adapter.database ? [adapter.database(configuration.values, configuration.dataDir)] : [],
  )
  const [database] = databases
  if (!database || databases.length > 1) {
    throw new TypeError(`A host has one adapter with a database, and not ${databases.length}`)
  }
  return database
}
