import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { parseList, parseMember } from '../../../framework/module/parse-member.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { isSameSite } from '../../../kernel/public-url.ts'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import { type ArchiveSource, invalidArchive } from '../../../ports/archive-format.ts'
import { didOfIssuer, usernameSchema } from '../../profiles/profiles/index.ts'
import { type ArchiveLimits, readEntries } from './archive-entries.ts'
import { archiveTampered, archiveTooLarge } from './errors.ts'
import { type ListedMember, MANIFEST_PATH, SCHEMA } from './manifest.ts'
import type { ManifestVerifier } from './verify-manifest.ts'

const listedMember = z.object({
  path: z.string(),
  size: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The signer of an archive: this service, a trusted one, or any other. */
export type SignedBy = 'own' | 'trusted' | 'foreign'

export interface ReadArchiveDeps extends ArchiveLimits {
  readonly isSigned: ManifestVerifier
  /** The public keys of this service. */
  readonly ownKeys: readonly { readonly x: string }[]
  readonly trustedIssuers: readonly { readonly issuer: string; readonly keys: readonly { readonly x: string }[] }[]
}

/** An archive whose manifest is signed and lists exactly its members. */
export type VerifiedArchive = Awaited<ReturnType<typeof readArchive>>

const MEBIBYTE = 1_048_576
const MAX_MANIFEST_BYTES = 32 * MEBIBYTE
/** How much memory the compressed texts of an archive may use. */
const MAX_KEPT_BYTES = 64 * MEBIBYTE
/** All texts together, decompressed. */
const MAX_READ_BYTES = 512 * MEBIBYTE
/**
 * How many values a member may have: parsing them blocks the process, and needs more memory than their text. Archives of this
 * service and of trusted ones have what their services have stored: a list of 100,000 files has 700,000 values.
 */
const MAX_VALUES: Readonly<Record<SignedBy, number>> = { own: 2_000_000, trusted: 2_000_000, foreign: 100_000 }
/** A path, a size, a digest, and the object itself. */
const VALUES_A_MEMBER = 4
const MAX_HEAD_VALUES = 1_000

const gzipped = promisify<Buffer, Buffer>(gzip)
const gunzipped = promisify<Buffer, Buffer>(gunzip)

const manifestSchema = z.looseObject({
  schema: z.literal(SCHEMA, `Only ${SCHEMA} is supported`),
  issuer: z.url({ protocol: /^https?$/ }).max(2_048),
  exported_at: z.iso.datetime(),
  profile: z.object({
    id: z.int(),
    did: z.string(),
    profile_type: z.enum(PROFILE_TYPES),
    username: usernameSchema,
  }),
  members: z.array(z.unknown()),
  key: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().max(64) }).loose(),
  signature: z.string().max(128),
})

/**
 * The maximum of a member that is read into memory, by its kind.
 *
 * @internal
 */
export function maxBytesOf(path: string): number {
  if (path === MANIFEST_PATH) return MAX_MANIFEST_BYTES
  if (path === 'files.json' || path === 'feed.json') return 32 * MEBIBYTE
  if (path === 'connections.json') return 16 * MEBIBYTE
  // A page with many versions, or a memory session with many entries.
  if (/^(content|memory)\/.+\.json$/.test(path) && path !== 'content/_categories.json') return 64 * MEBIBYTE
  return 4 * MEBIBYTE
}

/** Reads a member to its end. Errors of the library become `invalid_archive`. */
async function whole(bytes: Readable, path: string): Promise<Buffer> {
  const maxBytes = maxBytesOf(path)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > maxBytes) throw memberTooLarge(path)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (cause) {
    if (isEepError(cause)) throw cause
    throw invalidArchive({ message: `${path}: Cannot be decompressed`, cause })
  }
}

const memberTooLarge = (path: string) => archiveTooLarge({ message: `${path}: Too large for a member of its kind` })

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{')

/**
 * The number of values in a JSON text, or more. It is known without parsing, which needs memory for each of them.
 *
 * @internal
 */
export function countValues(bytes: Uint8Array): number {
  let count = 1
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1
  }
  return count
}

function parseJson(path: string, bytes: Buffer, maxValues: number): unknown {
  if (countValues(bytes) > maxValues) throw memberTooLarge(path)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw invalidArchive({ message: `${path}: Not valid JSON`, cause })
  }
}

/**
 * Opens an archive: its directory has only plain files with safe paths, its manifest is signed and lists exactly these.
 * The bytes of a member are checked when it is read.
 *
 * @throws `invalid_archive`, `archive_tampered`, `archive_too_large`
 */
export async function readArchive(source: ArchiveSource, deps: ReadArchiveDeps) {
  const directory = await readEntries(source, deps)
  if (directory.manifest.size > maxBytesOf(MANIFEST_PATH)) throw memberTooLarge(MANIFEST_PATH)
  const bytes = await whole(await directory.manifest.open(), MANIFEST_PATH)
  const text = parseJson(MANIFEST_PATH, bytes, MAX_HEAD_VALUES + VALUES_A_MEMBER * deps.maxMembers)
  const head = parseMember(MANIFEST_PATH, manifestSchema, text)
  const listed = await parseList(MANIFEST_PATH, listedMember, head.members, deps.maxMembers)
  const manifest = { ...head, members: listed.map((member) => ({ ...member, path: member.path.normalize('NFC') })) }
  if (!(await deps.isSigned(bytes))) throw archiveTampered()
  const { did, profile_type: type, username } = manifest.profile
  // Addresses in texts are replaced by it.
  if (did !== didOfIssuer(manifest.issuer, { type, username })) {
    throw invalidArchive({ message: `${MANIFEST_PATH}, profile.did: Does not match the profile and the issuer` })
  }
  const entries = directory.membersOf(manifest.members)
  const members = new Map<string, ListedMember>(manifest.members.map((member) => [member.path, member]))

  const hasKey = (keys: readonly { readonly x: string }[]) => keys.some(({ x }) => x === manifest.key.x)
  const isTrusted = deps.trustedIssuers.some(({ issuer, keys }) => isSameSite(issuer, manifest.issuer) && hasKey(keys))
  const signedBy: SignedBy = hasKey(deps.ownKeys) ? 'own' : isTrusted ? 'trusted' : 'foreign'

  /** Opens a member. The stream fails when its bytes are not those of the manifest. */
  async function open(path: string): Promise<Readable> {
    const [entry, listed] = [entries.get(path), members.get(path)]
    if (!entry || !listed) throw invalidArchive({ message: `${path}: Missing` })
    const hash = createHash('sha256')
    const checked = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        hash.update(chunk)
        done(null, chunk)
      },
      flush: (done) => done(hash.digest('hex') === listed.sha256 ? null : archiveTampered()),
    })
    const broken = (cause: unknown) =>
      isEepError(cause) ? cause : invalidArchive({ message: `${path}: Cannot be decompressed`, cause })
    const bytes = await entry.open().catch((cause: unknown) => {
      throw broken(cause)
    })
    // Not a pipeline: that would pass on the error of the library.
    bytes.on('error', (cause) => checked.destroy(broken(cause)))
    checked.on('close', () => bytes.destroy())
    // The reader may not have started yet.
    checked.on('error', () => {})
    bytes.pipe(checked)
    return checked
  }

  const kept = new Map<string, Buffer>()
  let keptBytes = 0
  let readBytes = 0

  return {
    manifest,
    signedBy,
    /** The paths of its members, in their order. */
    paths: manifest.members.map(({ path }) => path),
    open,

    /** Whether a member is larger than one of its kind that is read. */
    isTooLarge: (path: string): boolean => (entries.get(path)?.size ?? 0) > maxBytesOf(path),

    /** Checks a member of text, and keeps it compressed for `json` if `isRead`. */
    async check(path: string, isRead: boolean): Promise<void> {
      if (!isRead) {
        for await (const _chunk of await open(path));
        return
      }
      const size = entries.get(path)?.size ?? 0
      if (size > maxBytesOf(path)) throw memberTooLarge(path)
      readBytes += size
      if (readBytes > MAX_READ_BYTES) throw archiveTooLarge()
      const bytes = await gzipped(await whole(await open(path), path))
      keptBytes += bytes.length
      if (keptBytes > MAX_KEPT_BYTES) throw archiveTooLarge()
      kept.set(path, bytes)
    },

    /** The value of a member that was checked and kept; undefined when there is none. */
    async json(path: string): Promise<unknown> {
      const bytes = kept.get(path)
      return bytes && parseJson(path, await gunzipped(bytes), MAX_VALUES[signedBy])
    },
  }
}
