import { expect, it, vi } from 'vitest'
import type { SearchDocument } from '../../../ports/search-index.ts'
import { createIndexDocuments } from './index-documents.ts'

const documentOf = (key: string) => ({ key, revision: '1' }) as SearchDocument
const documents = ['page:1', 'page:2', 'page:3'].map(documentOf)

function createIndex(refused: string) {
  const stored = new Set<string>()
  const put = vi.fn(async (batch: readonly SearchDocument[]) => {
    if (batch.some(({ key }) => key === refused)) throw new Error(`cannot store ${refused}`)
    for (const { key } of batch) stored.add(key)
  })
  return { stored, put }
}

it('puts documents in one call', async () => {
  const { stored, put } = createIndex('none')
  await createIndexDocuments({ ping: async () => {}, onError: () => {} })(documents, put)
  expect([...stored]).toEqual(['page:1', 'page:2', 'page:3'])
  expect(put).toHaveBeenCalledTimes(1)
})

it('leaves out a document that the index refused five times, and reports it', async () => {
  const { stored, put } = createIndex('page:2')
  const onError = vi.fn()
  const indexDocuments = createIndexDocuments({ ping: async () => {}, onError })
  for (let attempt = 1; attempt < 5; attempt++) {
    await expect(indexDocuments(documents, put)).rejects.toThrow('cannot store page:2')
    expect([...stored]).toEqual(['page:1', 'page:3'])
  }
  await indexDocuments(documents, put)
  expect(onError.mock.calls.map(([error]) => (error as Error).message)).toEqual([
    'The search index refused the document page:2, which is left out',
  ])
})

it('counts the attempts of a document from the start again after it was stored', async () => {
  const { put } = createIndex('page:2')
  const { put: putAll } = createIndex('none')
  const indexDocuments = createIndexDocuments({ ping: async () => {}, onError: () => {} })
  for (let attempt = 1; attempt < 5; attempt++) await expect(indexDocuments(documents, put)).rejects.toThrow()
  await indexDocuments(documents, putAll)
  for (let attempt = 1; attempt < 5; attempt++) await expect(indexDocuments(documents, put)).rejects.toThrow()
})

it('counts the attempts of a document that was stored alone from the start again', async () => {
  const [{ put }, { put: putOthers }] = [createIndex('page:2'), createIndex('page:3')]
  const indexDocuments = createIndexDocuments({ ping: async () => {}, onError: () => {} })
  for (let attempt = 1; attempt < 5; attempt++) await expect(indexDocuments(documents, put)).rejects.toThrow('page:2')
  await expect(indexDocuments(documents, putOthers)).rejects.toThrow('page:3')
  await expect(indexDocuments(documents, put)).rejects.toThrow('page:2')
})

it('counts the attempts of 10,000 documents at most, so those of deleted ones do not add up', async () => {
  const indexDocuments = createIndexDocuments({ ping: async () => {}, onError: () => {} })
  const put = () => Promise.reject(new Error('refused'))
  const first = [documentOf('page:1')]
  for (let attempt = 1; attempt < 5; attempt++) await expect(indexDocuments(first, put)).rejects.toThrow('refused')
  const others = Array.from({ length: 10_000 }, (_, index) => documentOf(`post:${index}`))
  await expect(indexDocuments(others, put)).rejects.toThrow('refused')
  await expect(indexDocuments(first, put)).rejects.toThrow('refused')
})

it('leaves out no document while the index is unavailable', async () => {
  const { put } = createIndex('page:2')
  const onError = vi.fn()
  const ping = async () => {
    throw new Error('the index is unavailable')
  }
  const indexDocuments = createIndexDocuments({ ping, onError })
  for (let attempt = 0; attempt < 10; attempt++) {
    await expect(indexDocuments(documents, put)).rejects.toThrow('the index is unavailable')
  }
  expect(onError).not.toHaveBeenCalled()
})
