import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { onPglite } from '../support/database.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { openPooledStorage, type PooledStorage } from '../support/pooled-storage.ts'

let opened: PooledStorage

beforeAll(async () => {
  if (!onPglite()) opened = await openPooledStorage()
})
afterAll(() => opened?.close())

it.skipIf(onPglite())('finds the images of pages that an earlier release stored, in the background', async () => {
  const { pool, storage } = opened
  const { app, close } = await createTestApp({ storage })
  const ada = await createWriter(app)
  const { username } = ada.account
  const png = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const sent = await upload(app, [field('username', username), fileOf(png, 'shown.png')], ada.headers)
  await ada.newPage({ title: 'Pictures', body: `![A](/files/${sent.json().id})` })
  // As pages are whose images are not found yet.
  await pool.query('update eep.pages set file_ids = null, file_ids_current = false')
  const read = async () => (await client(app).get(`/u/${username}`, { accept: 'text/html' })).body
  // Without the images of its pages, the profile lists the file. Later requests find this in a cache.
  expect(await read()).toContain('shown.png')

  await app.eep.purge()
  await expect.poll(read).not.toContain('shown.png')
  await close()
})

it.skipIf(onPglite())('finds the images of stored pages in parts, each page once', async () => {
  const { pool, storage } = opened
  const { app, close } = await createTestApp({ storage })
  const ada = await createWriter(app)
  const pages = [await ada.newPage({ title: 'One' }), await ada.newPage({ title: 'Two' })].map(({ id }) => Number(id))
  await pool.query('update eep.pages set file_ids_current = not (id = any($1::bigint[]))', [pages])
  const refresh = (limit: number) => storage.transaction((tx) => tx.files.refreshShown(limit, 0))
  const found = [await refresh(1), await refresh(5), await refresh(5)]
  expect(found.map((part) => part.map(({ id }) => id))).toEqual([[pages[0]], [pages[1]], []])
  await close()
})
