import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { documentConverter } from '@eep/core/files'
import { documentConverterContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { describe, expect, it } from 'vitest'
import {
  archiveOf,
  docxOf,
  overlapping,
  pdfOf,
  pdfOfBytes,
  pptxOf,
  shapeOf,
  sheetRow,
  withLies,
  wordParagraph,
  wordParts,
  xlsxOf,
} from './support/documents.ts'

const converter = documentConverter({ maxMemoryMb: 192 })
const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
}
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
    { ...sample('pdf', await pdfOf([['A page']])), contains: 'A page' },
  ],
  broken: [sample('docx', 'PK')],
})

describe('the text', () => {
  it('keeps plain text and Markdown, except characters that cannot be stored', async () => {
    expect(await markdown('txt', 'One\r\n<b>two</b>\0\u0007\tthree')).toBe('One\n<b>two</b>\tthree')
    expect(await markdown('md', '\uFEFF# Title\n\n- [x](y)\n')).toBe('# Title\n\n- [x](y)\n')
    expect(await markdown('txt', Buffer.from([0x61, 0xff, 0x62]))).toBe('a\uFFFDb')
    expect(await markdown('txt', '')).toBe('')
  })

  it.each([
    [',', 'Name,Price\nA "quoted" | cell,1\n"two\nlines",2,3\n\n'],
    [';', 'Name;Price\nA "quoted" | cell;1\n"two\nlines";2;3\n'],
    ['\t', 'Name\tPrice\nA "quoted" | cell\t1\n"two\nlines"\t2\t3\n'],
  ])('converts cells separated by %j to a table', async (_, text) => {
    expect(await markdown('csv', text)).toBe(
      '| Name | Price |  |\n| --- | --- | --- |\n| A "quoted" \\| cell | 1 |  |\n| two lines | 2 | 3 |\n',
    )
  })

  it('converts the structure of an HTML page, without scripts, embeds and unsafe links', async () => {
    const page = `<!doctype html><head><title>T</title><style>p{}</style></head><body onload="x()">
      <h1>Title</h1><script>alert(1)</script><p onclick="x()">A <b>bold</b> <i>word</i>, <code>code</code>.
      <a href="https://a.example/b">out</a> <a href="mailto:a@b.example">email</a> <a href="/in">in</a>
      <a href="javascript:alert(1)">run</a> <a href="data:text/html,x">data</a> <img src="data:image/png,x" alt="a cat"></p>
      <iframe src="https://a.example">frame</iframe><template>t</template><svg><text>s</text></svg>
      <ul><li>one<ul><li>two</li></ul></li></ul><pre><code class="language-js">let a</code></pre>
      <table><tr><th colspan="1000000">a</th><th>b</th></tr><tr><td>1</td><td>2 | 3</td></tr></table>`
    expect(await markdown('html', page)).toBe(
      [
        '# Title',
        'A **bold** *word*, `code`. [out](https://a.example/b) [email](mailto:a@b.example) in run data a cat',
        '- one\n  - two',
        '```js\nlet a\n```',
        '| a | b |\n| - | - |\n| 1 | 2 \\| 3 |\n',
      ].join('\n\n'),
    )
  })

  it('converts headings of a Word document, and escapes its text', async () => {
    const body = wordParagraph('Title', 'Heading1') + wordParagraph('Costs *5* &lt;script&gt; # no heading')
    expect(await markdown('docx', docxOf(body))).toBe('# Title\n\nCosts \\*5\\* \\<script> # no heading\n')
  })

  it('converts each slide to a section with its tables', async () => {
    const table = ['h', 'i', '1', '2'].map((text) => `<a:tc><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:tc>`)
    const slides = [
      shapeOf('title', 'The &amp; plan') + shapeOf(undefined, 'First', '# Second'),
      `<a:tbl><a:tr>${table.slice(0, 2).join('')}</a:tr><a:tr>${table.slice(2).join('')}</a:tr></a:tbl>`,
    ]
    expect(await markdown('pptx', pptxOf(slides))).toBe(
      '## The & plan\n\nFirst\n\n\\# Second\n\n## Slide 2\n\n| h | i |\n| --- | --- |\n| 1 | 2 |\n',
    )
  })

  it('converts each sheet of a workbook to a table', async () => {
    const first = sheetRow(1, 'Name', 'Price') + sheetRow(2, 'A|B', 1.5)
    expect(await markdown('xlsx', xlsxOf({ First: first, 'Two *': sheetRow(1, 'x') }))).toBe(
      '## First\n\n| Name | Price |\n| --- | --- |\n| A\\|B | 1.5 |\n\n## Two \\*\n\n| x |\n| --- |\n',
    )
  })

  it('converts the lines of a PDF to paragraphs, page by page', async () => {
    expect(await convert('pdf', await pdfOf([['First', '# Second'], ['Page two']]))).toEqual({
      markdown: 'First\n\n\\# Second\n\nPage two\n',
      warnings: [],
    })
    const empty = await convert('pdf', await pdfOf([[]]))
    expect(empty).toEqual({ markdown: '', warnings: [expect.stringContaining('images of text')] })
  })

  it('truncates a text that is too long, and reports it', async () => {
    const long = await convert('txt', 'A line of text.\n'.repeat(400_000))
    expect(Buffer.byteLength(long.markdown)).toBeLessThanOrEqual(5_242_880)
    expect([long.markdown.endsWith('text.\n'), long.warnings]).toEqual([true, [expect.stringContaining('5 MB')]])
    const wide = await convert('csv', Array.from({ length: 300_000 }, (_, index) => index).join(','))
    expect(wide.warnings).toEqual(['Only the first 256 of 300000 columns are shown'])
    expect(wide.markdown.split('|')).toHaveLength(2 * 256 + 3)
  })
})

describe('a document that was made to harm', () => {
  const WORD = wordParagraph('A')

  it.each<[string, string, () => string | Buffer | Promise<Buffer>, string]>([
    ['inflates to gigabytes', 'docx', () => docxOf(wordParagraph('A'.repeat(68_000_000))), 'too_complex'],
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
    ['has 30,000 parts', 'pptx', () => overlapping('', 30_000), 'too_complex'],
    ['lies about its sizes', 'docx', () => withLies(docxOf(wordParagraph('A'.repeat(1_000_000)))), 'broken'],
    ['has parts that overlap', 'docx', () => overlapping('A'.repeat(5_000_000), 200), 'too_complex'],
    [
      'declares entities',
      'docx',
      () => archiveOf({ ...wordParts(''), 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>' }),
      'broken',
    ],
    ['has a drawing of 150 MB', 'pdf', () => pdfOfBytes(Buffer.alloc(150_000_000, 'q ')), 'too_complex'],
    ['is a page nested deeply', 'html', () => '<div>'.repeat(100_000), 'too_complex'],
    ['is a page of open marks', 'html', () => `${'<b>'.repeat(20_000)}${'<p>'.repeat(2_000)}`, 'too_complex'],
    ['is cut off', 'docx', () => docxOf(WORD).subarray(0, 500), 'broken'],
    ['is an archive of something else', 'pptx', () => archiveOf({ 'inner.zip': docxOf(WORD) }), 'broken'],
    ['is not a PDF after its first bytes', 'pdf', () => '%PDF-1.7 truncated', 'broken'],
    ['is locked', 'pdf', () => pdfOf([['Secret']], { userPassword: 'a' }), 'protected'],
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
