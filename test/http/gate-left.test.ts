import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { callerWithScopes } from '../support/callers.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { createCashApp, SECRET_WORD, shopGate } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let owner: Writer
let editor: Writer

beforeAll(async () => {
  test = await createCashApp()
  owner = await createWriter(test.app, 'gatekeeper')
  editor = await createWriter(test.app)
  const { profileId } = owner
  await test.storage.transaction((tx) =>
    tx.members.put({ profileId, accountId: editor.account.id, role: 'editor', createdAt: new Date() }),
  )
  await owner.put('/eep/gates/did:web:profiles.example:u:gatekeeper', shopGate())
})
afterAll(() => test.close())

const { get } = client(() => test.app)

/** A sold page in its category, and an open place. */
async function place() {
  const notes =
    (await owner.getJson(`/manage/categories?profile_id=${owner.profileId}`)).data.find(
      ({ slug }: { slug: string }) => slug === 'notes',
    ) ?? (await owner.newCategory({ name: 'Notes' }))
  const open = await owner.newCategory({ name: `Open ${Math.random()}` })
  const page = await owner.newPage({ title: `Sold ${Math.random()}`, category_id: notes.id, body: SECRET_WORD })
  return { notes, open, page }
}

describe('content behind a gate', () => {
  it('does not let an editor move gated content to an open place', async () => {
    const { open, page, notes } = await place()
    for (const move of [{ category_id: open.id }, { category_id: null }]) {
      const answer = await editor.putPage(page.id, move)
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'gate_permission_required'])
    }
    const renamed = await editor.putCategory(notes.id, { slug: 'essays' })
    expect([renamed.statusCode, codeOf(renamed)]).toEqual([403, 'gate_permission_required'])
    const moved = await editor.putCategory(notes.id, { parent_id: open.id })
    expect([moved.statusCode, codeOf(moved)]).toEqual([403, 'gate_permission_required'])
    expect((await get(`${owner.contents}/notes/${page.slug}`)).statusCode).toBe(402)
  })

  it('lets a key of the owner move gated content to an open place in a route of the host only if it has write:gates', async () => {
    const { open, page } = await place()
    const move = async (...scopes: string[]) =>
      test.app.eep.content.pages.update(page.id, { categoryId: open.id }, await callerWithScopes(test, owner, scopes))
    await expect(move('write:content')).rejects.toMatchObject({ code: 'gate_permission_required' })
    expect((await get(`${owner.contents}/notes/${page.slug}`)).statusCode).toBe(402)
    expect((await move('write:content', 'write:gates')).page).toMatchObject({ categoryId: open.id })
  })

  it('lets an editor change gated content, and rename it within its gate', async () => {
    const { page, open } = await place()
    expect(
      (await editor.putPage(page.id, { slug: `still-${page.slug}`, body: `More. ${SECRET_WORD}` })).statusCode,
    ).toBe(200)
    expect((await get(`${owner.contents}/notes/still-${page.slug}`)).statusCode).toBe(402)
    expect((await editor.putCategory(open.id, { slug: `renamed-${open.slug}` })).statusCode).toBe(200)
  })

  it('lets accounts that may change the gate move gated content to an open place', async () => {
    const { page, open } = await place()
    expect((await owner.putPage(page.id, { category_id: open.id })).statusCode).toBe(200)
    expect((await get(`${owner.contents}/${open.slug}/${page.slug}`)).statusCode).toBe(200)
  })
})
