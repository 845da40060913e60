import { crc32 } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { BOUNDARY, field, fileOf, formOf, type Part, PNG } from '../support/files.ts'
import { openUploads } from '../support/uploads.ts'
import { soon } from '../support/wait.ts'

const uploads = await openUploads()
const { app, headers, account, left, send } = uploads
const username = field('username', account.username)

const SCRIPT = '<script>alert(document.cookie)</script>'
const PDF = '%PDF-1.7\n%âãÏÓ\n1 0 obj'
const ZIP = Buffer.from('504b0304140000000000000000000000000000000000000000000100000061', 'hex')
const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500)])
const join = (...parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))

/** The header of a PNG of any size; nothing of the picture is there. */
function headerOf(width: number, height: number) {
  const header = Buffer.from(PNG.subarray(0, 33))
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29)
  return join(header, PNG.subarray(33))
}

async function sendRaw(payload: string | Buffer, boundary = BOUNDARY) {
  const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return client(app).post('/files', payload, { ...type, ...headers })
}

describe('mislabeled files', () => {
  it.each<[string, Part, number, string]>([
    ['HTML called a picture', fileOf(`<html>${SCRIPT}`, 'cat.png'), 400, 'file_type_mismatch'],
    ['SVG called a picture', fileOf(`<svg>${SCRIPT}</svg>`, 'cat.jpg'), 400, 'file_type_mismatch'],
    ['a program called a picture', fileOf(EXE, 'cat.png'), 400, 'file_type_mismatch'],
    ['a program called a document', fileOf(EXE, 'letter.docx'), 400, 'file_type_mismatch'],
    ['an archive called a picture', fileOf(ZIP, 'cat.webp'), 400, 'file_type_mismatch'],
    ['a script that is a GIF too', fileOf('GIF89a/*.*/=1;alert(1)//', 'cat.gif'), 400, 'file_type_mismatch'],
    ['HTML that is a picture too', fileOf(join(PNG, SCRIPT), 'cat.png'), 400, 'file_type_mismatch'],
    ['a PDF that is a picture too', fileOf(join(PNG, PDF), 'cat.png'), 400, 'file_type_mismatch'],
    ['a PDF after a text', fileOf(`Read on.\n${PDF}`, 'paper.pdf'), 400, 'file_type_mismatch'],
    ['HTML that is a PDF too', fileOf(`%PDF-1.4\n${SCRIPT}${PDF}`, 'paper.pdf'), 400, 'file_type_mismatch'],
    ['a picture of 100 million pixels', fileOf(headerOf(10_000, 10_000), 'cat.png'), 422, 'image_too_large'],
    ['a picture wider than any', fileOf(headerOf(4_294_967_295, 4_294_967_295), 'cat'), 422, 'image_too_large'],
    [
      'half a header of a picture',
      fileOf(Buffer.from('ffd8ffe000104a46494600010100000100010000ff', 'hex'), 'c.jpg'),
      400,
      'image_broken',
    ],
    ['more than the tier allows', fileOf(Buffer.alloc(5 * 1_048_576 + 1), 'x.bin'), 413, 'file_too_large'],
  ])('rejects %s', async (_, part, status, code) => {
    const before = await left()
    const response = await send(fileOf('One that is good.'), part)
    expect([response.statusCode, codeOf(response)]).toEqual([status, code])
    expect(await left()).toEqual(before)
  })

  it.each<[string, string | Buffer, string, string]>([
    ['a program', EXE, 'setup.exe', 'application/octet-stream'],
    ['SVG with a script', `<svg>${SCRIPT}</svg>`, 'cat.svg', 'image/svg+xml; charset=utf-8'],
    ['HTML', `<!doctype html>${SCRIPT}`, 'notes', 'text/html; charset=utf-8'],
    ['a text with a PDF in it', `Read on.\n${PDF}`, 'notes', 'application/octet-stream'],
    ['an archive', ZIP, 'all.zip', 'application/zip'],
  ])('serves %s as an attachment only', async (_, content, filename, type) => {
    const { id } = (await send(fileOf(content, filename))).json()
    const { headers: sent } = await uploads.get(`/files/${id}/content`)
    expect(sent).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename=${filename}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })
})

describe('malformed forms', () => {
  const part = (head: string, content = 'x') => `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`
  const end = `--${BOUNDARY}--\r\n`
  const file = 'Content-Disposition: form-data; name="file"; filename="a.txt"'

  it.each<[string, string | Buffer, number, string]>([
    ['ten thousand parts', `${part('X-Nothing: at all').repeat(10_000)}${end}`, 400, 'validation_failed'],
    [
      'ten thousand fields',
      formOf(Array.from({ length: 10_000 }, (_, i) => field(`f${i}`, 'x'))).payload,
      400,
      'validation_failed',
    ],
    [
      'ten thousand files',
      formOf([username, ...Array.from({ length: 10_000 }, () => fileOf('x'))]).payload,
      413,
      'batch_too_large',
    ],
    ['a field of a megabyte', formOf([field('username', 'x'.repeat(1_048_576))]).payload, 400, 'validation_failed'],
    ['a name of a megabyte', formOf([field('x'.repeat(1_048_576), 'x')]).payload, 400, 'validation_failed'],
    ['a field with a long name', formOf([field(`username${'x'.repeat(100)}`, 'x')]).payload, 400, 'validation_failed'],
    [
      'a header of a megabyte',
      `${part(`${file}\r\nX-Long: ${'x'.repeat(1_048_576)}`)}${end}`,
      400,
      'validation_failed',
    ],
    ['a thousand headers', `${part(`${'X-A: b\r\n'.repeat(1_000)}${file}`)}${end}`, 400, 'validation_failed'],
    ['a header that never ends', `--${BOUNDARY}\r\n${file}${'x'.repeat(200_000)}`, 400, 'incomplete_upload'],
    ['no end', part(file), 400, 'incomplete_upload'],
    ['nothing', '', 400, 'incomplete_upload'],
    ['only an end', end, 400, 'validation_failed'],
    [
      'another boundary',
      formOf([username, fileOf('x')])
        .payload.toString()
        .replaceAll(BOUNDARY, 'another'),
      400,
      'incomplete_upload',
    ],
    [
      'a form in a form',
      `${part('Content-Type: multipart/mixed; boundary=inner', '--inner\r\n\r\nx\r\n--inner--')}${end}`,
      400,
      'validation_failed',
    ],
    [
      'names of a prototype',
      formOf([field('constructor', 'x'), username, fileOf('x')]).payload,
      400,
      'validation_failed',
    ],
    ['a path as a field', formOf([username, { ...fileOf('x'), name: '../file' }]).payload, 400, 'validation_failed'],
  ])('rejects %s', async (_, payload, status, code) => {
    const before = await left()
    const response = await sendRaw(payload)
    expect([response.statusCode, codeOf(response)]).toEqual([status, code])
    expect(await left()).toEqual(before)
  })

  it.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['/etc/shadow', 'shadow'],
    ['NUL.txt', '_NUL.txt'],
    ['setup.exe. . .', 'setup.exe'],
    [`${'x'.repeat(2_000)}.txt`, `${'x'.repeat(196)}.txt`],
    // Of a header that is longer than any, the rest is dropped.
    [`${'x'.repeat(10_000)}.txt`, 'x'.repeat(199)],
    ['....', 'file'],
  ])('sanitizes the file name %j', async (sent, kept) => {
    const response = await send(fileOf('x', sent))
    expect(response.json().filename).toBe(kept)
  })
})

describe('clients that send less, more or more slowly than announced', () => {
  afterEach(() => void vi.useRealTimers())
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  const { payload } = formOf([username, fileOf('x'.repeat(2_000_000))])

  // The first one: bytes of uploads that other tests break off are still being removed.
  it('aborts an upload whose bytes stop arriving', async () => {
    const before = await left()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { socket, heard } = await uploads.connect()
    onTestFinished(() => void socket.destroy())
    socket.write(uploads.headOf({ 'content-type': type, 'content-length': payload.length }))
    socket.write(payload.subarray(0, 100_000))
    await soon(async () => expect((await left())[0]).toBe(before[0] + 1))
    // What came in the first minute is enough for that minute.
    vi.advanceTimersByTime(60_000)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(heard()).toBe('')
    // A byte now and then is not.
    socket.write(payload.subarray(100_000, 100_010))
    await new Promise((resolve) => setTimeout(resolve, 20))
    vi.advanceTimersByTime(60_000)
    await soon(() => expect(heard()).toContain('408 Request Timeout'))
    expect(heard()).toContain('"upload_stalled"')
    await soon(async () => expect(await left()).toEqual(before))
  })

  it('rejects a file immediately when its announced length is too large', async () => {
    const { socket, heard } = await uploads.connect()
    socket.write(uploads.headOf({ 'content-type': type, 'content-length': 2 ** 31 }))
    await expect.poll(heard).toContain('413 Payload Too Large')
    expect(heard()).toContain('"file_too_large"')
    expect(heard().toLowerCase()).toContain('connection: close')
    socket.destroy()
  })

  it('stops an endless upload at the limit', async () => {
    const before = await left()
    const { socket, heard } = await uploads.connect()
    socket.write(uploads.headOf({ 'content-type': type, 'transfer-encoding': 'chunked' }))
    const begin = formOf([username, fileOf('')]).payload
    const chunk = (bytes: Buffer | string) => join(`${bytes.length.toString(16)}\r\n`, bytes, '\r\n')
    socket.write(chunk(begin.subarray(0, begin.lastIndexOf('\r\n--'))))
    let sent = 0
    const block = chunk(Buffer.alloc(65_536, 1))
    while (!socket.destroyed && heard() === '' && sent < 100_000_000) {
      sent += block.length
      if (!socket.write(block))
        await Promise.race([
          new Promise((resolve) => socket.once('drain', resolve)),
          new Promise((resolve) => socket.once('close', resolve)),
        ])
      await new Promise(setImmediate)
    }
    await expect.poll(heard).toContain('"file_too_large"')
    expect(sent).toBeLessThan(100_000_000)
    socket.destroy()
    await expect.poll(left, { timeout: 60_000 }).toEqual(before)
  })

  it('stores nothing when the client disconnects at any point', async () => {
    const before = await left()
    for (const length of [0, 40, 150, 70_000, 1_500_000, payload.length - 4]) {
      const { socket } = await uploads.connect()
      socket.write(uploads.headOf({ 'content-type': type, 'content-length': payload.length }))
      await new Promise((resolve) => socket.write(payload.subarray(0, length), resolve))
      socket.destroy()
    }
    await expect.poll(left, { timeout: 60_000 }).toEqual(before)
  })
})
