import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { actionsOn, browserOf, browserOfMember, fieldsOfForm, formOf, roleIn } from '../../support/console.ts'
import { createWriter } from '../../support/content.ts'
import { BOUNDARY, field, fileOf, formOf as multipart, PNG, upload } from '../../support/files.ts'
import { leadsTo, sentencesOf } from '../../support/pages.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let ada: Awaited<ReturnType<typeof createWriter>>
let owner: Awaited<ReturnType<typeof browserOf>>
let path: string

beforeAll(async () => {
  test = await createTestApp()
  ada = await createWriter(test.app, 'files-ada')
  owner = await browserOf(test.app, ada)
  path = `/manage/profiles/${ada.profileId}/files`
})
afterAll(() => test.close())

/** Sends a form with a file from a browser without script. */
async function send(
  { jar }: { readonly jar: Record<string, string> },
  url: string,
  fields: Record<string, string>,
  file?: { readonly content: string | Buffer; readonly filename: string },
  app: Pick<TestApp, 'inject'> = test.app,
) {
  const parts = Object.entries(fields).map(([name, content]) => field(name, content))
  const { payload, headers } = multipart([...parts, ...(file ? [fileOf(file.content, file.filename)] : [])])
  expect(headers['content-type']).toContain(BOUNDARY)
  const response = await app.inject({
    method: 'POST',
    url,
    payload,
    cookies: jar,
    headers: { accept: 'text/html', origin: 'https://profiles.example', ...headers },
  })
  for (const { name, value } of response.cookies) jar[name] = value
  return response
}

async function newFile(content: string | Buffer = 'Hello', filename = 'notes.txt'): Promise<number> {
  const response = await upload(test.app, [field('username', 'files-ada'), fileOf(content, filename)], ada.headers)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().id
}

const listed = async () => (await ada.getJson(`/manage/files?profile_id=${ada.profileId}`)).data

describe('the screens with the files of a profile', () => {
  it('states that there are no files, and what the plan has room for', async () => {
    const page = await owner.open(path)
    expect(page.statusCode, page.body).toBe(200)
    expect(page.body).toContain('No files yet. Upload the first one above.')
    expect(sentencesOf(page)).toMatch(/0 of 50 files, .* of .*\. All profiles of the owner count\./)
    expect(sentencesOf(page)).toContain('Up to 5.2 MB; sound up to 26 MB, video up to 52 MB.')
  })

  it('stores a file of a form without a script, and leads to its screen', async () => {
    const sent = await send(owner, path, formOf('upload'), { content: PNG, filename: 'engine.png' })
    expect(sent.statusCode, sent.body).toBe(303)
    const own = String(sent.headers.location)
    expect(own).toMatch(new RegExp(`^${path}/\\d+$`))
    const page = await owner.open(own)
    expect(roleIn(page, 'status')).toBe('The file was stored.')
    expect(page.body).toContain('engine.png')
    expect((await owner.open(path)).body).toMatch(/Not described/)
  })

  it('reports that a file is missing, that it does not fit its name, or that it is larger than the plan allows', async () => {
    const before = (await listed()).length
    const missing = await send(owner, path, formOf('upload'))
    expect([missing.statusCode, missing.body.includes('Choose a file with content.')]).toEqual([400, true])
    const wrong = await send(owner, path, formOf('upload'), { content: 'no picture', filename: 'x.png' })
    expect([wrong.statusCode, roleIn(wrong, 'alert')]).toEqual([
      400,
      'The content does not fit the name of the file. Check its ending.',
    ])
    const large = await send(owner, path, formOf('upload'), { content: 'x'.repeat(6_000_000), filename: 'x.txt' })
    expect([large.statusCode, roleIn(large, 'alert')]).toEqual([413, 'The file is larger than the plan allows.'])
    expect((await listed()).length).toBe(before)
  })

  it('renames and describes a file, and keeps what was entered when the name promises another type', async () => {
    const own = `${path}/${await newFile(PNG, 'old.png')}`
    const saved = await owner.submit(own, formOf('save', { filename: 'new.png', alt: 'A loom' }))
    expect(leadsTo(saved)).toEqual([303, own])
    const page = await owner.open(own)
    expect(roleIn(page, 'status')).toBe('The file was saved.')
    expect(fieldsOfForm(page, 'save')).toMatchObject({ filename: 'new.png', alt: 'A loom' })
    expect((await owner.open(path)).body).toContain('>Described<')
    const refused = await owner.submit(own, formOf('save', { filename: 'new.pdf', alt: 'Another loom' }))
    expect(refused.statusCode).toBe(400)
    expect(fieldsOfForm(refused, 'save')).toMatchObject({ filename: 'new.pdf', alt: 'Another loom' })
    expect((await listed()).find(({ filename }: { filename: string }) => filename === 'new.png').alt).toBe('A loom')
  })

  it('replaces the content by a file of the same kind, and only that which the form was made for', async () => {
    const id = await newFile('First', 'notes.txt')
    const own = `${path}/${id}`
    const { etag = '' } = fieldsOfForm(await owner.open(own), 'replace')
    const replacing = (tag: string, content: string | Buffer, filename = 'other.txt') =>
      send(owner, own, formOf('replace', { etag: tag }), { content, filename })
    const kind = await replacing(etag, PNG, 'x.png')
    expect([kind.statusCode, roleIn(kind, 'alert')]).toEqual([
      409,
      'The new content is of another kind. Upload it as a new file.',
    ])
    expect(leadsTo(await replacing(etag, 'Second'))).toEqual([303, own])
    expect((await ada.get(`/files/${id}`)).body).toBe('Second')
    const late = await replacing(etag, 'Third')
    expect([late.statusCode, roleIn(late, 'alert')]).toEqual([
      412,
      'The file was replaced in the meantime. Nothing was changed; look at it again.',
    ])
    expect((await ada.get(`/files/${id}`)).body).toBe('Second')
  })

  it('names the pages that use a file, and asks before it deletes it', async () => {
    const id = await newFile(PNG, 'used.png')
    const own = `${path}/${id}`
    await ada.newPage({ title: 'The shown page', slug: 'shown', body: `![A loom](/files/${id})` })
    expect((await owner.open(own)).body).toContain('The shown page')
    const asked = await owner.open(`${own}?delete=1`)
    expect(asked.body).toContain('The shown page')
    expect(actionsOn(await owner.open(own)).has('delete')).toBe(false)
    const fields = fieldsOfForm(asked, 'delete')
    const stale = await owner.submit(own, { ...fields, ...formOf('delete'), etag: '"other"' })
    expect(stale.statusCode).toBe(412)
    expect(leadsTo(await owner.submit(own, fields))).toEqual([303, path])
    expect(roleIn(await owner.open(path), 'status')).toBe('The file was deleted.')
    expect((await owner.open(own)).statusCode).toBe(404)
  })

  it('does not show or change a file of another profile', async () => {
    const bob = await createWriter(test.app, 'files-bob')
    const foreign = (await upload(test.app, [field('username', 'files-bob'), fileOf('Hello')], bob.headers)).json().id
    expect((await owner.open(`${path}/${foreign}`)).statusCode).toBe(404)
    const changed = await owner.submit(`${path}/${foreign}`, formOf('save', { filename: 'mine.txt' }))
    expect(changed.statusCode).toBe(404)
  })

  it('shows a viewer the files without their forms, and refuses what they send by hand', async () => {
    const id = await newFile()
    const profile = {
      owner: ada,
      id: ada.profileId,
      username: 'files-ada',
      path: '/profiles/u/files-ada',
      team: `/profiles/${ada.profileId}/team`,
    }
    const viewer = await browserOfMember(test.app, profile, 'viewer')
    for (const url of [path, `${path}/${id}`, `${path}/${id}?delete=1`]) {
      const page = await viewer.open(url)
      expect([page.statusCode, [...actionsOn(page)]]).toEqual([200, []])
      expect(page.body).not.toContain('uploads.js')
    }
    expect((await viewer.submit(path, formOf('upload'))).statusCode).toBe(403)
    for (const action of ['save', 'replace', 'delete']) {
      const sent = await viewer.submit(`${path}/${id}`, formOf(action, { filename: 'x.txt', etag: '"x"' }))
      expect(sent.statusCode).toBe(403)
    }
    const editor = await browserOfMember(test.app, profile, 'editor')
    expect([...actionsOn(await editor.open(`${path}/${id}`))]).toEqual(['save', 'replace'])
    expect([...actionsOn(await editor.open(path))]).toEqual(['upload'])
  })

  it('pages a long list', async () => {
    for (let count = (await listed()).length; count < 31; count += 1) await newFile(`${count}`, `note-${count}.txt`)
    const first = await owner.open(path)
    const next = /<a rel="next" href="([^"]+)"/.exec(first.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await owner.open(next)
    expect(second.statusCode, next).toBe(200)
    const rows = [first, second].map(({ body }) => body.match(/<th scope="row">/g)?.length ?? 0)
    expect(rows[0]).toBe(30)
    expect(rows[1]).toBeGreaterThan(0)
  })

  it('loads its script on its own pages only', async () => {
    expect((await owner.open(path)).body).toContain('/assets/uploads.js?v=')
    expect((await owner.open(`/manage/profiles/${ada.profileId}/content`)).body).not.toContain('uploads.js')
    const script = await test.app.inject('/assets/uploads.js')
    expect([script.statusCode, script.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
  })
})
