import { createHash, createPublicKey, verify } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { z } from 'zod'
import { canonicalJson } from '../../kernel/digest.ts'
import { isEepError } from '../../kernel/errors.ts'
import { parseMember } from '../../module/parse-member.ts'
import {
  type ArchiveEntry,
  type ArchiveFormat,
  type ArchiveSource,
  invalidArchive,
} from '../../ports/archive-format.ts'
import { archiveTampered, archiveTooLarge } from './errors.ts'
import { type ListedMember, MANIFEST_PATH, SCHEMA } from './manifest.ts'

/** The signer of an archive: this service, a trusted one, or any other. */
export type SignedBy = 'own' | 'trusted' | 'foreign'

export interface ReadArchiveDeps {
  readonly format: ArchiveFormat
  /** The public keys of this service. */
  readonly ownKeys: readonly { readonly x: string }[]
  readonly trustedIssuers: readonly { readonly issuer: string; readonly keys: readonly { readonly x: string }[] }[]
  /** The maximum of all members together, decompressed. */
  readonly maxBytes: number
}

/** An archive whose manifest is signed and lists exactly its members. */
export type VerifiedArchive = Awaited<ReturnType<typeof readArchive>>

const MAX_ENTRIES = 100_000
/** A member of text: a page with many versions. */
const MAX_TEXT_BYTES = 256 * 1_048_576
const MAX_MANIFEST_BYTES = 32 * 1_048_576
/** How much memory the texts of an archive may use, compressed. */
const MAX_KEPT_BYTES = 64 * 1_048_576
/** Texts of a page with many similar versions are compressed to a hundredth. */
const MAX_RATIO = 300
const RATIO_FROM_BYTES = 8 * 1_048_576

const gzipped = promisify<Buffer, Buffer>(gzip)
const gunzipped = promisify<Buffer, Buffer>(gunzip)

const manifestSchema = z.looseObject({
  schema: z.literal(SCHEMA, `Only ${SCHEMA} is supported`),
  issuer: z.url({ protocol: /^https?$/ }),
  exported_at: z.iso.datetime(),
  profile: z.object({
    id: z.int(),
    did: z.string(),
    profile_type: z.string(),
    username: z.string(),
  }),
  members: z
    .array(z.object({ path: z.string(), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .max(MAX_ENTRIES),
  key: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string().max(64) }).loose(),
  signature: z.string().max(128),
})

/**
 * Whether a path stays in the folder that an archive is unpacked to, on every system.
 *
 * @internal
 */
export const isSafePath = (path: string): boolean =>
  path.length <= 1_024 &&
  !/[\\\0]|^[A-Za-z]:/.test(path) &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')

/** Reads the directory of an archive, and rejects what an export never contains. */
async function readEntries(source: ArchiveSource, { format, maxBytes }: ReadArchiveDeps) {
  const entries = new Map<string, ArchiveEntry>()
  let total = 0
  for await (const entry of format.entries(source)) {
    const { path, size } = entry
    if (entries.size === MAX_ENTRIES) throw archiveTooLarge({ message: `More than ${MAX_ENTRIES} members` })
    if (!isSafePath(path)) throw invalidArchive({ message: 'A member has an invalid path' })
    if (!entry.isPlainFile) throw invalidArchive({ message: `${path}: Not a plain file` })
    if (entries.has(path)) throw invalidArchive({ message: `${path}: The archive has it twice` })
    total += size
    if (total > maxBytes) throw archiveTooLarge()
    if (size > RATIO_FROM_BYTES && size > MAX_RATIO * entry.compressedSize) {
      throw archiveTooLarge({ message: `${path}: Compressed more than a text can be` })
    }
    entries.set(path, entry)
  }
  return entries
}

/** Reads a member to its end. Errors of the library become `invalid_archive`. */
async function whole(bytes: Readable, path: string): Promise<Buffer> {
  try {
    return await buffer(bytes)
  } catch (cause) {
    if (isEepError(cause)) throw cause
    throw invalidArchive({ message: `${path}: Cannot be decompressed`, cause })
  }
}

function parseJson(path: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (cause) {
    throw invalidArchive({ message: `${path}: Not JSON`, cause })
  }
}

function isSigned(unsigned: object, signature: string, { x }: { readonly x: string }): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(canonicalJson(unsigned)), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/**
 * Opens an archive: its directory has only plain files with safe paths, its manifest is signed and lists exactly these.
 * The bytes of a member are checked when it is read.
 *
 * @throws `invalid_archive`, `archive_tampered`, `archive_too_large`
 */
export async function readArchive(source: ArchiveSource, deps: ReadArchiveDeps) {
  const entries = await readEntries(source, deps)
  const found = entries.get(MANIFEST_PATH)
  if (!found) throw invalidArchive({ message: 'The archive has no manifest' })
  if (found.size > MAX_MANIFEST_BYTES) throw archiveTooLarge()
  const text = parseJson(MANIFEST_PATH, await whole(await found.open(), MANIFEST_PATH))
  const manifest = parseMember(MANIFEST_PATH, manifestSchema, text)
  const { signature, ...unsigned } = text as { readonly signature: string }
  if (!isSigned(unsigned, signature, manifest.key)) throw archiveTampered()

  const members = new Map<string, ListedMember>(manifest.members.map((member) => [member.path, member]))
  const matches = ({ path, size }: ListedMember) => path !== MANIFEST_PATH && entries.get(path)?.size === size
  const isComplete = members.size === manifest.members.length && members.size === entries.size - 1
  if (!isComplete || !manifest.members.every(matches)) throw archiveTampered()

  const hasKey = (keys: readonly { readonly x: string }[]) => keys.some(({ x }) => x === manifest.key.x)
  const isTrusted = deps.trustedIssuers.some(({ issuer, keys }) => issuer === manifest.issuer && hasKey(keys))
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

  return {
    manifest,
    signedBy,
    /** In their order. */
    paths: manifest.members.map(({ path }) => path),
    open,

    /** Checks a member of text, and keeps it compressed for `json` if `isRead`. */
    async check(path: string, isRead: boolean): Promise<void> {
      if (!isRead) {
        for await (const _chunk of await open(path));
        return
      }
      if ((entries.get(path)?.size ?? 0) > MAX_TEXT_BYTES) throw archiveTooLarge({ message: `${path}: Too large` })
      const bytes = await gzipped(await whole(await open(path), path))
      keptBytes += bytes.length
      if (keptBytes > MAX_KEPT_BYTES) throw archiveTooLarge()
      kept.set(path, bytes)
    },

    /** The value of a member that was checked and kept; undefined when there is none. */
    async json(path: string): Promise<unknown> {
      const bytes = kept.get(path)
      return bytes && parseJson(path, await gunzipped(bytes))
    },
  }
}
