import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Clock } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ArchiveSource } from '../../../ports/archive-format.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { profileNotFound } from '../../profiles/profiles/index.ts'
import { archivesDisabled } from './errors.ts'
import type { ExportWriter } from './export-contents.ts'
import type { Importer } from './import-archive.ts'

/** Options of an export or import without a job. */
export interface DirectArchiveOptions {
  /** Ends the work. */
  readonly signal?: AbortSignal | undefined
  /** Called with an estimate of the progress in percent. */
  readonly onProgress?: ((percent: number) => void) | undefined
}

/** What an export is of. */
export type ExportOf = { readonly profileId: number } | { readonly accountId: string }

/** Where an archive is imported to. */
export interface ImportTarget {
  /** The account that owns the new profile. */
  readonly accountId: string
  /** Whether everything is checked and nothing is stored. Default: false. */
  readonly dryRun?: boolean | undefined
}

export interface DirectArchiveDeps extends Pick<GuardedStorage, 'read'> {
  readonly clock: Clock
  readonly contents: ExportWriter
  readonly importArchive: Importer
}

const never = () => new AbortController().signal

/** Exports and imports in the process of the caller, for hosts and their operators. Permissions and daily limits do not apply. */
export function createDirectArchives({ read, clock, contents, importArchive }: DirectArchiveDeps) {
  async function contentsOf(of: ExportOf, signal: AbortSignal) {
    if ('accountId' in of) {
      const account = await read.accounts.get(of.accountId)
      if (!account) throw notFound({ message: 'This account does not exist' })
      return contents.ofAccount({ account, signal })
    }
    const profile = await read.profiles.get(of.profileId)
    if (!profile) throw profileNotFound()
    return contents.ofProfile({ profile, role: 'owner', accountId: profile.ownerAccountId, signal })
  }

  return {
    async openExport(
      of: ExportOf,
      { signal = never(), onProgress = () => {} }: DirectArchiveOptions = {},
    ): Promise<Readable> {
      const options = { exportedAt: clock(), progress: onProgress }
      const { output, done, stop } = await contents.write(await contentsOf(of, signal), 'zip', options)
      done.catch(stop)
      return output
    },

    importProfile(
      source: ArchiveSource,
      { accountId, dryRun = false }: ImportTarget,
      { signal = never(), onProgress = () => {} }: DirectArchiveOptions = {},
    ): Promise<JsonObject> {
      return importArchive({ id: randomUUID(), accountId, isDry: dryRun, source, signal, progress: onProgress })
    },
  }
}

type DirectArchives = ReturnType<typeof createDirectArchives>

/** The public service, which works once every module was created. */
export function createPublicArchives() {
  let direct: DirectArchives | undefined
  const available = () => {
    if (!direct) throw archivesDisabled()
    return direct
  }
  return {
    set(created: DirectArchives) {
      direct = created
    },
    archives: {
      openExport: async (of: ExportOf, options?: DirectArchiveOptions): Promise<Readable> =>
        available().openExport(of, options),

      importProfile: async (
        source: ArchiveSource,
        target: ImportTarget,
        options?: DirectArchiveOptions,
      ): Promise<JsonObject> => available().importProfile(source, target, options),
    },
  }
}
