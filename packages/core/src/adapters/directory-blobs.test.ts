import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newBlobKey } from '../ports/blob-store.ts'
import { directoryBlobs } from './directory-blobs.ts'

const HOUR = 3_600_000

describe('directoryBlobs', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'eep-blobs-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const bodyOf = (text: string) => Readable.from([Buffer.from(text)])
  const files = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())

  it('keeps a blob in a file for its owner alone, in one of 256 directories', async () => {
    const key = newBlobKey()
    await directoryBlobs({ directory }).put(key, bodyOf('what it holds'))
    const [file, ...others] = await files()
    expect(others).toEqual([])
    const path = join(file?.parentPath ?? '', file?.name ?? '')
    expect(path.slice(directory.length)).toMatch(new RegExp(`^/[0-9a-f]{2}/${key}$`))
    expect(await readFile(path, 'utf8')).toBe('what it holds')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it('makes its directory, and shares it with another process', async () => {
    const nested = join(directory, 'not', 'there')
    const [one, other] = [directoryBlobs({ directory: nested }), directoryBlobs({ directory: nested })]
    expect(await one.list({ limit: 10 })).toEqual({ blobs: [] })
    const keys = [newBlobKey(), newBlobKey()]
    await Promise.all([one.put(keys[0] ?? '', bodyOf('1')), other.put(keys[1] ?? '', bodyOf('2'))])
    expect((await one.list({ limit: 10 })).blobs.map(({ key }) => key).sort()).toEqual(keys.sort())
  })

  it('removes what a crash left, a day later and by itself', async () => {
    const unfinished = join(directory, 'unfinished')
    await mkdir(unfinished)
    const [old, young] = [join(unfinished, 'old'), join(unfinished, 'young')]
    await writeFile(old, 'half a')
    await writeFile(young, 'half a')
    await utimes(old, new Date(), new Date(Date.now() - 25 * HOUR))
    const blobs = directoryBlobs({ directory })
    expect(await blobs.list({ limit: 10 })).toEqual({ blobs: [] })
    await blobs.put(newBlobKey(), bodyOf('whole'))
    expect(await readdir(unfinished)).toEqual(['young'])
    expect(await blobs.sweep(new Date(Date.now() + HOUR))).toBe(1)
  })

  it('leaves no half of a blob when the process dies while it is put', async () => {
    const module = JSON.stringify(new URL('./directory-blobs.ts', import.meta.url).href)
    const key = newBlobKey()
    const dying = `
      import { Readable } from 'node:stream'
      const { directoryBlobs } = await import(${module})
      async function* half() { yield Buffer.alloc(300_000, 1); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50); await new Promise(() => {}) }
      await directoryBlobs({ directory: ${JSON.stringify(directory)} }).put('${key}', Readable.from(half()))`
    const signal = await new Promise((resolve) => {
      execFile(process.execPath, ['--input-type=module', '-e', dying], (error) => resolve(error?.signal))
    })
    expect(signal).toBe('SIGKILL')
    const blobs = directoryBlobs({ directory })
    expect(await blobs.head(key)).toBeUndefined()
    expect(await blobs.sweep(new Date(Date.now() + HOUR))).toBe(1)
    expect(await files()).toEqual([])
  })

  // A limit on the size of files stands for a disk that is full.
  it.skipIf(process.platform === 'win32')(
    'throws storage_error when the disk is full, and leaves nothing',
    async () => {
      const module = JSON.stringify(new URL('./directory-blobs.ts', import.meta.url).href)
      const writing = `
      import { Readable } from 'node:stream'
      const { directoryBlobs } = await import(${module})
      const body = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(65_536)))
      await directoryBlobs({ directory: ${JSON.stringify(directory)} }).put('${newBlobKey()}', body).catch((error) => {
        console.log(error.code, error.cause?.code, body.destroyed)
      })`
      const said = await new Promise((resolve) => {
        const limited = ['-c', 'ulimit -f 512; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', writing]
        execFile('sh', limited, (_error, stdout) => resolve(stdout))
      })
      expect(said).toBe('storage_error EFBIG true\n')
      expect(await files()).toEqual([])
    },
  )

  it('throws storage_error when the disk fails, and works again when it recovers', async () => {
    const place = join(directory, 'blobs')
    await writeFile(place, 'a file is here')
    const blobs = directoryBlobs({ directory: place })
    const key = newBlobKey()
    const body = bodyOf('what it holds')
    await expect(blobs.put(key, body)).rejects.toMatchObject({ code: 'storage_error', status: 502 })
    expect(body.destroyed).toBe(true)
    for (const work of [() => blobs.get(key), () => blobs.head(key), () => blobs.ping?.()]) {
      await expect(work()).rejects.toMatchObject({ code: 'storage_error' })
    }
    await rm(place)
    await blobs.put(key, bodyOf('what it holds'))
    await blobs.ping?.()
    expect(await blobs.head(key)).toMatchObject({ key, size: 13 })
  })

  it('passes over what others put into its directory', async () => {
    const blobs = directoryBlobs({ directory })
    const key = newBlobKey()
    await blobs.put(key, bodyOf('what it holds'))
    const [file] = await files()
    await writeFile(join(file?.parentPath ?? '', '.DS_Store'), 'not ours')
    await writeFile(join(directory, 'README'), 'not ours')
    expect((await blobs.list({ limit: 10 })).blobs).toMatchObject([{ key }])
  })
})
