import { describe, expect, it } from 'vitest'
import { fileToolkit } from '../../../adapters/file-toolkit/file-toolkit.ts'
import { contentTypeOf, isShown, servedTypeOf } from './content-type.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb', 'hex')
const GIF = Buffer.from('47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b', 'hex')
const PDF = Buffer.concat([
  Buffer.from('%PDF-1.7\n%'),
  Buffer.from([0xe2, 0xe3, 0xcf, 0xd3]),
  Buffer.from('\n1 0 obj\n'),
])
const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])
const ELF = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(200)])
const ZIP = Buffer.from('504b0304140000000000000000000000000000000000000000000100000061', 'hex')
const SCRIPT = '<script>alert(document.cookie)</script>'

const join = (...parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const typeOf = async (content: string | Buffer, filename: string) => {
  const found = await contentTypeOf(Buffer.from(content), filename, { toolkit: fileToolkit(), language: 'en' })
  return found?.contentType
}

describe('the type of a file', () => {
  it.each<[string, string | Buffer, string, string]>([
    ['a picture', PNG, 'cat.png', 'image/png'],
    ['a picture without a name', PNG, 'cat', 'image/png'],
    ['a text', 'Hello.', 'notes.txt', 'text/plain; charset=utf-8'],
    ['a text that begins like a bitmap', 'BMW is a car.', 'car.txt', 'text/plain; charset=utf-8'],
    ['a text that begins like a program', 'MZ is what they begin with.', 'mz.txt', 'text/plain; charset=utf-8'],
    ['a text that begins like a recording', 'ID3 tags, explained', 'id3.md', 'text/markdown; charset=utf-8'],
    ['a script in the clothes of a GIF', 'GIF89a/*.*/=1;alert(1)//', 'x', 'text/plain; charset=utf-8'],
    ['a document', PDF, 'paper.pdf', 'application/pdf'],
    ['a program', EXE, 'setup.exe', 'application/octet-stream'],
    ['a program of Linux', ELF, 'setup', 'application/octet-stream'],
    ['a text with a PDF in it', 'Read on.\n%PDF-1.4\n1 0 obj', 'x', 'application/octet-stream'],
    ['a text about PDF', '%PDF-1.4 is how they begin.', 'pdf.txt', 'text/plain; charset=utf-8'],
    ['a README with markup at its head', '<p align="center">A logo</p>', 'README.md', 'text/markdown; charset=utf-8'],
    ['a README with a comment at its head', '<!-- toc -->', 'README.md', 'text/markdown; charset=utf-8'],
    ['a guide with an example of HTML', `\`\`\`html\n${SCRIPT}\n\`\`\``, 'howto.md', 'text/markdown; charset=utf-8'],
    ['JSON with markup', `{"a":"${SCRIPT}"}`, 'a.json', 'application/json; charset=utf-8'],
    ['a log with colors', '\u001b[31mfailed\u001b[0m', 'build.log', 'text/plain; charset=utf-8'],
    ['a calendar', 'BEGIN:VCALENDAR', 'a.ics', 'text/calendar; charset=utf-8'],
    ['a script', 'alert(1)', 'x.js', 'text/plain; charset=utf-8'],
    ['a module', 'export {}', 'x.mjs', 'text/plain; charset=utf-8'],
    ['a style sheet', 'a{color:red}', 'x.css', 'text/plain; charset=utf-8'],
    ['source code with markup', '<?php echo "<html>" ?>', 'x.php', 'text/plain; charset=utf-8'],
    ['bytes with a PDF in them', Buffer.concat([Buffer.from([0, 1, 2]), PDF]), 'x.bin', 'application/octet-stream'],
    ['HTML', `<!doctype html>${SCRIPT}`, 'x.html', 'text/html; charset=utf-8'],
    ['HTML without a known extension', `<!doctype html>${SCRIPT}`, 'x.page', 'text/html; charset=utf-8'],
    ['a script in a text', `Hello ${SCRIPT}`, 'notes.txt', 'text/plain; charset=utf-8'],
    ['a script in a table', `a,b\n1,${SCRIPT}`, 'x.csv', 'text/csv; charset=utf-8'],
    ['SVG without a known extension', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'x', 'image/svg+xml; charset=utf-8'],
    ['an archive', ZIP, 'x.zip', 'application/zip'],
    ['an archive called a document', ZIP, 'x.docx', 'application/zip'],
    ['nothing', '', 'x', 'text/plain; charset=utf-8'],
  ])('of %s', async (_, content, filename, type) => {
    expect(await typeOf(content, filename)).toBe(type)
  })

  it.each<[string, string | Buffer, string]>([
    ['HTML called a picture', `<html>${SCRIPT}</html>`, 'cat.png'],
    ['SVG called a picture', '<svg onload="alert(1)"/>', 'cat.jpg'],
    ['a text called a picture', 'Hello.', 'cat.gif'],
    ['a script called a picture', 'GIF89a/*.*/=1;alert(1)//', 'cat.gif'],
    ['a text called a bitmap', 'BMW is a car.', 'cat.bmp'],
    ['a picture called a document', PNG, 'paper.pdf'],
    ['a PDF after other text', join('Read on.\n', PDF), 'paper.pdf'],
    ['a program called a picture', EXE, 'cat.png'],
    ['a program called a document', EXE, 'letter.docx'],
    ['a program called an archive', ELF, 'x.zip'],
    ['an archive called a picture', ZIP, 'cat.png'],
    ['a picture with HTML at its head', join(PNG.subarray(0, 40), `<html>${SCRIPT}`, PNG), 'cat.png'],
    [
      'a photo with HTML in its comment',
      join(JPEG, [0xff, 0xfe].map((byte) => String.fromCharCode(byte)).join(''), SCRIPT),
      'cat',
    ],
    ['a picture with PHP in it', join(GIF, '<?php system($_GET[0]) ?>'), 'cat.gif'],
    ['a picture with a PDF in it', join(JPEG, '%PDF-1.4 1 0 obj'), 'cat.jpg'],
    ['a PDF with HTML at its head', join('%PDF-1.4\n', SCRIPT, PDF), 'paper.pdf'],
  ])('is refused for %s', async (_, content, filename) => {
    expect(await typeOf(content, filename)).toBeUndefined()
  })

  it.each([
    'text/html',
    'image/svg+xml',
    'application/xml',
    'application/xhtml+xml',
    'text/javascript',
    'text/css',
    'application/octet-stream',
    'application/zip',
    'application/x-shockwave-flash',
    'application/java-archive',
    'multipart/related',
  ])('is never shown: %s', (type) => {
    expect(isShown(type)).toBe(false)
  })
})

it.each(['text/javascript', 'application/javascript; charset=utf-8', 'text/css; charset=utf-8'])(
  'a file that was stored as %s is served as plain text',
  (type) => {
    expect(servedTypeOf(type)).toMatch(/^text\/plain(;|$)/)
  },
)
