import { createHash } from 'node:crypto'
import { documentConverter } from '@eep/core/files/text'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { find } from '../support/search.ts'
import { newOrganization, type OwnedProfile } from '../support/teams.ts'
import { soon } from '../support/wait.ts'

let app: TestApp
let close: () => Promise<void>
let owner: Person
let org: OwnedProfile

beforeAll(async () => {
  ;({ app, close } = await createTestApp({
    withSearch: true,
    textExtraction: { converter: documentConverter(), waitMs: 120_000 },
  }))
  owner = await signUp(app)
  org = await newOrganization(app, owner)
})
afterAll(() => close())

const { get } = client(() => app)

async function newFile(content: string | Buffer, filename: string, as = owner, username = org.username) {
  const sent = await upload(app, [field('username', username), fileOf(content, filename)], as.headers)
  expect(sent.statusCode, sent.body).toBe(200)
  const { id } = sent.json<{ id: number }>()
  return `/files/${id}`
}
const typeOf = async (url: string) => (await get(url)).headers['content-type']
const textOf = async (url: string) => {
  const sent = await get(`${url}/markdown?format=json`)
  expect(sent.statusCode, sent.body).toBe(200)
  return sent.json<{ markdown: string; encoding: unknown }>()
}
const guessed = (name: string) => ({ name, guessed: true })

/** Encodes a text in an encoding with one byte for each character, or one or two, by trying what decodes to it. */
function encodeAs(encoding: string, text: string): Buffer {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const bytes = new Map<string, readonly number[]>()
  const learn = (...code: readonly number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(code))
      if ([...character].length === 1 && !bytes.has(character)) bytes.set(character, code)
    } catch {
      // Not a character of this encoding.
    }
  }
  for (let first = 0; first < 256; first++) learn(first)
  for (let first = 0x81; first < 256; first++) for (let second = 0x40; second < 256; second++) learn(first, second)
  return Buffer.from(
    [...text].flatMap((character) => {
      const code = bytes.get(character)
      if (!code) throw new Error(`${encoding} has no ${character}`)
      return code
    }),
  )
}

const GERMAN =
  'Name;Straße;Bemerkung\r\nMüller;Hauptstraße 1;Die Rechnung ist noch nicht bezahlt – bitte prüfen: 8 €\r\n'
const JAPANESE =
  '日付,品名,数量,説明\n2026-01-05,りんご,12,青森県で収穫したりんごです。\n2026-01-06,みかん,30,これは愛媛県のとても甘いみかんです。\n'
const RUSSIAN =
  'Дата;Товар;Описание\n05.01.2026;Яблоки;Свежие яблоки из сада, которые мы собрали вчера\n06.01.2026;Хлеб;Этот хлеб пекут каждое утро, и он продаётся до обеда\n'

/** Too little for the detector to be sure. */
const ADDRESSES =
  '氏名,住所\n山田太郎,東京都千代田区丸の内\n佐藤花子,大阪府大阪市北区梅田\n鈴木一郎,北海道札幌市中央区\n'

describe('a text that is not UTF-8', () => {
  it.each([
    ['win.csv', 'windows-1252', GERMAN, 'Hauptstraße 1'],
    ['win.csv', 'windows-1252', GERMAN, 'bezahlt – bitte prüfen: 8 €'],
    ['orders.csv', 'windows-1251', RUSSIAN, 'Свежие яблоки из сада'],
  ])('is read from %s in %s without a charset in its type', async (filename, encoding, content, part) => {
    const url = await newFile(encodeAs(encoding, content), filename)
    expect(await typeOf(url)).toBe('text/csv')
    const { markdown, encoding: found } = await textOf(url)
    expect(markdown).toContain(part)
    expect(found).toEqual(guessed(encoding))
  })

  it('is read from a CSV in Shift_JIS, which its type names', async () => {
    const url = await newFile(encodeAs('shift_jis', JAPANESE), 'stock.csv')
    expect(await typeOf(url)).toBe('text/csv; charset=shift_jis')
    const { markdown, encoding } = await textOf(url)
    expect(markdown).toContain('青森県で収穫したりんごです。')
    expect(encoding).toEqual(guessed('shift_jis'))
  })

  it.each([
    ['utf-16le', Buffer.from(`\ufeff${GERMAN}`, 'utf16le')],
    ['utf-16be', Buffer.from(`\ufeff${GERMAN}`, 'utf16le').swap16()],
  ])('is read from a CSV in %s by its byte order mark, without a guess', async (name, bytes) => {
    const url = await newFile(bytes, 'utf16.csv')
    expect(await typeOf(url)).toBe(`text/csv; charset=${name}`)
    const { markdown, encoding } = await textOf(url)
    expect(markdown).toMatch(/^\| Name \| Straße \| Bemerkung \|/)
    expect(encoding).toEqual({ name, guessed: false })
  })

  it('is read when only its end is not ASCII', async () => {
    const url = await newFile(encodeAs('windows-1252', `${'plain line\n'.repeat(2_000)}${GERMAN}`), 'long.log')
    expect(await typeOf(url)).toBe('text/plain')
    const { markdown, encoding } = await textOf(url)
    expect(markdown).toContain('Hauptstraße 1')
    expect(encoding).toEqual(guessed('windows-1252'))
  })

  it('is read in the encoding of the language of the owner when the text is too short for the detector', async () => {
    const reader = await signUp(app)
    expect((await reader.patch('/auth/me', { language: 'ja' })).statusCode).toBe(200)
    const { username } = await newOrganization(app, reader)
    const url = await newFile(encodeAs('shift_jis', ADDRESSES), 'short.csv', reader, username)
    expect(await typeOf(url)).toBe('text/csv')
    const { markdown, encoding } = await textOf(url)
    expect(markdown).toContain('東京都千代田区丸の内')
    expect(encoding).toEqual(guessed('shift_jis'))
  })

  it('keeps its bytes and their checksum', async () => {
    const bytes = encodeAs('windows-1252', GERMAN)
    const url = await newFile(bytes, 'kept.csv')
    expect((await get(url)).rawPayload).toEqual(bytes)
    const { data } = (await owner.get(`/files/list/o/${org.username}?limit=1`)).json<{ data: unknown[] }>()
    expect(data[0]).toMatchObject({
      filename: 'kept.csv',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      encoding: guessed('windows-1252'),
    })
  })

  it('is found by its words, and the hit has its encoding', async () => {
    const url = await newFile(encodeAs('windows-1252', `Wort\nBlumenkohlgemüse\n${GERMAN}`), 'found.csv')
    await textOf(url)
    await soon(async () =>
      expect((await find(app, 'Blumenkohlgemüse')).data).toMatchObject([
        { path: url, encoding: guessed('windows-1252') },
      ]),
    )
  })
})

it.each([
  ['JSON in Latin-1', encodeAs('windows-1252', '{"city":"Köln"}'), 'a.json'],
  ['JSON in UTF-16', Buffer.from('\ufeff{"city":"Köln"}', 'utf16le'), 'a.json'],
  ['JSON whose end is Latin-1', encodeAs('windows-1252', `["${'a'.repeat(5_000)}","Köln"]`), 'a.json'],
  ['a CSV with binary data', Buffer.from([0x61, 0x2c, 0xe9, 0x00, 0x01, 0x0a]), 'a.csv'],
  ['UTF-16 without a byte order mark', Buffer.from('Straße', 'utf16le'), 'a.csv'],
  ['a name that promises no text', encodeAs('windows-1252', GERMAN), 'notes'],
])('serves %s as bytes', async (_, bytes, filename) => {
  expect(await typeOf(await newFile(bytes, filename))).toBe('application/octet-stream')
})

it.each([
  ['UTF-7', '+ADw-script+AD4-alert(1)'],
  ['ISO-2022-JP', '\u001b$B%F%9%H\u001b(B'],
])('never reads a text as %s', async (_, content) => {
  const url = await newFile(content, 'ascii.txt')
  expect(await typeOf(url)).toBe('text/plain; charset=utf-8')
  const { markdown, encoding } = await textOf(url)
  expect(markdown).not.toMatch(/<script>|テスト/)
  expect(encoding).toBeNull()
})

it('leaves out the colors of a terminal from the text of a log, and keeps them in the file', async () => {
  const content = '\u001b[31mfailed\u001b[0m 3 of 7\n'
  const url = await newFile(content, 'esc.log')
  expect(await typeOf(url)).toBe('text/plain; charset=utf-8')
  expect((await get(url)).body).toBe(content)
  expect((await textOf(url)).markdown).toBe('failed 3 of 7\n')
})
