import { describe, expect, it } from 'vitest'
import {
  archiveOf,
  docxOf,
  overlapping,
  pdfOf,
  pptxOf,
  shapeOf,
  sheetRow,
  TYPES,
  withLies,
  wordParagraph,
  wordParts,
  xlsxOf,
} from '../../../../../test/support/documents.ts'
import { documentKindOf } from './document-kind.ts'
import { readDocument } from './read-document.ts'
import { refusalOf } from './refusal.ts'
import { finishText } from './text.ts'

/** Reads a document as the separate process does, in this one: none of these takes much time or memory. */
async function read(name: string, content: string | Buffer) {
  const kind = documentKindOf(TYPES[name] ?? 'application/zip', `file.${name}`)
  if (!kind) throw new Error(`no kind of document is named ${name}`)
  return finishText(await readDocument(kind, Buffer.from(content)))
}
const markdown = async (name: string, content: string | Buffer) => (await read(name, content)).markdown

describe('the text of a document', () => {
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
    expect(await read('pdf', await pdfOf([['First', '# Second'], ['Page two']]))).toEqual({
      markdown: 'First\n\n\\# Second\n\nPage two\n',
      warnings: [],
    })
    const empty = await read('pdf', await pdfOf([[]]))
    expect(empty).toEqual({ markdown: '', warnings: [expect.stringContaining('images of text')] })
  })

  it('leaves out the columns of a wide table, and reports it', async () => {
    const wide = await read('csv', Array.from({ length: 300_000 }, (_, index) => index).join(','))
    expect(wide.warnings).toEqual(['Only the first 256 of 300000 columns are shown'])
    expect(wide.markdown.split('|')).toHaveLength(2 * 256 + 3)
  })
})

describe('the reader of documents', () => {
  it.each<[string, string, () => string | Buffer | Promise<Buffer>, string]>([
    ['inflates to gigabytes', 'docx', () => docxOf(wordParagraph('A'.repeat(68_000_000))), 'too_complex'],
    ['has 30,000 parts', 'pptx', () => overlapping('', 30_000), 'too_complex'],
    ['lies about its sizes', 'docx', () => withLies(docxOf(wordParagraph('A'.repeat(1_000_000)))), 'broken'],
    ['has parts that overlap', 'docx', () => overlapping('A'.repeat(5_000_000), 200), 'too_complex'],
    [
      'declares entities',
      'docx',
      () => archiveOf({ ...wordParts(''), 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>' }),
      'broken',
    ],
    ['is cut off', 'docx', () => docxOf(wordParagraph('A')).subarray(0, 500), 'broken'],
    ['is an archive of something else', 'pptx', () => archiveOf({ 'inner.zip': docxOf(wordParagraph('A')) }), 'broken'],
    ['is not a PDF after its first bytes', 'pdf', () => '%PDF-1.7 truncated', 'broken'],
    ['is locked', 'pdf', () => pdfOf([['Secret']], { userPassword: 'a' }), 'protected'],
  ])('refuses a document that %s', async (_, name, make, reason) => {
    const outcome = await read(name, await make()).catch((error: unknown) => refusalOf(error).reason)
    expect(outcome).toBe(reason)
  })
})
