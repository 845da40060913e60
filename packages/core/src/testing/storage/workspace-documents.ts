import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { ERASED_ACCOUNT_ID } from '../../kernel/erased-ids.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type {
  NewWorkspaceDocument,
  WorkspaceDocument,
  WorkspaceDocumentChanges,
} from '../../ports/storage/workspace-documents.ts'
import { eraseAccount } from '../erase-account.ts'
import { newDocument, newWorkspace, newWorkspaceMember } from '../records.ts'
import { type Bench, casesFor, ODD_TEXT, present } from './bench.ts'
import { checkCursors, readAll } from './lists.ts'

const LIMITS = { maxDocuments: 100, maxDepth: 3 }
const at = new Date('2026-07-07T07:07:07.007Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const KEEP_ALL = { replaces: false, replaceableUntil: null, kept: 100 }

/** A workspace with documents. */
async function newPlace(bench: Bench<'workspaces'>) {
  const { id: owner } = await bench.account()
  const workspace = newWorkspace(owner)
  await bench.write((tx) => tx.workspaces.insert(workspace, 100))
  const add = async (changes: Partial<NewWorkspaceDocument> = {}): Promise<WorkspaceDocument> => {
    const document = newDocument(workspace.id, owner, changes)
    const inserted = await bench.write((tx) => tx.workspaceDocuments.insert(document, LIMITS))
    return present(inserted.outcome === 'inserted' ? inserted.document : undefined)
  }
  const saving = (id: string, changes: Partial<WorkspaceDocumentChanges>) => (tx: Stores<'workspaces'>) =>
    tx.workspaceDocuments.save(id, { updatedAt: at, savedBy: owner, versioning: KEEP_ALL, ...changes }, LIMITS)
  const save = (id: string, changes: Partial<WorkspaceDocumentChanges>) => bench.write(saving(id, changes))
  const titles = async (parentId: string | null = null) => {
    const found = await bench.read.workspaceDocuments.list(workspace.id, { limit: 100, parentId })
    return found.items.map(({ title }) => title)
  }
  return { owner, workspace, add, saving, save, titles }
}

export const workspaceDocumentCases = casesFor(['workspaces'], (it, bench) => {
  it('stores a document of a workspace, changes it as a new version and deletes it', async () => {
    const { owner, workspace, add, save } = await newPlace(bench)
    const body = `${ODD_TEXT}\n\n${'long '.repeat(1_000)}`
    const document = await add({ title: 'Zoë "quoted"', body })
    const {
      createdBy: _,
      position: __,
      ...fields
    } = newDocument(workspace.id, owner, { ...document, title: 'Zoë "quoted"' })
    assert.deepEqual(document, { ...fields, version: 1, position: 0, updatedAt: document.createdAt })
    assert.deepEqual(await bench.read.workspaceDocuments.get(document.id), document)
    const saved = await save(document.id, { title: 'Other' })
    const expected = { ...document, title: 'Other', version: 2, updatedAt: at }
    assert.deepEqual(saved, { outcome: 'saved', document: expected, replaced: false })
    const { getVersion } = bench.read.workspaceDocuments
    assert.equal((await getVersion(document.id, 1))?.title, document.title)
    const deleted = await bench.write((tx) => tx.workspaceDocuments.delete(document.id, { cascade: false }))
    assert.deepEqual(deleted, { outcome: 'deleted', below: [] })
    for (const id of [document.id, randomUUID(), 'no uuid', '\0']) {
      assert.equal(await bench.read.workspaceDocuments.get(id), undefined)
      assert.deepEqual(await save(id, { title: 'Late' }), { outcome: 'missing' })
      const again = await bench.write((tx) => tx.workspaceDocuments.delete(id, { cascade: true }))
      assert.deepEqual(again, { outcome: 'missing' })
      assert.equal(await getVersion(id, 1), undefined)
      assert.deepEqual((await bench.read.workspaceDocuments.listVersions(id, { limit: 9 })).items, [])
      assert.deepEqual(await bench.read.workspaceDocuments.listPublications(id), [])
    }
  })

  it('lets exactly one of many saves win that expect the same version, or the next when it fails', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const { add, saving } = await newPlace(bench)
      const { id } = await add()
      const edit = (title: string) => saving(id, { title, expectedVersion: 1 })
      const { others } = await bench.overlap(edit('one'), [edit('two'), edit('three')], end)
      assert.equal(others.filter(({ outcome }) => outcome === 'saved').length, end === 'commit' ? 0 : 1)
      assert.equal((await bench.read.workspaceDocuments.get(id))?.version, 2)
    }
  })

  it('gives each of many concurrent saves a separate version', async () => {
    const { add, saving } = await newPlace(bench)
    const { id } = await add()
    await bench.overlap(
      saving(id, { title: 'one' }),
      ['two', 'three'].map((title) => saving(id, { title })),
    )
    const { items } = await bench.read.workspaceDocuments.listVersions(id, { limit: 9 })
    assert.deepEqual(
      items.map(({ version }) => version),
      [4, 3, 2, 1],
    )
  })

  it('makes no cycle, also not by two moves that each would be valid', async () => {
    const { add, save, saving } = await newPlace(bench)
    const [a, b] = [await add({ title: 'a' }), await add({ title: 'b' })]
    for (const parentId of [a.id, a.id.toUpperCase()]) {
      assert.deepEqual(await save(a.id, { parentId }), { outcome: 'cycle' })
    }
    const { first, others } = await bench.overlap(saving(a.id, { parentId: b.id }), [saving(b.id, { parentId: a.id })])
    assert.equal(first?.outcome, 'saved')
    assert.deepEqual(others, [{ outcome: 'cycle' }])
    assert.equal((await bench.read.workspaceDocuments.get(b.id))?.parentId, null)
  })

  it('keeps the tree within its depth when documents are added and moved with their subtree', async () => {
    const { owner, workspace, add, save } = await newPlace(bench)
    const top = await add({ title: 'top' })
    const middle = await add({ title: 'middle', parentId: top.id })
    const deep = await add({ title: 'deep', parentId: middle.id })
    const insert = (parentId: string) =>
      bench.write((tx) => tx.workspaceDocuments.insert(newDocument(workspace.id, owner, { parentId }), LIMITS))
    assert.deepEqual(await insert(deep.id), { outcome: 'too_deep' })
    const other = await add({ title: 'other' })
    await add({ title: 'below other', parentId: other.id })
    assert.deepEqual(await save(other.id, { parentId: middle.id }), { outcome: 'too_deep' })
    assert.equal((await save(other.id, { parentId: top.id })).outcome, 'saved')
    const elsewhere = await newPlace(bench)
    const foreign = await elsewhere.add()
    for (const unknown of [foreign.id, randomUUID(), 'no uuid']) {
      assert.deepEqual(await insert(unknown), { outcome: 'unknown_parent' })
      assert.deepEqual(await save(other.id, { parentId: unknown }), { outcome: 'unknown_parent' })
    }
  })

  it('adds no more documents than the maximum when many are added concurrently', async () => {
    const { owner, workspace } = await newPlace(bench)
    const insert = () => (tx: Stores<'workspaces'>) =>
      tx.workspaceDocuments.insert(newDocument(workspace.id, owner), { ...LIMITS, maxDocuments: 2 })
    const { first, others } = await bench.overlap(insert(), [insert(), insert(), insert()])
    const outcomes = [first, ...others].map((each) => each?.outcome).toSorted()
    assert.deepEqual(outcomes, ['inserted', 'inserted', 'too_many', 'too_many'])
  })

  it('orders siblings by positions that no two of them share', async () => {
    const { add, save, titles, workspace } = await newPlace(bench)
    const [a, b, c] = [await add({ title: 'a' }), await add({ title: 'b' }), await add({ title: 'c' })]
    assert.deepEqual([a.position, b.position, c.position], [0, 1, 2])
    await add({ title: 'first', position: 0 })
    assert.deepEqual(await titles(), ['first', 'a', 'b', 'c'])
    await save(c.id, { position: 1 })
    assert.deepEqual(await titles(), ['first', 'c', 'a', 'b'])
    await save(a.id, { position: 1_000_000 })
    assert.deepEqual(await titles(), ['first', 'c', 'b', 'a'])
    await add({ title: 'below', parentId: b.id })
    await save(a.id, { parentId: b.id, position: 0 })
    assert.deepEqual(await titles(b.id), ['a', 'below'])
    const { items } = await bench.read.workspaceDocuments.list(workspace.id, { limit: 9 })
    const places = items.map(({ parentId, position }) => `${parentId} ${position}`)
    assert.equal(new Set(places).size, places.length)
    const list = (request: { limit: number; cursor?: string | undefined }) =>
      bench.read.workspaceDocuments.list(workspace.id, request)
    assert.deepEqual(
      (await readAll(list, 2)).map(({ title }) => title),
      ['first', 'c', 'b', 'a', 'below'],
    )
    await checkCursors(list)
  })

  it('reads documents by their ids, and those of all workspaces in pages', async () => {
    const [one, other] = [await newPlace(bench), await newPlace(bench)]
    const [a, b] = [await one.add({ title: 'a' }), await other.add({ title: 'b' })]
    const found = await bench.read.workspaceDocuments.listByIds([a.id, b.id, randomUUID(), 'no uuid', '\0'])
    assert.deepEqual(
      found.toSorted((left, right) => (left.title < right.title ? -1 : 1)),
      [a, b],
    )
    assert.deepEqual(await bench.read.workspaceDocuments.listByIds([]), [])
    const outlines = await bench.read.workspaceDocuments.listOutlinesByIds([b.id, a.id, randomUUID(), 'no uuid', '\0'])
    assert.deepEqual(
      outlines.toSorted((left, right) => (left.title < right.title ? -1 : 1)),
      [a, b].map(({ body: _, ...outline }) => outline),
    )
    assert.deepEqual(await bench.read.workspaceDocuments.listOutlinesByIds([]), [])
    const list = bench.read.workspaceDocuments.listAll.bind(bench.read.workspaceDocuments)
    const ids = (await readAll(list, 7)).map(({ id }) => id)
    assert.deepEqual([ids.includes(a.id), ids.includes(b.id), new Set(ids).size], [true, true, ids.length])
    await checkCursors(list)
  })

  it('gives separate positions to documents that are added concurrently to the same place', async () => {
    const { owner, workspace } = await newPlace(bench)
    const insert = () => (tx: Stores<'workspaces'>) =>
      tx.workspaceDocuments.insert(newDocument(workspace.id, owner, { position: 0 }), LIMITS)
    await bench.overlap(insert(), [insert(), insert()])
    const { items } = await bench.read.workspaceDocuments.list(workspace.id, { limit: 9 })
    assert.deepEqual(
      items.map(({ position }) => position),
      [0, 1, 2],
    )
  })

  it('deletes documents below another one only on request', async () => {
    const { add } = await newPlace(bench)
    const top = await add()
    const middle = await add({ parentId: top.id })
    const deep = await add({ parentId: middle.id })
    const remove = (id: string, cascade: boolean) => bench.write((tx) => tx.workspaceDocuments.delete(id, { cascade }))
    assert.deepEqual(await remove(top.id, false), { outcome: 'not_empty' })
    const removed = await remove(top.id, true)
    assert.deepEqual(removed.outcome === 'deleted' && removed.below.toSorted(), [middle.id, deep.id].toSorted())
    for (const { id } of [top, middle, deep]) assert.equal(await bench.read.workspaceDocuments.get(id), undefined)
  })

  it('replaces the newest version of a document by one author for a time, and keeps a number of them', async () => {
    const { add, save } = await newPlace(bench)
    const { id } = await add()
    const versioning = { replaces: true, replaceableUntil: later(1_000), kept: 3 }
    const versions = async () =>
      (await bench.read.workspaceDocuments.listVersions(id, { limit: 9 })).items.map(({ version }) => version)
    assert.deepEqual(present(await save(id, { body: '2', versioning })), {
      outcome: 'saved',
      document: present(await bench.read.workspaceDocuments.get(id)),
      replaced: false,
    })
    await save(id, { body: '3', versioning, updatedAt: later(500) })
    assert.deepEqual(await versions(), [3, 1])
    const other = randomUUID()
    await save(id, { body: '4', versioning, updatedAt: later(600), savedBy: other })
    await save(id, { body: '5', versioning, updatedAt: later(2_000) })
    assert.deepEqual(await versions(), [5, 4, 1], 'a version that a person saved is kept before automatic ones')
    assert.equal((await bench.read.workspaceDocuments.getVersionBefore(id, 4))?.version, 1)
    assert.equal(await bench.read.workspaceDocuments.getVersionBefore(id, 1), undefined)
    assert.equal((await bench.read.workspaceDocuments.getVersion(id, 4))?.createdBy, other)
    const list = bench.read.workspaceDocuments.listVersions.bind(bench.read.workspaceDocuments, id)
    assert.deepEqual(
      (await readAll(list, 2)).map(({ version }) => version),
      [5, 4, 1],
    )
    await checkCursors(list)
  })

  it('keeps the version of a document that is only moved', async () => {
    const { workspace, add, save } = await newPlace(bench)
    const [top, document] = [await add({ title: 'top' }), await add({ title: 'moved' })]
    const bytes = await bench.read.workspaceDocuments.countBytes(workspace.id)
    const moved = await save(document.id, { parentId: top.id, position: 0, expectedVersion: 1 })
    const expected = { ...document, parentId: top.id, position: 0, updatedAt: at }
    assert.deepEqual(moved, { outcome: 'saved', document: expected, replaced: false })
    assert.equal((await bench.read.workspaceDocuments.listVersions(document.id, { limit: 9 })).total, 1)
    assert.equal(await bench.read.workspaceDocuments.countBytes(workspace.id), bytes)
    assert.deepEqual(await save(document.id, { position: 0, expectedVersion: 2 }), { outcome: 'stale', version: 1 })
  })

  it('counts the bytes of all versions and comments of a workspace', async () => {
    const { owner, workspace, add, save } = await newPlace(bench)
    const { id } = await add({ title: 'ab', body: 'é' })
    await save(id, { body: 'xyz' })
    const comment = { documentId: id, accountId: owner, body: 'four', createdAt: at }
    await bench.write((tx) => tx.documentComments.insert(comment, 9))
    assert.equal(await bench.read.workspaceDocuments.countBytes(workspace.id), 4 + 5 + 4)
    assert.equal(await bench.read.workspaceDocuments.countBytes('no uuid'), 0)
  })

  it('reserves one page of a profile for a document when many publish it concurrently', async () => {
    const { add } = await newPlace(bench)
    const { id: documentId } = await add()
    const profile = await bench.profile()
    const pages = [await bench.page(profile), await bench.page(profile), await bench.page(profile)] as const
    const claim = (pageId: number) => (tx: Stores<'workspaces'>) =>
      tx.workspaceDocuments.claimPublication({ documentId, profileId: profile.id, pageId })
    const { first, others } = await bench.overlap(claim(pages[0].id), [claim(pages[1].id), claim(pages[2].id)])
    assert.deepEqual([first, ...others], [pages[0].id, pages[0].id, pages[0].id])
    const publish = (version: number) =>
      bench.write((tx) => tx.workspaceDocuments.markPublished({ documentId, profileId: profile.id, version, at }))
    await publish(3)
    await publish(2)
    const publication = { documentId, profileId: profile.id, pageId: pages[0].id, version: 3, publishedAt: at }
    assert.deepEqual(await bench.read.workspaceDocuments.listPublications(documentId), [publication])
    const other = await bench.profile()
    for (const [document, profileId] of [
      [documentId, other.id],
      [randomUUID(), profile.id],
      ['no uuid', profile.id],
    ] as const) {
      const wrong = { documentId: document, profileId, pageId: pages[1].id }
      assert.equal(await bench.write((tx) => tx.workspaceDocuments.claimPublication(wrong)), undefined)
    }
    await bench.write((tx) => tx.pages.delete(pages[0].id))
    assert.deepEqual(await bench.read.workspaceDocuments.listPublications(documentId), [])
  })

  it('erases an account from the versions and comments of workspaces that stay', async () => {
    const { owner, workspace, add, save } = await newPlace(bench)
    const editor = await bench.account()
    await bench.write((tx) => tx.workspaceMembers.insert(newWorkspaceMember(workspace.id, editor.id)))
    const { id } = await add()
    await save(id, { body: 'By the editor', savedBy: editor.id })
    for (const accountId of [editor.id, owner]) {
      const comment = { documentId: id, accountId, body: 'Good', createdAt: at }
      await bench.write((tx) => tx.documentComments.insert(comment, 9))
    }
    await bench.write((tx) => eraseAccount(tx, editor.id))
    assert.equal((await bench.read.workspaceDocuments.getVersion(id, 2))?.createdBy, ERASED_ACCOUNT_ID)
    const { items } = await bench.read.documentComments.list(id, { limit: 9 })
    assert.deepEqual(
      items.map(({ accountId }) => accountId),
      [null, owner],
    )
    await bench.write((tx) => eraseAccount(tx, owner))
    assert.equal(await bench.read.workspaceDocuments.get(id), undefined)
    while ((await bench.write((tx) => tx.workspaces.sweep(100))) > 0);
    assert.equal(await bench.read.workspaceDocuments.countBytes(workspace.id), 0)
  })
})

export const documentCommentCases = casesFor(['workspaces'], (it, bench) => {
  it('lists the comments on a document, oldest first, with the names of their authors', async () => {
    const { add } = await newPlace(bench)
    const [document, other] = [await add(), await add()]
    const author = await bench.account()
    const insert = (documentId: string, body: string) =>
      bench.write((tx) => tx.documentComments.insert({ documentId, accountId: author.id, body, createdAt: at }, 9))
    for (const body of [ODD_TEXT, 'two', 'three']) await insert(document.id, body)
    await insert(other.id, 'elsewhere')
    const list = bench.read.documentComments.list.bind(bench.read.documentComments, document.id)
    const found = await readAll(list, 2)
    assert.deepEqual(
      found.map(({ body }) => body),
      [ODD_TEXT, 'two', 'three'],
    )
    const { id, ...first } = present(found[0])
    const fields = { documentId: document.id, accountId: author.id, body: ODD_TEXT, createdAt: at }
    assert.deepEqual(first, { ...fields, username: author.username })
    assert.deepEqual(await bench.read.documentComments.get(id), { id, ...fields })
    await checkCursors(list)
    const mine = bench.read.documentComments.listOfAccount.bind(bench.read.documentComments, author.id)
    assert.equal((await readAll(mine, 3)).length, 4)
    await checkCursors(mine)
    for (const unknown of ['no uuid', '\0']) {
      assert.deepEqual((await bench.read.documentComments.list(unknown, { limit: 9 })).items, [])
      assert.deepEqual((await bench.read.documentComments.listOfAccount(unknown, { limit: 9 })).items, [])
      assert.deepEqual(await insert(unknown, 'lost'), { outcome: 'missing' })
    }
  })

  it('adds no more comments than the maximum, and deletes each once, when many do it concurrently', async () => {
    const { owner, add } = await newPlace(bench)
    const { id: documentId } = await add()
    const insert = () => (tx: Stores<'workspaces'>) =>
      tx.documentComments.insert({ documentId, accountId: owner, body: 'More', createdAt: at }, 2)
    const { first, others } = await bench.overlap(insert(), [insert(), insert()])
    const outcomes = [first, ...others].map((each) => each?.outcome).toSorted()
    assert.deepEqual(outcomes, ['inserted', 'inserted', 'too_many'])
    const id = present(first?.outcome === 'inserted' ? first.comment.id : undefined)
    const remove = (tx: Stores<'workspaces'>) => tx.documentComments.delete(id)
    const removed = await bench.overlap(remove, [remove, remove])
    assert.deepEqual([removed.first, ...removed.others], [true, false, false])
    assert.equal(await bench.read.documentComments.get(id), undefined)
  })
})
