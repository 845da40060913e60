import { createHash, createPublicKey, type JsonWebKey, type KeyPairKeyObjectResult, sign, verify } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import type { Person } from './accounts.ts'
import type { TestApp } from './app.ts'
import { client } from './client.ts'
import { field, fileOf, formOf, type Part } from './files.ts'
import { ended } from './media.ts'

/** The members of a ZIP by their paths. */
export type Members = ReadonlyMap<string, Buffer>

export async function unzip(bytes: Buffer): Promise<Members> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const members = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    members.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return members
}

export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
export const jsonOf = (members: Members, path: string) => JSON.parse(String(members.get(path)))

/** The path and query of a URL of the service. */
export const pathOf = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')

/** Requests an export and waits for its job. */
export async function exported(app: TestApp, person: Person, body: object) {
  const asked = await person.post('/export', body)
  if (asked.statusCode !== 202) throw new Error(asked.body)
  return ended(app, person.headers, asked.json().id)
}

/** Requests an export, and downloads it. */
export async function downloaded(app: TestApp, person: Person, body: object): Promise<Buffer> {
  const job = await exported(app, person, body)
  if (job.status !== 'succeeded') throw new Error(JSON.stringify(job))
  const answer = await client(app).get(pathOf(String(job.result?.url)))
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.rawPayload
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

/** Whether a key has signed a JSON value, by its canonical form (RFC 8785). */
export const isSigned = (value: unknown, signature: string, jwk: JsonWebKey): boolean =>
  verify(
    null,
    Buffer.from(JSON.stringify(sorted(value))),
    createPublicKey({ key: jwk, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  )

/** A ZIP of members; `modes` are types of files on Unix. */
export async function zip(members: Members, modes: Readonly<Record<string, number>> = {}): Promise<Buffer> {
  const file = new ZipFile()
  for (const [path, bytes] of members) file.addBuffer(bytes, path, { mode: modes[path] ?? 0o100644 })
  file.end()
  return buffer(file.outputStream)
}

/** Members with changes (undefined removes one), and a manifest with changes that lists them and is signed with another key. */
export function resigned(
  members: Members,
  changes: Readonly<Record<string, string | Buffer | undefined>>,
  { publicKey, privateKey }: Pick<KeyPairKeyObjectResult, 'publicKey' | 'privateKey'>,
  head: object = {},
): Members {
  const changed = new Map(members)
  changed.delete('manifest.json')
  for (const [path, content] of Object.entries(changes)) {
    if (content === undefined) changed.delete(path)
    else changed.set(path, Buffer.from(content))
  }
  const { signature: _, ...before } = jsonOf(members, 'manifest.json')
  const listed = [...changed].map(([path, bytes]) => ({ path, size: bytes.length, sha256: hashOf(bytes) }))
  const unsigned = { ...before, ...head, members: listed, key: publicKey.export({ format: 'jwk' }) }
  const signature = sign(null, Buffer.from(JSON.stringify(sorted(unsigned))), privateKey).toString('base64url')
  return changed.set('manifest.json', Buffer.from(JSON.stringify({ ...unsigned, signature })))
}

/** Sends a form to `POST /import`. */
export function sendArchive(app: TestApp, person: Person, parts: readonly Part[]) {
  const { payload, headers } = formOf(parts)
  return client(app).post('/import', payload, { ...headers, ...person.headers })
}

/** Sends an archive, and waits for the job that imports it. */
export async function imported(app: TestApp, person: Person, bytes: Buffer, fields: Record<string, string> = {}) {
  const given = Object.entries(fields).map(([name, value]) => field(name, value))
  const sent = await sendArchive(app, person, [...given, fileOf(bytes, 'export.zip')])
  if (sent.statusCode !== 202) throw new Error(sent.body)
  return ended(app, person.headers, sent.json().id)
}
