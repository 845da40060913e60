import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ExportMember } from '../../../framework/module/export-member.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ArchiveFormat } from '../../../ports/archive-format.ts'
import { type ListedMember, MANIFEST_PATH } from './manifest.ts'

export interface ArchiveContents {
  readonly members: AsyncIterable<ExportMember>
  readonly exportedAt: Date
  /** Creates the manifest once all members were written. */
  readonly manifest: (members: readonly ListedMember[]) => JsonObject
  /** Called after each member with its size. */
  readonly written: (bytes: number) => void
}

/** An archive that is being written. `done` rejects when a member cannot be read. */
export interface WrittenArchive {
  readonly output: Readable
  readonly done: Promise<void>
  /** Stops writing, and closes the member that is being read. */
  stop(error: Error): void
}

/** Counts and hashes the bytes of a member as they are read. */
function measured(member: ExportMember) {
  const hash = createHash('sha256')
  let size = 0
  async function* read() {
    for await (const part of member.open()) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      hash.update(bytes)
      size += bytes.length
      yield bytes
    }
  }
  const listed = (): ListedMember => ({ path: member.path, size, sha256: hash.digest('hex') })
  return { read, listed }
}

/** Writes members as an archive. Bytes of files are stored as they are, because most are compressed already. */
export function writeArchive(contents: ArchiveContents, format: ArchiveFormat): WrittenArchive {
  const { members, exportedAt, manifest, written } = contents
  const writer = format.write()
  let current: Readable | undefined

  async function write() {
    const listed: ListedMember[] = []
    for await (const member of members) {
      const { read, listed: entry } = measured(member)
      current = Readable.from(read(), { objectMode: false })
      const { modifiedAt = exportedAt } = member
      await writer.add(member.path, current, { modifiedAt, compress: member.kind !== 'bytes' })
      const { size } = listed[listed.push(entry()) - 1] as ListedMember
      written(size)
    }
    current = Readable.from([`${JSON.stringify(manifest(listed), null, 2)}\n`])
    await writer.add(MANIFEST_PATH, current, { modifiedAt: exportedAt, compress: true })
    writer.finish()
  }

  return {
    output: writer.output,
    done: write(),
    stop(error) {
      current?.destroy(error)
      writer.output.destroy(error)
    },
  }
}

/**
 * Writes members as one JSON object: `{"members": {path: value}, "manifest": …}`. JSON members are values, texts are strings,
 * and bytes are left out.
 */
export function writeJson(contents: ArchiveContents): WrittenArchive {
  const { members, manifest, written } = contents
  const finished = Promise.withResolvers<void>()

  async function* write() {
    const listed: ListedMember[] = []
    try {
      yield '{"members":{'
      for await (const member of members) {
        if (member.kind === 'bytes') continue
        const { read, listed: entry } = measured(member)
        yield `${listed.length === 0 ? '' : ','}\n${JSON.stringify(member.path)}:`
        if (member.kind === 'json') yield* read()
        else yield* asJsonString(read())
        const { size } = listed[listed.push(entry()) - 1] as ListedMember
        written(size)
      }
      yield `},\n"manifest":${JSON.stringify(manifest(listed))}}\n`
      finished.resolve()
    } catch (error) {
      finished.reject(error)
      throw error
    }
  }
  const output = Readable.from(write(), { objectMode: false })
  return { output, done: finished.promise, stop: (error) => void output.destroy(error) }
}

async function* asJsonString(parts: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder()
  yield '"'
  for await (const part of parts) yield JSON.stringify(decoder.decode(part, { stream: true })).slice(1, -1)
  yield '"'
}
