import { describe, expect, it } from 'vitest'
import { codeOf, type Person } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import { newMember, newOrganization } from '../support/teams.ts'
import {
  activityIn,
  joinWorkspace,
  newWorkspace,
  newWorkspaceMember,
  type OwnedWorkspace,
} from '../support/workspaces.ts'

const { instance } = await openInstances()
const app = await instance()

interface Document {
  readonly id: string
  readonly url: string
  readonly etag: string
}

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

async function write({ path, owner }: OwnedWorkspace, fields: object = {}, by: Person = owner): Promise<Document> {
  const response = await by.post(`${path}/documents`, { title: 'On the engine', body: 'It weaves.', ...fields })
  if (response.statusCode !== 201) throw new Error(`no document: ${response.body}`)
  const { id } = response.json()
  return { id, url: `${path}/documents/${id}`, etag: String(response.headers.etag) }
}

const titlesOf = async ({ path, owner }: OwnedWorkspace, parent = '') =>
  (await owner.get(`${path}/documents${parent && `?parent_id=${parent}`}`))
    .json()
    .data.map(({ title }: { title: string }) => title)

describe('a document of a workspace', () => {
  it('is created, read and changed by members, with a tag of its version', async () => {
    const workspace = await newWorkspace(app)
    const reader = await newWorkspaceMember(app, workspace, 'reader')
    const body = { title: 'On the engine', body: '# Notes\n\nIt weaves.' }
    const created = await workspace.owner.post(`${workspace.path}/documents`, body)
    expect(created.statusCode).toBe(201)
    expect(created.headers.etag).toBe('"v1"')
    const document = created.json()
    expect(document).toMatchObject({ ...body, workspace_id: workspace.id, parent_id: null, version: 1, position: 0 })
    const url = `${workspace.path}/documents/${document.id}`
    const read = await reader.get(url)
    expect(read.json()).toEqual({ ...document, publications: [] })
    expect(read.headers['cache-control']).toBe('private, no-store')
    const changed = await workspace.owner.put(url, { title: 'Other' })
    expect(changed.json()).toMatchObject({ title: 'Other', body: body.body, version: 2 })
    expect(changed.headers.etag).toBe('"v2"')
    const { data } = (await reader.get(`${workspace.path}/documents`)).json()
    expect(data).toMatchObject([{ id: document.id, title: 'Other', version: 2 }])
    expect(data[0]).not.toHaveProperty('body')
  })

  it('accepts one of two edits with the same If-Match', async () => {
    const workspace = await newWorkspace(app)
    const { url, etag } = await write(workspace)
    const edit = (title: string) => workspace.owner.put(url, { title }, { 'if-match': etag })
    const answers = await Promise.all([edit('one'), edit('two')])
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 412])
    const refused = answers.find(({ statusCode }) => statusCode === 412)
    expect(refused?.json().error).toMatchObject({ code: 'precondition_failed', details: { version: 2 } })
    expect((await workspace.owner.delete(url, { 'if-match': etag })).statusCode).toBe(412)
    expect((await workspace.owner.delete(url, { 'if-match': '"v2"' })).json()).toEqual({ success: true })
  })

  it('is not found in another workspace, under unknown ids or after its deletion', async () => {
    const [workspace, other] = [await newWorkspace(app), await newWorkspace(app)]
    await joinWorkspace(other, workspace.owner, 'editor')
    const { id, url } = await write(workspace)
    for (const unknown of [`${other.path}/documents/${id}`, `${workspace.path}/documents/${UNKNOWN_ID}`, `${url}x`]) {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const payload = method === 'PUT' ? { title: 'Mine' } : undefined
        const response = await workspace.owner.send(method, unknown, payload)
        expect([response.statusCode, codeOf(response)], `${method} ${unknown}`).toEqual([404, 'document_not_found'])
      }
    }
    expect((await workspace.owner.get(url)).statusCode).toBe(200)
    await workspace.owner.delete(url)
    expect((await workspace.owner.get(url)).statusCode).toBe(404)
  })

  it('is moved below another one, and never below itself', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const top = await write(workspace, { title: 'top' })
    const middle = await write(workspace, { title: 'middle', parent_id: top.id })
    for (const parent of [top.id, middle.id]) {
      const response = await owner.put(top.url, { parent_id: parent })
      expect([response.statusCode, codeOf(response)]).toEqual([409, 'document_cycle'])
    }
    const elsewhere = await write(await newWorkspace(app))
    for (const parent of [UNKNOWN_ID, elsewhere.id, 'none']) {
      const response = await owner.put(middle.url, { parent_id: parent })
      expect([response.statusCode, codeOf(response)], parent).toEqual([400, 'unknown_parent'])
    }
    const other = await write(workspace, { title: 'other' })
    const moves = [top, other].map(({ url }, at) => owner.put(url, { parent_id: [other, top][at]?.id }))
    expect((await Promise.all(moves)).map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect((await owner.put(middle.url, { parent_id: null })).json()).toMatchObject({ parent_id: null })
    expect((await activityIn(workspace, owner))[0]).toBe('document.moved')
  })

  it('is nested eight levels deep at most', async () => {
    const workspace = await newWorkspace(app)
    let parent: string | null = null
    for (let depth = 1; depth <= 8; depth++) parent = (await write(workspace, { parent_id: parent })).id
    const body = { title: 'Too deep', parent_id: parent }
    const response = await workspace.owner.post(`${workspace.path}/documents`, body)
    expect([response.statusCode, codeOf(response)]).toEqual([409, 'document_too_deep'])
  })

  it('keeps its place among its siblings in a stable order', async () => {
    const workspace = await newWorkspace(app)
    const [, b, c] = [
      await write(workspace, { title: 'a' }),
      await write(workspace, { title: 'b' }),
      await write(workspace, { title: 'c' }),
    ]
    await write(workspace, { title: 'below', parent_id: b.id })
    await write(workspace, { title: 'first', position: 0 })
    await workspace.owner.put(c.url, { position: 1 })
    expect(await titlesOf(workspace, 'top')).toEqual(['first', 'c', 'a', 'b'])
    expect(await titlesOf(workspace, b.id)).toEqual(['below'])
    expect(await titlesOf(workspace)).toEqual(['first', 'c', 'a', 'b', 'below'])
    const unknown = await workspace.owner.get(`${workspace.path}/documents?parent_id=${UNKNOWN_ID}`)
    expect([unknown.statusCode, codeOf(unknown)]).toEqual([400, 'unknown_parent'])
  })

  it('is deleted with the documents below it only on request', async () => {
    const workspace = await newWorkspace(app)
    const top = await write(workspace)
    const below = await write(workspace, { parent_id: top.id })
    const refused = await workspace.owner.delete(top.url)
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'document_not_empty'])
    expect((await workspace.owner.delete(`${top.url}?cascade=true`)).json()).toEqual({ success: true })
    expect((await workspace.owner.get(below.url)).statusCode).toBe(404)
  })

  it('counts toward the documents and the storage of the highest plan of the owners', async () => {
    const small = await instance({
      limits: { plans: { community: { maxWorkspaceDocuments: 2, maxWorkspaceMb: 1 } } },
    })
    const workspace = await newWorkspace(small)
    const { owner, path } = workspace
    const big = 'x'.repeat(700_000)
    const { url } = await write(workspace, { body: big })
    const full = await owner.post(`${path}/documents`, { title: 'More', body: big })
    expect(full.json().error).toMatchObject({ code: 'workspace_storage_full', details: { max_workspace_mb: 1 } })
    expect(codeOf(await owner.put(url, { body: `${big}y` }))).toBe('workspace_storage_full')
    const other = await write(workspace, { body: 'x'.repeat(300_000) })
    const moved = await owner.put(url, { parent_id: other.id, position: 0 }, { 'if-match': '"v1"' })
    expect([moved.statusCode, moved.headers.etag]).toEqual([200, '"v1"'])
    expect((await activityIn(workspace, owner))[0]).toBe('document.moved')
    const many = await owner.post(`${path}/documents`, { title: 'More' })
    expect(many.json().error).toMatchObject({ code: 'too_many_documents', details: { max_documents: 2 } })
  })

  it('is written by keys with the scope write:workspaces', async () => {
    const workspace = await newWorkspace(app)
    const { url } = await write(workspace)
    const key = async (scope: string) =>
      client(app).with((await newKey(app, workspace.owner.headers, { scopes: [scope] })).headers)
    const writing = await key('write:workspaces')
    expect((await writing.put(url, { title: 'By key' })).json()).toMatchObject({ title: 'By key' })
    expect((await writing.post(`${url}/publish`, { profile_id: 1 })).statusCode).toBe(403)
  })
})

describe('the versions of a document', () => {
  it('are joined for automatic saves of one author alone', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const { url } = await write(workspace, { title: 'One', body: '1' })
    for (const fields of [{ body: '2' }, { body: '3', autosave: true }, { body: '4', autosave: true }, { body: '5' }]) {
      await owner.put(url, fields)
    }
    const { data } = (await owner.get(`${url}/versions`)).json()
    expect(data.map(({ version }: { version: number }) => version)).toEqual([5, 4, 2, 1])
  })

  it('are listed, compared and restored', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const { url } = await write(workspace, { title: 'One', body: 'a\nb\n' })
    await owner.put(url, { title: 'Two', body: 'a\nc\n' })
    const { data } = (await owner.get(`${url}/versions`)).json()
    expect(data.map(({ version, title }: { version: number; title: string }) => [version, title])).toEqual([
      [2, 'Two'],
      [1, 'One'],
    ])
    expect((await owner.get(`${url}/versions/1`)).json()).toMatchObject({ title: 'One', body: 'a\nb\n' })
    const diff = (await owner.get(`${url}/versions/2/diff`)).json()
    expect(diff).toMatchObject({ from: 1, to: 2, title: { from: 'One', to: 'Two' }, body: { added: 1, removed: 1 } })
    expect(diff.body.unified).toContain('-b\n+c\n')
    expect((await owner.get(`${url}/versions/2/diff?from=0`)).json()).toMatchObject({ from: 0, body: { added: 2 } })
    const stale = await owner.post(`${url}/versions/1/restore`, undefined, { 'if-match': '"v1"' })
    expect(stale.statusCode).toBe(412)
    const restored = await owner.post(`${url}/versions/1/restore`, undefined, { 'if-match': '"v2"' })
    expect(restored.json()).toMatchObject({ title: 'One', body: 'a\nb\n', version: 3 })
    const unknown = await owner.get(`${url}/versions/9`)
    expect([unknown.statusCode, codeOf(unknown)]).toEqual([404, 'version_not_found'])
    expect((await activityIn(workspace, owner)).slice(0, 3)).toEqual([
      'document.restored',
      'document.updated',
      'document.created',
    ])
  })
})

describe('a comment on a document', () => {
  it('is added by readers, and deleted by its author or an admin', async () => {
    const workspace = await newWorkspace(app)
    const { url } = await write(workspace)
    const [reader, editor, admin] = [
      await newWorkspaceMember(app, workspace, 'reader'),
      await newWorkspaceMember(app, workspace, 'editor'),
      await newWorkspaceMember(app, workspace, 'admin'),
    ]
    const add = async (by: Person) => (await by.post(`${url}/comments`, { body: 'Well said' })).json()
    const [first, second] = [await add(reader), await add(reader)]
    expect(first).toMatchObject({ author: { username: reader.account.username }, body: 'Well said' })
    const { data } = (await editor.get(`${url}/comments`)).json()
    expect(data).toEqual([first, second])
    const foreign = await editor.delete(`${url}/comments/${first.id}`)
    expect([foreign.statusCode, codeOf(foreign)]).toEqual([403, 'workspace_permission_required'])
    expect((await reader.delete(`${url}/comments/${first.id}`)).json()).toEqual({ success: true })
    expect((await admin.delete(`${url}/comments/${second.id}`)).json()).toEqual({ success: true })
    const other = await write(workspace)
    const third = await add(reader)
    for (const wrong of [`${url}/comments/${first.id}`, `${other.url}/comments/${third.id}`]) {
      expect(codeOf(await admin.delete(wrong))).toBe('comment_not_found')
    }
    for (const body of ['', ' ']) {
      expect((await reader.post(`${url}/comments`, { body })).statusCode).toBe(400)
    }
  })
})

describe('POST /workspaces/{id}/documents/{docId}/publish', () => {
  it('makes a page of a profile, and updates that page the next time', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const profileId = owner.account.active_profile_id
    const { url } = await write(workspace, { title: 'Weaving', body: 'First words.' })
    const published = await owner.post(`${url}/publish`, { profile_id: profileId })
    expect(published.statusCode).toBe(200)
    const { page, version } = published.json()
    expect(page).toMatchObject({ profile_id: profileId, path: `/u/${owner.account.username}/content/weaving` })
    expect(version).toBe(1)
    const text = async () => (await client(app).get(page.path, { accept: 'text/markdown' })).body
    expect(await text()).toContain('First words.')
    await owner.put(url, { body: 'Second words.' })
    expect(await text()).toContain('First words.')
    const category = await owner.post('/manage/categories', { profile_id: profileId, name: 'Notes' })
    const body = { profile_id: profileId, category_id: category.json().id }
    const again = (await owner.post(`${url}/publish`, body)).json()
    expect(again).toMatchObject({ version: 2, page: { id: page.id, path: expect.stringMatching(/notes\/weaving$/) } })
    expect((await client(app).get(again.page.path, { accept: 'text/markdown' })).body).toContain('Second words.')
    expect((await owner.get(url)).json().publications).toMatchObject([{ page_id: page.id, version: 2 }])
    await owner.delete(`/manage/pages/${page.id}`)
    const anew = (await owner.post(`${url}/publish`, { profile_id: profileId })).json()
    expect(anew.page.id).not.toBe(page.id)
  })

  it('makes one page when it is requested concurrently', async () => {
    const workspace = await newWorkspace(app)
    const { owner } = workspace
    const profileId = owner.account.active_profile_id
    const { url } = await write(workspace)
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${url}/publish`, { profile_id: profileId })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => answer.json().page.id)).size).toBe(1)
    expect((await owner.get(`/manage/pages?profile_id=${profileId}`)).json().data).toHaveLength(1)
  })

  /** An instance in which the next publication waits for `meanwhile` after it has read the document. */
  async function slowPublishing() {
    let work: (() => Promise<unknown>) | undefined
    const slow = await instance({
      hooks: {
        async beforePublish() {
          const next = work
          work = undefined
          await next?.()
        },
      },
    })
    const workspace = await newWorkspace(slow)
    const { url } = await write(workspace, { title: 'Weaving', body: 'First words.' })
    const publishing = (by: Person, meanwhile: () => Promise<unknown>) => {
      work = meanwhile
      return by.post(`${url}/publish`, { profile_id: by.account.active_profile_id })
    }
    const text = async (by: Person) => {
      const path = `/u/${by.account.username}/content/weaving`
      return (await client(slow).get(path, { accept: 'text/markdown' })).body
    }
    return { slow, workspace, url, publishing, text }
  }

  it('publishes nothing for a member who was removed meanwhile', async () => {
    const { slow, workspace, url, publishing, text } = await slowPublishing()
    const editor = await newWorkspaceMember(slow, workspace, 'editor')
    const remove = () => workspace.owner.delete(`${workspace.path}/members/${editor.account.id}`)
    const refused = await publishing(editor, remove)
    expect([refused.statusCode, codeOf(refused)]).toEqual([404, 'workspace_not_found'])
    expect(await text(editor)).not.toContain('First words.')
    expect((await workspace.owner.get(url)).json().publications).toMatchObject([{ version: null }])
    expect(await activityIn(workspace, workspace.owner)).not.toContain('document.published')
  })

  it('keeps the newer version of concurrent publications, and answers with it', async () => {
    const { workspace, url, publishing, text } = await slowPublishing()
    const { owner } = workspace
    const older = await publishing(owner, async () => {
      await owner.put(url, { body: 'Second words.' })
      await owner.post(`${url}/publish`, { profile_id: owner.account.active_profile_id })
    })
    expect(older.json()).toMatchObject({ version: 2 })
    expect(await text(owner)).toContain('Second words.')
    const { publications } = (await owner.get(url)).json()
    expect(publications).toMatchObject([{ version: 2, published_at: older.json().published_at }])
    expect((await activityIn(workspace, owner)).filter((action) => action === 'document.published')).toHaveLength(1)
  })

  it('needs the permission to publish in the workspace and in the profile', async () => {
    const workspace = await newWorkspace(app)
    const { url } = await write(workspace)
    const profile = await newOrganization(app)
    const [editor, viewer] = [await newMember(app, profile, 'editor'), await newMember(app, profile, 'viewer')]
    const body = { profile_id: profile.id }
    await joinWorkspace(workspace, editor, 'reader')
    await joinWorkspace(workspace, viewer, 'editor')
    expect(codeOf(await editor.post(`${url}/publish`, body))).toBe('workspace_permission_required')
    expect(codeOf(await viewer.post(`${url}/publish`, body))).toBe('not_profile_owner')
    expect(codeOf(await profile.owner.post(`${url}/publish`, body))).toBe('workspace_not_found')
    const unknown = await viewer.post(`${url}/publish`, { profile_id: 999_999_999 })
    expect([unknown.statusCode, codeOf(unknown)]).toEqual([404, 'profile_not_found'])
    await workspace.owner.put(`${workspace.path}/members/${editor.account.id}`, { role: 'editor' })
    expect((await editor.post(`${url}/publish`, body)).statusCode).toBe(200)
    const wrong = await editor.post(`${url}/publish`, { ...body, category_id: 999_999_999 })
    expect(codeOf(wrong)).toBe('unknown_category')
  })
})
