import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryBlobs, shareCards } from '@eep/core/files'
import { type BlobStore, storageError } from '@eep/core/ports'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { field, fileOf, formOf, upload } from '../support/files.ts'
import { image, metaOf, sellOnly, sent } from '../support/pictures.ts'
import { createCashApp, header } from '../support/shop.ts'

const HTML = { accept: 'text/html' }

const directory = join(tmpdir(), `eep-files-${randomUUID()}`)
const bytes = directoryBlobs({ directory })
/** How many of the next reads of bytes fail. */
let failures = 0
const blobStore: BlobStore = {
  ...bytes,
  async get(key, range) {
    if (failures > 0) {
      failures -= 1
      throw storageError()
    }
    return bytes.get(key, range)
  },
}

let test: Awaited<ReturnType<typeof createCashApp>>
beforeAll(async () => {
  test = await createCashApp({ files: { blobStore }, pages: { shareCards: shareCards() } })
})
afterAll(async () => {
  await test.close()
  await rm(directory, { recursive: true, force: true })
})

const read = async (path: string, headers = {}) => client(test.app).get(path, headers)
const htmlOf = async (path: string, headers = {}) => (await read(path, { ...HTML, ...headers })).body

describe('the picture of previews of a profile', () => {
  const cardOf = async (name: string) => {
    const address = metaOf(await htmlOf(`/u/${name}`), 'og:image') ?? ''
    return { address, card: await read(address.replace('https://profiles.example', '')) }
  }
  const settled = (card: { readonly rawPayload: Buffer }) => sharp(card.rawPayload).metadata()

  it('is a card of 1200 by 630 pixels, which clients keep', async () => {
    const { account } = await signUp(test.app)
    const html = await htmlOf(`/u/${account.username}`)
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image">')
    expect(metaOf(html, 'og:image:width')).toBe('1200')
    const { card } = await cardOf(account.username)
    expect([card.statusCode, header(card, 'content-type')]).toEqual([200, 'image/png'])
    expect(header(card, 'cache-control')).toBe('public, max-age=31536000, immutable')
    expect(header(card, 'content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(await settled(card)).toMatchObject({ width: 1200, height: 630, format: 'png' })
  })

  it('has another address after each change of what it shows', async () => {
    const person = await signUp(test.app)
    const { username: name } = person.account
    const addresses = new Set([(await cardOf(name)).address])
    const portrait = await sent(test.app, person, await image('orange'), 'face.png')
    const cards = new Set<string>()
    for (const fields of [
      { full_name: 'Ada <b>&amp;</b>' },
      { accent: '#aa0000' },
      { avatar_url: `https://profiles.example/files/${portrait}` },
    ]) {
      await person.put(`/profiles/u/${name}`, fields)
      const { address, card } = await cardOf(name)
      addresses.add(address)
      cards.add(card.rawPayload.toString('base64'))
    }
    expect([addresses.size, cards.size]).toEqual([4, 3])
    await person.put(`/profiles/u/${name}`, { bio: 'Not on the card.' })
    addresses.add((await cardOf(name)).address)
    expect(addresses.size).toBe(4)
  })

  it('shows the new portrait after its file was replaced, and is kept for a minute only, because its address is the same', async () => {
    const writer = await createWriter(test.app)
    const { username: name } = writer.account
    const portrait = await sent(test.app, writer, await image('orange'), 'face.png')
    await writer.put(`/profiles/u/${name}`, { avatar_url: `https://profiles.example/files/${portrait}` })
    const before = await cardOf(name)
    expect(header(before.card, 'cache-control')).toBe('public, max-age=60')
    const { payload, headers } = formOf([fileOf(await image('purple'), 'face.png')])
    const replaced = await test.app.inject({
      method: 'PUT',
      url: `/manage/files/${portrait}/content`,
      payload,
      headers: { ...writer.headers, ...headers },
    })
    expect(replaced.statusCode, replaced.body).toBe(200)
    const after = await cardOf(name)
    expect(after.address).toBe(before.address)
    expect(after.card.rawPayload.equals(before.card.rawPayload)).toBe(false)
  })

  it('is kept for a minute only under the address of another version', async () => {
    const { account } = await signUp(test.app)
    const card = await read(`/u/${account.username}/card.png?v=other`)
    expect([card.statusCode, header(card, 'cache-control')]).toEqual([200, 'public, max-age=60'])
  })

  it('shows no portrait and no color that the gate closes, also to the team', async () => {
    const writer = await createWriter(test.app)
    const { username: name } = writer.account
    const plain = (await cardOf(name)).card.rawPayload
    const portrait = await sent(test.app, writer, await image('orange'), 'face.png')
    const fields = { avatar_url: `https://profiles.example/files/${portrait}`, accent: '#aa0000' }
    await writer.put(`/profiles/u/${name}`, fields)
    expect((await cardOf(name)).card.rawPayload.equals(plain)).toBe(false)
    await sellOnly(writer, ['profile.avatar_url', 'profile.accent'])
    const gated = await writer.get(`/u/${name}/card.png`)
    expect(gated.rawPayload.equals(plain)).toBe(true)
    await sellOnly(writer, [`files.f${portrait}`, 'profile.accent'])
    expect((await read(`/u/${name}/card.png`)).rawPayload.equals(plain)).toBe(true)
  })

  /** The profile and the picture of a new writer with this name, before it has a portrait. */
  async function named(full_name: string) {
    const writer = await createWriter(test.app)
    const { username: name } = writer.account
    await writer.put(`/profiles/u/${name}`, { full_name })
    const show = async (file: number) => {
      const saved = await writer.put(`/profiles/u/${name}`, { avatar_url: `https://profiles.example/files/${file}` })
      expect(saved.statusCode, saved.body).toBe(200)
    }
    return { writer, name, show, plain: (await cardOf(name)).card.rawPayload }
  }

  it('of a private profile with a portrait is not that of a profile with the same texts', async () => {
    const owner = await named('Same Name')
    const stranger = await named('Same Name')
    const portrait = await sent(test.app, owner.writer, await image('orange'), 'face.png')
    await owner.show(portrait)
    await stranger.show(portrait)
    await owner.writer.put(`/profiles/${owner.writer.profileId}/visibility`, { visibility: 'private' })
    const ofTeam = await owner.writer.get(`/u/${owner.name}/card.png`)
    expect(ofTeam.rawPayload.equals(owner.plain)).toBe(false)
    expect((await cardOf(stranger.name)).card.rawPayload.equals(owner.plain)).toBe(true)
  })

  it('shows the portrait also after a profile with the same texts named the same file', async () => {
    const owner = await named('Copied Name')
    const stranger = await named('Copied Name')
    const portrait = await sent(test.app, owner.writer, await image('orange'), 'face.png')
    await stranger.show(portrait)
    const { card: copied } = await cardOf(stranger.name)
    expect(copied.rawPayload.equals(owner.plain)).toBe(true)
    expect(header(copied, 'cache-control')).toBe('public, max-age=60')
    await owner.show(portrait)
    expect((await cardOf(owner.name)).card.rawPayload.equals(owner.plain)).toBe(false)
  })

  it('has another address, and no portrait, once a gate closes the file', async () => {
    const { writer, name, show, plain } = await named('Closed Later')
    const portrait = await sent(test.app, writer, await image('orange'), 'face.png')
    await show(portrait)
    const open = await cardOf(name)
    expect(open.card.rawPayload.equals(plain)).toBe(false)
    await sellOnly(writer, [`files.f${portrait}`])
    const closed = await cardOf(name)
    expect(closed.address).not.toBe(open.address)
    expect(closed.card.rawPayload.equals(plain)).toBe(true)
    const former = await read(open.address.replace('https://profiles.example', ''))
    expect(former.rawPayload.equals(plain)).toBe(true)
    expect(header(former, 'cache-control')).toBe('public, max-age=60')
  })

  it('has another address for another visibility', async () => {
    const { writer, name } = await named('Seen By Some')
    const { address } = await cardOf(name)
    await writer.put(`/profiles/${writer.profileId}/visibility`, { visibility: 'unlisted' })
    expect((await cardOf(name)).address).not.toBe(address)
  })

  it('is that of the service while the portrait cannot be read, for a minute, and then has the portrait', async () => {
    const { writer, name, show, plain } = await named('Read Again')
    await show(await sent(test.app, writer, await image('orange'), 'face.png'))
    failures = 1
    const { card: failed } = await cardOf(name)
    expect(failures).toBe(0)
    expect([failed.statusCode, header(failed, 'cache-control')]).toEqual([200, 'public, max-age=60'])
    expect(failed.rawPayload.equals((await read('/assets/card.png')).rawPayload)).toBe(true)
    const { card } = await cardOf(name)
    expect(header(card, 'cache-control')).toBe('public, max-age=60')
    const drawn = await sharp(card.rawPayload).metadata()
    expect(drawn).toMatchObject({ width: 1200, height: 630 })
    expect(card.rawPayload.equals(plain)).toBe(false)
    expect(card.rawPayload.equals(failed.rawPayload)).toBe(false)
  })

  it('has no portrait once its file is deleted', async () => {
    const { writer, name, show, plain } = await named('Without A Face')
    const portrait = await sent(test.app, writer, await image('orange'), 'face.png')
    await show(portrait)
    expect((await cardOf(name)).card.rawPayload.equals(plain)).toBe(false)
    expect((await writer.delete(`/files/${portrait}`)).statusCode).toBe(200)
    const { card } = await cardOf(name)
    expect(card.rawPayload.equals(plain)).toBe(true)
    expect(header(card, 'cache-control')).toBe('public, max-age=60')
  })

  it('has no portrait that the host may have to withhold, because caches keep cards', async () => {
    const host = await createCashApp({
      pages: { shareCards: shareCards() },
      hooks: { legalRestriction: () => undefined },
    })
    try {
      const writer = await createWriter(host.app)
      const { username: name } = writer.account
      const cardNow = () => client(host.app).get(`/u/${name}/card.png`)
      const plain = await cardNow()
      expect(await settled(plain)).toMatchObject({ width: 1200 })
      const parts = [field('username', name), fileOf(await image('orange'), 'face.png')]
      const { id } = (await upload(host.app, parts, writer.headers)).json()
      const saved = await writer.put(`/profiles/u/${name}`, { avatar_url: `https://profiles.example/files/${id}` })
      expect(saved.statusCode, saved.body).toBe(200)
      expect((await cardNow()).rawPayload.equals(plain.rawPayload)).toBe(true)
    } finally {
      await host.close()
    }
  })

  it('is not found where the profile is not', async () => {
    const writer = await createWriter(test.app)
    const { username: name } = writer.account
    await writer.put(`/profiles/${writer.profileId}/visibility`, { visibility: 'private' })
    expect((await read(`/u/${name}/card.png`)).statusCode).toBe(404)
    expect((await writer.get(`/u/${name}/card.png`)).statusCode).toBe(200)
    expect(header(await writer.get(`/u/${name}/card.png`), 'cache-control')).toMatch(/^private/)
  })

  it('is that of the service while the renderer is busy, and in services without one', async () => {
    const busy = await createCashApp({ pages: { shareCards: { render: async () => undefined } } })
    const without = await createCashApp()
    for (const { app, close } of [busy, without]) {
      const { account } = await signUp(app)
      const html = (await client(app).get(`/u/${account.username}`, HTML)).body
      const address = (metaOf(html, 'og:image') ?? '').replace('https://profiles.example', '')
      const card = await client(app).get(address)
      const ofService = await client(app).get('/assets/card.png')
      expect([card.statusCode, header(card, 'cache-control')]).toEqual([200, 'public, max-age=60'])
      expect(card.rawPayload.equals(ofService.rawPayload)).toBe(true)
      expect(await settled(card)).toMatchObject({ width: 1200, height: 630 })
      await close()
    }
  })
})
