import type {
  AccountExporter,
  AccountSubject,
  ExportMember,
  ExportSubject,
  ProfileExporter,
} from '../../../framework/module/export-member.ts'
import { allPages } from '../../../kernel/all-pages.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import { withoutDeviceName } from '../../../kernel/portable-names.ts'
import type { ArchiveFormat } from '../../../ports/archive-format.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { type ListedMember, signManifest } from './manifest.ts'
import { type WrittenArchive, writeArchive, writeJson } from './write-archive.ts'

/** Windows permits 260 characters, of which the folder to unpack to takes some. */
const MAX_PATH_LENGTH = 180

/** The content of an archive: its subject, as the manifest names it, and its members. */
export interface ExportContents {
  /** The account whose stored bytes determine the size of the export. */
  readonly ownerId: string
  readonly about: JsonObject
  readonly members: AsyncIterable<ExportMember>
}

/** The profile to export by itself, and the role of the requester. */
export type ExportedProfile = Omit<ExportSubject, 'maxPathLength'>

export interface ExportWriterDeps extends Pick<GuardedStorage, 'read'> {
  readonly profiles: Pick<ProfileService, 'didOf' | 'publicUrl'>
  readonly keyring: Keyring
  readonly serviceDid: string
  readonly format: ArchiveFormat
  readonly profileExporters: readonly ProfileExporter[]
  readonly accountExporters: readonly AccountExporter[]
}

/** Writes archives of profiles and accounts from what every module adds. */
export function createExportWriter(deps: ExportWriterDeps) {
  const { read, profiles, keyring, serviceDid, format, profileExporters, accountExporters } = deps

  async function* membersOf(subject: ExportSubject): AsyncGenerator<ExportMember> {
    for (const members of profileExporters) {
      for await (const member of members(subject)) {
        subject.signal.throwIfAborted()
        yield member
      }
    }
  }

  /** The data of an account, and each profile that it owns in a folder. */
  async function* membersOfAccount(subject: AccountSubject): AsyncGenerator<ExportMember> {
    const { account, signal } = subject
    for (const members of accountExporters) {
      for await (const member of members(subject)) {
        signal.throwIfAborted()
        yield member
      }
    }
    for await (const profile of allPages((request) => read.profiles.listOfAccount(account.id, request))) {
      if (profile.withdrawnAt !== null) continue
      const folder = `profiles/${profile.type}/${withoutDeviceName(profile.username)}/`
      const maxPathLength = MAX_PATH_LENGTH - folder.length
      const accountId = account.id
      for await (const member of membersOf({ profile, role: 'owner', accountId, signal, maxPathLength }))
        yield { ...member, path: `${folder}${member.path}` }
    }
  }

  return {
    ofProfile(given: ExportedProfile): ExportContents {
      const subject: ExportSubject = { ...given, maxPathLength: MAX_PATH_LENGTH }
      const { id, type, username, ownerAccountId: ownerId } = subject.profile
      const about = { profile: { id, did: profiles.didOf(subject.profile), profile_type: type, username } }
      return { ownerId, about, members: membersOf(subject) }
    },

    ofAccount(subject: AccountSubject): ExportContents {
      const { id, username } = subject.account
      return { ownerId: id, about: { account: { id, username } }, members: membersOfAccount(subject) }
    },

    /** Writes an archive with a signed manifest. `progress` gets an estimate in percent. */
    async write(
      { ownerId, about, members }: ExportContents,
      as: 'zip' | 'json',
      { exportedAt, progress }: { readonly exportedAt: Date; readonly progress: (percent: number) => void },
    ): Promise<WrittenArchive> {
      const { storageBytes } = await read.profiles.countOfAccount(ownerId)
      let done = 0
      const head = {
        issuer: profiles.publicUrl,
        issuer_did: serviceDid,
        exported_at: exportedAt.toISOString(),
        ...about,
      }
      const contents = {
        members,
        exportedAt,
        manifest: (listed: readonly ListedMember[]) => signManifest(head, listed, keyring),
        written(bytes: number) {
          done += bytes
          progress(Math.min(99, (100 * done) / Math.max(1, storageBytes)))
        },
      }
      return as === 'zip' ? writeArchive(contents, format) : writeJson(contents)
    },
  }
}

export type ExportWriter = ReturnType<typeof createExportWriter>
