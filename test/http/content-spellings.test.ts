import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createWriter } from '../support/content.ts'

const SPELLINGS = [
  '/',
  '/notes/',
  '/notes//page',
  '//notes/page',
  '/notes/page/',
  '/notes%2Fpage',
  '/notes%2fpage',
  '/notes%252Fpage',
  '/notes%5Cpage',
  '/notes\\page',
  '/Notes/page',
  '/notes/PAGE',
  '/notes/./page',
  '/notes/../notes/page',
  '/notes/%2e/page',
  '/notes/%2e%2e/notes/page',
  '/notes/page.html',
  '/notes/page.json.md',
  '/notes/page.json/',
  '/notes.json/page',
  '/notes/page.JSON',
  '/notes/page;v=1',
  '/notes/page%3Fformat=json',
  '/notes/page%23',
  '/notes/page%00',
  '/notes/page%20',
  '/notes/+page',
  '/notes/page%0a',
  '/notes/page%E2%80%8B',
  '/notes/p%C3%A1ge',
  '/notes/%EF%BD%90age',
  '/notes/pag',
  '/notes/page-2',
  '/page',
  '/notes/page/page',
  '/notes/notes/page',
  '/notes/page%',
  '/notes/%ff',
  '/notes/page%c0%af',
  '/__proto__',
  '/notes/constructor',
  `/${'a/'.repeat(2_000)}page`,
  `/${'a'.repeat(90)}`,
]

const { app, close } = await createTestApp()
afterAll(close)
const ada = await createWriter(app, 'ada')
const category = await ada.newCategory({ name: 'Notes' })
await ada.newPage({ title: 'Page', slug: 'page', body: 'well hidden words', category_id: category.id })
await ada.newPage({ title: 'Top', slug: 'top', body: 'words at the top' })
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo

/** Asks for a path as it is written, which `inject` would tidy. */
const ask = (path: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      const read = async () => ({ status: response.statusCode ?? 0, body: (await response.toArray()).join('') })
      read().then(resolve, reject)
    })
    asked.on('error', reject).end()
  })

it('serves a page at its canonical path', async () => {
  expect(await ask('/u/ada/content/notes/page')).toMatchObject({ status: 200 })
})

it.each(SPELLINGS)('serves no content at the spelling %j of a path', async (tail) => {
  const { status, body } = await ask(`/u/ada/content${tail}`)
  expect(status).toSatisfy((code: number) => code === 404 || code === 400 || code === 308)
  expect(body).not.toContain('words')
})
