import { expect, it } from 'vitest'
import { cleanFilename, extensionOf } from './filename.ts'

it.each([
  ['notes.txt', 'notes.txt'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\x.png', 'x.png'],
  ['..', 'file'],
  ['', 'file'],
  [' \u0000\r\n ', 'file'],
  ['.env', 'env'],
  ['a\u202Egnp.exe', 'agnp.exe'],
  ['NUL', '_NUL'],
  ['con.txt', '_con.txt'],
  ['Com1 .tar.gz', '_Com1 .tar.gz'],
  ['console.txt', 'console.txt'],
  ['setup.exe. . ', 'setup.exe'],
  ['. . .', 'file'],
  ['line\r\nSet-Cookie: x.txt', 'lineSet-Cookie: x.txt'],
  ['\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645.txt', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645.txt'],
  ['\u0915\u094D\u200D\u0937.txt', '\u0915\u094D\u200D\u0937.txt'],
  ['\u{1F469}\u200D\u{1F4BB}.txt', '\u{1F469}\u200D\u{1F4BB}.txt'],
  ['\u0645\u200C\u200C\u062E.txt', '\u0645\u062E.txt'],
  ['\u200Ca\u200Cb\u200D.t\u200Cxt', 'ab.txt'],
  ['a.\u0645\u200C\u062E', 'a.\u0645\u062E'],
  ['half \uD800.txt', 'half \uFFFD.txt'],
  ['e\u0301.txt', '\u00E9.txt'],
  [`${'😀'.repeat(500)}.png`, `${'😀'.repeat(196)}.png`],
])('makes of the name %j the name %j', (sent, kept) => {
  expect(cleanFilename(sent)).toBe(kept)
})

it('knows the extension of a name', () => {
  expect(['a.PNG', 'a', '.gz', 'a.tar.gz', 'a.', 'a.b c'].map(extensionOf)).toEqual(['png', '', 'gz', 'gz', '', ''])
})
