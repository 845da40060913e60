import { expect } from 'vitest'
import { field, fileOf, upload } from '../files.ts'
import { count, done, type Headers, is, isOf, list, type Row, row, text } from './row.ts'
import { get, NOBODY, remove, world } from './world.ts'

const send = (as: Headers, username = 'ada', content: string | Buffer = 'Hello.') =>
  upload(world.app, [field('username', username), fileOf(content)], { ...as })
const newFile = async (): Promise<number> => (await send(world.owner)).json().id

const isSvgAsAttachment = async (answer: { headers: Record<string, unknown> }) => {
  expect(answer.headers['content-disposition']).toMatch(/^attachment/)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
}
const svg = async () => {
  const parts = [field('username', 'ada'), fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'x.svg')]
  return (await upload(world.app, parts, { ...world.owner })).json().id
}

export const files: readonly Row[] = [
  row(
    'POST /files',
    'bearer',
    is(200, 'a file', (as) => send(as), { id: count, filename: 'notes.txt', url: text }),
    is(400, 'no username', (as) => upload(world.app, [fileOf('x')], { ...as })),
    is(403, 'a profile of others', () => send(world.stranger)),
    is(404, 'nobody', (as) => send(as, 'nobody-of-this-name')),
    is(413, 'what is larger than the tier allows', (as) => send(as, 'ada', Buffer.alloc(5_300_000))),
  ),
  row(
    'GET /files/{id}',
    'none',
    is(200, 'a file', async () => get(`/files/${await newFile()}`, world.owner), undefined, isOf('text/plain')),
    is(404, 'no file', () => get(`/files/${NOBODY}`)),
  ),
  row(
    'DELETE /files/{id}',
    'bearer',
    is(200, 'its owner', async (as) => remove(`/files/${await newFile()}`, as), done),
    is(403, 'others', async () => remove(`/files/${await newFile()}`, world.stranger)),
    is(404, 'no file', (as) => remove(`/files/${NOBODY}`, as)),
  ),
  row(
    'GET /files/{fileId}/content',
    'key',
    is(
      200,
      'a file',
      async (as) => get(`/files/${await newFile()}/content`, as),
      undefined,
      (answer) => expect(answer.headers['content-disposition']).toMatch(/^inline/),
    ),
    is(200, 'an SVG', async (as) => get(`/files/${await svg()}/content`, as), undefined, isSvgAsAttachment),
    is(
      206,
      'a range',
      async (as) => get(`/files/${await newFile()}/content`, { ...as, range: 'bytes=0-1' }),
      undefined,
      (answer) => expect(answer.headers['content-range']).toBe('bytes 0-1/6'),
    ),
    is(416, 'a bad range', async (as) => get(`/files/${await newFile()}/content`, { ...as, range: 'bytes=9-' })),
    is(404, 'no file', (as) => get(`/files/${NOBODY}/content`, as)),
  ),
  row(
    'GET /files/list/{prefix}/{slug}',
    'key',
    is(
      200,
      'the files',
      async (as) => newFile().then(() => get('/files/list/u/ada', as)),
      list({ id: count, filename: text }),
    ),
    is(403, 'others', () => get('/files/list/u/ada', world.stranger)),
    is(404, 'nobody', (as) => get('/files/list/u/nobody-of-this-name', as)),
  ),
]
