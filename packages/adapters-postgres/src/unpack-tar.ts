import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const BLOCK = 512
const NAME = [0, 100] as const
const SIZE = [124, 136] as const
const TYPE = 156
const DIRECTORY = '5'.charCodeAt(0)

/**
 * Writes the files of a dump into a directory, readable by their owner only. PGlite reads a dump into memory one file after another,
 * and leaves a half database when it is interrupted.
 */
export async function unpackTar(tar: Uint8Array, directory: string): Promise<void> {
  const text = (header: Uint8Array, [from, to]: readonly [number, number]) =>
    Buffer.from(header.subarray(from, to)).toString('latin1').replace(/\0.*/s, '')

  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + BLOCK)
    const [name, size] = [text(header, NAME), Number.parseInt(text(header, SIZE), 8) || 0]
    if (name.split('/').includes('..')) throw new Error(`The dump has a file outside of its directory: ${name}`)
    const path = join(directory, name)
    const start = at + BLOCK
    if (start + size > tar.length) throw new Error(`The dump ends within ${name}`)
    if (header[TYPE] === DIRECTORY) await mkdir(path, { recursive: true, mode: 0o700 })
    else {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(path, tar.subarray(start, start + size), { mode: 0o600 })
    }
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
}
