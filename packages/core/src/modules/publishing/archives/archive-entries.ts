import {
  type ArchiveEntry,
  type ArchiveFormat,
  type ArchiveSource,
  invalidArchive,
} from '../../../ports/archive-format.ts'
import { archiveTampered, archiveTooLarge } from './errors.ts'
import { type ListedMember, MANIFEST_PATH } from './manifest.ts'

export interface ArchiveLimits {
  readonly format: ArchiveFormat
  /** The maximum number of members. */
  readonly maxMembers: number
  /** The maximum of all members together, decompressed. */
  readonly maxBytes: number
}

const MEBIBYTE = 1_048_576
/** Texts of a page with many similar versions are compressed to a hundredth. */
const MAX_RATIO = 300
const RATIO_FROM_BYTES = 8 * MEBIBYTE
/** How many paths an error lists of each kind. */
const MAX_NAMED = 20

/**
 * Whether a path stays in the folder that an archive is unpacked to, on every system.
 *
 * @internal
 */
export const isSafePath = (path: string): boolean =>
  path.length <= 1_024 &&
  !/[\\\0]|^[A-Za-z]:/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** The files that Finder, Explorer and other programs add to a folder or an archive of it. */
const SYSTEM_FOLDERS = new Set(['__MACOSX', '.Spotlight-V100', '.Trashes'])
const SYSTEM_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

function isOfSystem(path: string): boolean {
  const parts = path.split('/')
  const name = parts.pop() ?? ''
  return SYSTEM_FILES.has(name) || name.startsWith('._') || parts.some((part) => SYSTEM_FOLDERS.has(part))
}

type Found = readonly [path: string, entry: ArchiveEntry]

/** Reads the directory of an archive, and rejects what an export never contains. Folders are left out. */
async function readDirectory(source: ArchiveSource, { format, maxBytes, maxMembers }: ArchiveLimits) {
  const all: ArchiveEntry[] = []
  let total = 0
  for await (const entry of format.entries(source)) {
    // The manifest is not one of its members.
    if (all.length > maxMembers) {
      throw archiveTooLarge({
        message: `More than ${maxMembers} members`,
        details: { max_archive_members: maxMembers },
      })
    }
    const { path, size } = entry
    total += size
    if (total > maxBytes) throw archiveTooLarge()
    if (size > RATIO_FROM_BYTES && size > MAX_RATIO * entry.compressedSize) {
      throw archiveTooLarge({ message: `${path}: Compression ratio too high` })
    }
    all.push(entry)
  }
  // Some programs on Windows write backslashes.
  const hasSlashes = all.some(({ path }) => path.includes('/'))
  const found: Found[] = []
  for (const entry of all) {
    const path = (hasSlashes ? entry.path : entry.path.replaceAll('\\', '/')).normalize('NFC')
    const isFolder = path.endsWith('/') && entry.size === 0
    if (!isSafePath(isFolder ? path.slice(0, -1) : path)) {
      throw invalidArchive({ message: 'A member has an invalid path' })
    }
    if (!isFolder) found.push([path, entry])
  }
  return found
}

/** The folder with the manifest: the root, or the only folder of an archive that was packed again with its folder. */
function rootOf(found: readonly Found[]): string {
  if (found.some(([path]) => path === MANIFEST_PATH)) return ''
  const folders = new Set(found.flatMap(([path]) => (isOfSystem(path) ? [] : [path.split('/', 1)[0]])))
  const [folder] = folders
  const root = `${folder}/`
  if (folders.size === 1 && found.some(([path]) => path === `${root}${MANIFEST_PATH}`)) return root
  throw invalidArchive({ message: 'The archive has no manifest' })
}

/**
 * Reads the directory of an archive. One that was unpacked and packed again may have folders, the folder that it was unpacked to,
 * and files that the system adds: these are left out and never opened, unless the manifest lists them.
 *
 * @throws `invalid_archive`, `archive_too_large`
 */
export async function readEntries(source: ArchiveSource, limits: ArchiveLimits) {
  const found = await readDirectory(source, limits)
  const root = rootOf(found)
  const within = found.map(([path, entry]): Found => [path.startsWith(root) ? path.slice(root.length) : path, entry])
  const manifest = within.find(([path]) => path === MANIFEST_PATH)?.[1]
  if (!manifest) throw invalidArchive({ message: 'The archive has no manifest' })

  return {
    manifest,

    /**
     * The members by their paths, once the manifest lists them.
     *
     * @throws `archive_tampered` when they are others than those of the manifest
     */
    membersOf(listed: readonly ListedMember[]): ReadonlyMap<string, ArchiveEntry> {
      const wanted = new Map(listed.map((member) => [member.path.normalize('NFC'), member]))
      const members = new Map<string, ArchiveEntry>()
      for (const [path, entry] of within) {
        if (isOfSystem(path) && !wanted.has(path)) continue
        if (!entry.isPlainFile) throw invalidArchive({ message: `${path}: Not a plain file` })
        if (members.has(path)) throw invalidArchive({ message: `${path}: Appears twice in the archive` })
        members.set(path, entry)
      }
      members.delete(MANIFEST_PATH)
      const missing = [...wanted.keys()].filter((path) => !members.has(path))
      const extra = [...members.keys()].filter((path) => !wanted.has(path))
      const changed = [...members].flatMap(([path, { size }]) =>
        wanted.has(path) && wanted.get(path)?.size !== size ? [path] : [],
      )
      if (wanted.size < listed.length || missing.length + extra.length + changed.length > 0) {
        const named = { missing, changed, extra }
        const paths = Object.entries(named).flatMap(([kind, all]) =>
          all.length > 0 ? [`${kind}: ${all.slice(0, MAX_NAMED).join(', ')}`] : [],
        )
        throw archiveTampered({
          message: `The members are not those of the manifest (${paths.join('; ')}). An export can be packed again only if nothing in it was changed`,
          details: {
            missing: missing.slice(0, MAX_NAMED),
            changed: changed.slice(0, MAX_NAMED),
            extra: extra.slice(0, MAX_NAMED),
          },
        })
      }
      return members
    },
  }
}
