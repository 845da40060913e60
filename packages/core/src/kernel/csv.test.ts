import { parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('ends each CSV row with CRLF, and quotes cells with delimiters', () => {
  expect(
    csvOf([
      ['a', 1, 'say "hi"'],
      ['x,y', -2, 'two\nlines'],
    ]),
  ).toBe('a,1,"say ""hi"""\r\n"x,y",-2,"two\nlines"\r\n')
})

it('writes CSV that a parser reads back unchanged', () => {
  const rows = [
    ['', ' ', 'ä\r\n"', ',,'],
    ['"', "'", 'a\n', 'plain'],
  ]
  expect(parse(csvOf(rows))).toEqual(rows)
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x'])(
  'marks %j as text, because a spreadsheet would evaluate it as a formula',
  (text) => {
    expect(parse(csvOf([[text]]))).toEqual([[`'${text}`]])
  },
)

it.each([
  ['x;=1+1', "x;'=1+1"],
  ['x; @SUM(A1)', "x; '@SUM(A1)"],
  ['x\t+1', "x\t'+1"],
  ['x\n-1', "x\n'-1"],
  ['x;＝1', "x;'＝1"],
  ['\n=1', "'\n'=1"],
])('marks the formula in %j as text, because some spreadsheets begin another cell there', (text, marked) => {
  expect(parse(csvOf([[text]]))).toEqual([[marked]])
})

it('leaves signs within a text unchanged', () => {
  const rows = [['a-b', 'a = b', 'a; b', 'x, -1', '1+1']]
  expect(parse(csvOf(rows))).toEqual(rows)
})
