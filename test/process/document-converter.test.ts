import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { documentConverter } from '@eep/core/files/text'
import { documentConverterContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { describe, expect, it } from 'vitest'
import {
  archiveOf,
  docxOf,
  pdfOf,
  pdfOfBytes,
  pptxOf,
  shapeOf,
  sheetRow,
  TYPES,
  wordParagraph,
  wordParts,
  xlsxOf,
} from '../support/documents.ts'

const converter = documentConverter({ maxMemoryMb: 192 })
const never = () => new AbortController().signal

function convert(name: string, content: string | Buffer, { by = converter, signal = never() } = {}) {
  const bytes = Buffer.from(content)
  const contentType = TYPES[name] ?? 'application/zip'
  return by.convert({ contentType, filename: `file.${name}`, size: bytes.length }, Readable.from([bytes]), { signal })
}
const markdown = async (name: string, content: string | Buffer) => (await convert(name, content)).markdown
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'read',
    (error) => [error.code, error.details?.reason].filter(Boolean).join(' '),
  )

const sample = (name: string, content: string | Buffer) => ({
  filename: `file.${name}`,
  contentType: TYPES[name] ?? 'application/zip',
  bytes: Buffer.from(content),
})
documentConverterContract(vitest, () => converter, {
  documents: [
    { ...sample('txt', 'Some\u0007\r\nwords'), contains: 'words' },
    { ...sample('docx', docxOf(wordParagraph('Title', 'Heading1'))), contains: '# Title' },
  ],
  broken: [sample('docx', 'PK')],
})

describe('the text', () => {
  it('is that of each kind of document, read in a separate process', async () => {
    const documents: readonly [string, string | Buffer, string][] = [
      ['md', '# A text', '# A text'],
      ['csv', 'A table,2', '| A table | 2 |'],
      ['html', '<h1>A page</h1>', '# A page'],
      ['pdf', await pdfOf([['A page']]), 'A page'],
      ['pptx', pptxOf([shapeOf('title', 'A slide')]), '## A slide'],
      ['xlsx', xlsxOf({ 'A sheet': sheetRow(1, 'x') }), '## A sheet'],
    ]
    for (const [name, content, words] of documents) expect(await markdown(name, content), name).toContain(words)
  })

  it('truncates a text that is too long, and reports it', async () => {
    const long = await convert('txt', 'A line of text.\n'.repeat(400_000))
    expect(Buffer.byteLength(long.markdown)).toBeLessThanOrEqual(5_242_880)
    expect([long.markdown.endsWith('text.\n'), long.warnings]).toEqual([true, [expect.stringContaining('5 MB')]])
  })
})

describe('a document that was made to harm', () => {
  const WORD = wordParagraph('A')

  it.each<[string, string, () => string | Buffer | Promise<Buffer>, string]>([
    ['has more than fits', 'docx', () => docxOf(WORD.repeat(400_000)), 'too_complex'],
    [
      'is nested deeply',
      'docx',
      () => docxOf(`${'<w:sdt><w:sdtContent>'.repeat(20_000)}${'</w:sdtContent></w:sdt>'.repeat(20_000)}`),
      'too_complex',
    ],
    [
      'has a sheet with a far corner',
      'xlsx',
      () => xlsxOf({ A: `${sheetRow(1, 1)}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>` }),
      'too_complex',
    ],
    ['has a drawing of 150 MB', 'pdf', () => pdfOfBytes(Buffer.alloc(150_000_000, 'q ')), 'too_complex'],
    ['is a page nested deeply', 'html', () => '<div>'.repeat(100_000), 'too_complex'],
    ['is a page of open marks', 'html', () => `${'<b>'.repeat(20_000)}${'<p>'.repeat(2_000)}`, 'too_complex'],
  ])('refuses a document that %s, while other requests are served', async (_, name, make, reason) => {
    const content = await make()
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 5)
    const outcome = await refusal(convert(name, content))
    clearInterval(timer)
    expect(outcome).toBe(`conversion_failed ${reason}`)
    expect(turns).toBeGreaterThan(5)
  })

  it('makes no network request', async () => {
    let requests = 0
    const server = createServer((_, response) => {
      requests += 1
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const picture = `<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="rId2"/></w:drawing></w:r></w:p>`
    const linked = archiveOf({
      ...wordParts(picture + WORD),
      'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="${url}" TargetMode="External"/></Relationships>`,
    })
    expect(await markdown('docx', linked)).toBe('A\n')
    await markdown('html', `<link rel="stylesheet" href="${url}"><img src="${url}"><object data="${url}"></object>A`)
    server.close()
    expect(requests).toBe(0)
  })
})

describe('the converter', () => {
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length

  it('reads exactly the formats that it declares', async () => {
    const facts = (contentType: string, filename = 'x') => ({ contentType, filename, size: 1 })
    expect(converter.reads(facts('text/csv'))).toBe(true)
    expect(converter.reads(facts('image/png', 'x.docx'))).toBe(false)
    const body = Readable.from(['x'])
    const png = converter.convert(facts('image/png'), body, { signal: never() })
    expect([await refusal(png), body.destroyed]).toEqual(['unsupported_document', true])
  })

  it('refuses documents that are too large, whatever size was announced', async () => {
    const small = documentConverter({ maxBytes: 10 })
    expect(await refusal(convert('txt', 'x'.repeat(11), { by: small }))).toBe('document_too_large')
    const body = Readable.from([Buffer.alloc(6), Buffer.alloc(6)])
    const facts = { contentType: 'text/plain', filename: 'x', size: 5 }
    expect(await refusal(small.convert(facts, body, { signal: never() }))).toBe('document_too_large')
    expect(body.destroyed).toBe(true)
    await expect.poll(processes).toBe(0)
  })

  it('ends a conversion that exceeds its time limit', async () => {
    const hasty = documentConverter({ timeoutMs: 100 })
    const slow = convert('csv', 'x,'.repeat(1_000_000), { by: hasty })
    expect(await refusal(slow)).toBe('conversion_failed too_complex')
  })

  it('ends when the caller aborts, and when the bytes do not arrive', async () => {
    const leaving = new AbortController()
    const slow = convert('html', '<b>'.repeat(50_000), { signal: leaving.signal })
    setImmediate(() => leaving.abort(new Error('left')))
    await expect(slow).rejects.toThrow('left')
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('lost')
      })(),
    )
    const facts = { contentType: 'text/plain', filename: 'x', size: 9 }
    await expect(converter.convert(facts, body, { signal: never() })).rejects.toThrow('lost')
    await expect.poll(processes).toBe(0)
  })

  it('reads documents in sequence, and removes aborted ones from the queue', async () => {
    const single = documentConverter({ concurrency: 1 })
    const leaving = new AbortController()
    const first = convert('txt', 'first', { by: single })
    const second = convert('txt', 'second', { by: single, signal: leaving.signal })
    const third = convert('txt', 'third', { by: single })
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    expect((await Promise.all([first, third])).map((text) => text.markdown)).toEqual(['first', 'third'])
  })
})
