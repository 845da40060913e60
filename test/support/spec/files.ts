import { wavOf } from '@eep/core/testing'
import { expect } from 'vitest'
import { client } from '../client.ts'
import { field, fileOf, formOf, PNG, upload } from '../files.ts'
import { newRecording } from '../media.ts'
import { fixture, get, onBare, patch, post, remove, UNKNOWN_ID } from './fixture.ts'
import { codeIs, count, done, type Headers, is, isOf, list, moment, type Row, row, text } from './row.ts'

const send = (as: Headers, username = 'ada', content: string | Buffer = 'Hello.') =>
  upload(fixture.app, [field('username', username), fileOf(content)], { ...as })
const newFile = async (): Promise<number> => (await send(fixture.owner)).json().id

const replace = (id: number | string, as: Headers, part = fileOf('Hello!')) => {
  const { payload, headers } = formOf([part])
  return client(fixture.app).put(`/manage/files/${id}/content`, payload, { ...headers, ...as })
}

const record = {
  id: count,
  filename: 'notes.txt',
  url: text,
  content_type: text,
  encoding: null,
  size: 6,
  sha256: text,
  alt: null,
  created_at: moment,
  replaced_at: null,
}

let tone = 0
/** A recording; no other has its bytes. */
async function newTalk(seconds = 1): Promise<number> {
  tone += 1
  return newRecording(fixture.app, fixture.owner, 'ada', { bytes: wavOf(seconds, tone) })
}

const isSvgAsAttachment = async (answer: { headers: Record<string, unknown> }) => {
  expect(answer.headers['content-disposition']).toMatch(/^attachment/)
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
}
const svg = async () => {
  const parts = [field('username', 'ada'), fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'x.svg')]
  return (await upload(fixture.app, parts, { ...fixture.owner })).json().id
}

const isOff = codeIs('conversion_disabled')

export const files: readonly Row[] = [
  row(
    'POST /files',
    'bearer',
    is(200, 'a file', (as) => send(as), { id: count, filename: 'notes.txt', url: text }),
    is(400, 'no username', (as) => upload(fixture.app, [fileOf('x')], { ...as })),
    is(403, 'a profile of others', () => send(fixture.otherUser)),
    is(404, 'an unknown profile', (as) => send(as, 'unknown-name')),
    is(413, 'a file that is larger than the tier allows', (as) => send(as, 'ada', Buffer.alloc(5_300_000))),
  ),
  row(
    'GET /files/{id}',
    'none',
    is(200, 'a file', async () => get(`/files/${await newFile()}`, fixture.owner), undefined, isOf('text/plain')),
    is(404, 'no file', () => get(`/files/${UNKNOWN_ID}`)),
  ),
  row(
    'DELETE /files/{id}',
    'bearer',
    is(200, 'its owner', async (as) => remove(`/files/${await newFile()}`, as), done),
    is(403, 'others', async () => remove(`/files/${await newFile()}`, fixture.otherUser)),
    is(404, 'no file', (as) => remove(`/files/${UNKNOWN_ID}`, as)),
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
    is(404, 'no file', (as) => get(`/files/${UNKNOWN_ID}/content`, as)),
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
    is(403, 'others', () => get('/files/list/u/ada', fixture.otherUser)),
    is(404, 'an unknown profile', (as) => get('/files/list/u/unknown-name', as)),
  ),
  row(
    'GET /manage/files',
    'bearer',
    is(
      200,
      'the files',
      async (as) => newFile().then(() => get(`/manage/files?profile_id=${fixture.shop.profileId}`, as)),
      list({ id: count, filename: text }),
    ),
    is(403, 'others', () => get(`/manage/files?profile_id=${fixture.shop.profileId}`, fixture.otherUser)),
    is(404, 'an unknown profile', (as) => get(`/manage/files?profile_id=${UNKNOWN_ID}`, as)),
  ),
  row(
    'DELETE /manage/files/{id}',
    'bearer',
    is(200, 'an editor', async (as) => remove(`/manage/files/${await newFile()}`, as), done),
    is(403, 'others', async () => remove(`/manage/files/${await newFile()}`, fixture.otherUser)),
    is(404, 'no file', (as) => remove(`/manage/files/${UNKNOWN_ID}`, as)),
  ),
  row(
    'PATCH /manage/files/{id}',
    'bearer',
    is(200, 'an editor', async (as) => patch(`/manage/files/${await newFile()}`, { alt: 'Notes' }, as), {
      ...record,
      alt: 'Notes',
    }),
    is(400, 'nothing to change', async (as) => patch(`/manage/files/${await newFile()}`, {}, as)),
    is(403, 'others', async () => patch(`/manage/files/${await newFile()}`, { alt: 'x' }, fixture.otherUser)),
    is(404, 'no file', (as) => patch(`/manage/files/${UNKNOWN_ID}`, { alt: 'x' }, as)),
  ),
  row(
    'PUT /manage/files/{id}/content',
    'bearer',
    is(200, 'an editor', async (as) => replace(await newFile(), as), {
      ...record,
      replaced_at: moment,
    }),
    is(403, 'others', async () => replace(await newFile(), fixture.otherUser)),
    is(404, 'no file', (as) => replace(UNKNOWN_ID, as)),
    is(409, 'an image for a text', async (as) => replace(await newFile(), as, fileOf(PNG, 'x.png'))),
    is(412, 'other content', async (as) => replace(await newFile(), { ...as, 'if-match': '"x"' })),
  ),
  row(
    'GET /media/{fileId}',
    'none',
    is(
      206,
      'a range of a recording',
      async () => get(`/media/${await newTalk()}`, { ...fixture.owner, range: 'bytes=0-3' }),
      undefined,
      isOf('audio/wav'),
    ),
    is(200, 'a recording', async () => get(`/media/${await newTalk()}`, fixture.owner), undefined, isOf('audio/wav')),
    is(404, 'a file that is neither sound nor film', async () => get(`/media/${await newFile()}`, fixture.owner)),
    is(404, 'no file', () => get(`/media/${UNKNOWN_ID}`)),
  ),
  row(
    'POST /media',
    'bearer',
    is(202, 'a recording', async (as) => post('/media', as, { file_id: await newTalk() }), {
      id: text,
      kind: 'transcription',
      status: text,
      progress: count,
      result: null,
      error: null,
      created_at: moment,
      finished_at: null,
    }),
    is(403, 'others', async () => post('/media', fixture.otherUser, { file_id: await newTalk() })),
    is(404, 'no file', (as) => post('/media', as, { file_id: Number(UNKNOWN_ID) })),
    is(415, 'a file that is neither sound nor film', async (as) => post('/media', as, { file_id: await newFile() })),
    is(422, 'a recording that is longer than the tier allows', async (as) =>
      post('/media', as, { file_id: await newTalk(999) }),
    ),
    is(503, 'any caller without a transcriber', (as) => onBare('POST', '/media', as, { file_id: 7 })),
  ),
  row(
    'GET /media/{fileId}/transcript',
    'none',
    is(404, 'a recording without one', async () => get(`/media/${await newTalk()}/transcript`, fixture.owner)),
  ),
  row(
    'GET /files/{id}/markdown',
    'none',
    is(
      200,
      'a document',
      async () => get(`/files/${await newFile()}/markdown`, fixture.owner),
      undefined,
      isOf('text/markdown'),
    ),
    is(404, 'no file', () => get(`/files/${UNKNOWN_ID}/markdown`)),
    is(415, 'a file that is not a document', async () => get(`/files/${await newTalk()}/markdown`)),
    is(503, 'any caller without a converter', (as) => onBare('GET', '/files/7/markdown', as), undefined, isOff),
  ),
  row(
    'POST /convert',
    'bearer',
    is(202, 'a document', async (as) => post('/convert', as, { file_id: await newFile() }), {
      id: text,
      kind: 'conversion',
      status: text,
      progress: count,
      result: null,
      error: null,
      created_at: moment,
      finished_at: null,
    }),
    is(404, 'no file', (as) => post('/convert', as, { file_id: Number(UNKNOWN_ID) })),
    is(415, 'a file that is not a document', async (as) => post('/convert', as, { file_id: await newTalk() })),
    is(503, 'any caller without a converter', (as) => onBare('POST', '/convert', as, { file_id: 7 }), undefined, isOff),
  ),
]
