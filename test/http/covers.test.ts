import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { callerWithScopes } from '../support/callers.ts'
import { client } from '../support/client.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { OPEN_FEED } from '../support/feed.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { createMailbox } from '../support/mailbox.ts'
import { image, metaOf, sellOnly, sent } from '../support/pictures.ts'
import { untilIndexed } from '../support/search.ts'
import { createCashApp, header } from '../support/shop.ts'

const HTML = { accept: 'text/html' }
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const stylesOf = (markup: string) => [...markup.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = '']) => css)

const mailbox = createMailbox()
let test: Awaited<ReturnType<typeof createCashApp>>
let ada: Writer
let username: string
let profilePath: string

beforeAll(async () => {
  test = await createCashApp({
    withSearch: true,
    ...OPEN_FEED,
    email: { mailer: mailbox.mailer },
  })
  ada = await createWriter(test.app)
  username = ada.account.username
  profilePath = `/u/${username}`
})
afterAll(() => test.close())

const read = async (path: string, headers = {}) => client(test.app).get(path, headers)
const htmlOf = async (path: string, headers = {}) => (await read(path, { ...HTML, ...headers })).body
const jsonOf = async (path: string) => (await read(`${path}?format=json`)).json()

describe('the cover and the color of a profile', () => {
  it('are fields of the profile, in every format and in its changelog', async () => {
    const fields = { cover_url: 'https://pictures.example/hills.png', accent: '#C0FFEE' }
    const saved = await ada.put(`/profiles${profilePath}`, fields)
    expect(saved.statusCode, saved.body).toBe(200)
    const stored = { ...fields, accent: '#c0ffee' }
    expect(await jsonOf(profilePath)).toMatchObject(stored)
    expect(await ada.getJson(`/profiles${profilePath}`)).toMatchObject(stored)
    expect((await read(`${profilePath}?format=toon`)).body).toContain('c0ffee')
    expect((await ada.getJson('/dashboard/profiles')).profiles[0]).toMatchObject(stored)
    const [change] = (await jsonOf(`${profilePath}/changelog`)).data
    expect(change.fields).toEqual(['cover_url', 'accent'])
    expect(await htmlOf(`${profilePath}/changelog`, { 'accept-language': 'de' })).toContain('Titelbild, Farbe')
  })

  it('are set when a profile is created, and cleared by null', async () => {
    const made = await ada.post('/profiles', { profile_type: 'place', username: `hall-${username}`, accent: '#aa0000' })
    expect(made.statusCode, made.body).toBe(200)
    expect(await jsonOf(`/l/hall-${username}`)).toMatchObject({ cover_url: null, accent: '#aa0000' })
    await ada.put(`/profiles/l/hall-${username}`, { accent: null })
    expect(await jsonOf(`/l/hall-${username}`)).toMatchObject({ accent: null })
  })

  it('are not fields of PUT /manage/profile', async () => {
    const refused = await ada.put('/manage/profile', { accent: '#000000', cover_url: null })
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'no_editable_fields'])
  })

  it.each([
    { accent: 'red' },
    { accent: '#fff' },
    { accent: '#12345g' },
    { accent: '#112233;}body{display:none' },
    { cover_url: 'javascript:alert(1)' },
    { cover_url: 'hills.png' },
  ])('are refused as %j', async (fields) => {
    const refused = await ada.put(`/profiles${profilePath}`, fields)
    expect([refused.statusCode, codeOf(refused)]).toEqual([400, 'validation_failed'])
  })

  it('color the pages of a profile by a second style, which the policy allows by its hash', async () => {
    await ada.put(`/profiles${profilePath}`, { accent: '#ffee00' })
    const page = await ada.newPage({ title: 'Colors', body: 'Yellow.' })
    for (const path of [profilePath, page.path, `${profilePath}/content`]) {
      const { body, headers } = await read(path, HTML)
      const styles = stylesOf(body)
      expect(styles, path).toHaveLength(2)
      expect(String(headers['content-security-policy']), path).toContain(`style-src ${styles.map(hashOf).join(' ')};`)
      // Yellow letters cannot be read on white paper, but on a dark one.
      expect(styles[1], path).toMatch(/^@media screen\{:root\{--accent:#[0-9a-f]{6};--on:#fff\}\}/)
      expect(styles[1], path).not.toMatch(/^@media screen\{:root\{--accent:#ffee00/)
      expect(styles[1], path).toContain('(prefers-color-scheme:dark){:root{--accent:#ffee00;--on:#000}}')
    }
    await ada.put(`/profiles${profilePath}`, { accent: null })
    expect(stylesOf(await htmlOf(profilePath))).toHaveLength(1)
  })

  it('are not shown on any page while the gate closes them', async () => {
    await ada.put(`/profiles${profilePath}`, { accent: '#ffee00', cover_url: 'https://pictures.example/hills.png' })
    const page = await ada.newPage({ title: 'Gated colors', body: 'Yellow.' })
    await sellOnly(ada, ['profile.accent', 'profile.cover_url'])
    for (const path of [profilePath, page.path, `${profilePath}/content`]) {
      expect(await htmlOf(path), path).not.toMatch(/ffee00|hills\.png/)
    }
    const record = await jsonOf(profilePath)
    expect(record).not.toHaveProperty('accent')
    expect(record.gated.map(({ field: name }: { readonly field: string }) => name)).toEqual(['cover_url', 'accent'])
    await sellOnly(ada, ['content.none'])
  })

  it('show a picture above the profile, and are not listed as a file', async () => {
    const id = await sent(test.app, ada, await image('teal'), 'hills.png')
    await ada.put(`/profiles${profilePath}`, { cover_url: `https://profiles.example/files/${id}` })
    const html = await htmlOf(profilePath)
    expect(html).toContain(`<img class="cover" src="/files/${id}" alt=""`)
    expect(html).not.toContain('>hills.png<')
    await ada.put(`/profiles${profilePath}`, { cover_url: null })
    expect(await htmlOf(profilePath)).toContain('<div class="cover"></div>')
  })

  it('load no picture from other sites, unless the host allows it', async () => {
    await ada.put(`/profiles${profilePath}`, { cover_url: 'https://pictures.example/hills.png' })
    expect(await htmlOf(profilePath)).not.toContain('src="https://pictures.example')
  })
})

describe('the portrait of a profile', () => {
  it('is on its page and beside what it wrote, unless its gate closes the file', async () => {
    const writer = await createWriter(test.app)
    const { username: name } = writer.account
    const id = await sent(test.app, writer, await image('orange'), 'face.png')
    await writer.put(`/profiles/u/${name}`, { avatar_url: `https://profiles.example/files/${id}`, bio: 'Hello.' })
    const post = await writer.post('/feed', { body: 'With a face.' })
    const face = `<img class="face" src="/files/${id}" alt=""`
    const page = await writer.newPage({ title: 'With a face', body: 'Hello.' })
    const pages = [`/u/${name}`, page.path, `/feed/posts/${post.json().id}`]
    for (const path of pages) expect(await htmlOf(path), path).toContain(face)
    await sellOnly(writer, ['files.*'])
    for (const path of [`/u/${name}`, page.path]) expect(await htmlOf(path), path).not.toContain(face)
  })
})

describe('the cover of a page', () => {
  it('is an image of the profile, by its path or its URL', async () => {
    const id = await sent(test.app, ada, await image('teal'), 'cover.png')
    const page = await ada.newPage({ title: 'Covered', body: 'Text.', cover_url: `/files/${id}` })
    const url = `https://profiles.example/files/${id}`
    expect(await ada.getJson(`/manage/pages/${page.id}`)).toMatchObject({ cover_url: url })
    expect(await jsonOf(page.path)).toMatchObject({ cover_url: url })
    expect((await ada.putPage(page.id, { cover_url: null })).json()).toMatchObject({ cover_url: null })
    expect((await ada.putPage(page.id, { cover_url: url })).json()).toMatchObject({ cover_url: url })
    expect((await ada.putPage(page.id, { title: 'Still covered' })).json()).toMatchObject({ cover_url: url })
  })

  it('is null again when its file is deleted', async () => {
    const id = await sent(test.app, ada, await image('teal'), 'gone.png')
    const page = await ada.newPage({ title: 'Was covered', body: `![a](/files/${id})`, cover_url: `/files/${id}` })
    expect((await ada.delete(`/files/${id}`)).statusCode).toBe(200)
    expect(await jsonOf(page.path)).toMatchObject({ cover_url: null })
    expect(metaOf(await htmlOf(page.path), 'og:image')).toBeUndefined()
  })

  it('is refused when it is not an image of the profile', async () => {
    const other = await createWriter(test.app)
    const foreign = await sent(test.app, other, await image('teal'), 'foreign.png')
    const text = await sent(test.app, ada, 'Numbers.', 'numbers.txt')
    const covers = [`/files/${foreign}`, `/files/${text}`, '/files/999999', 'https://a.example/a.png', '/media/1']
    const { id } = await ada.newPage({ title: 'Plain' })
    for (const cover_url of covers) {
      for (const refused of [await ada.putPage(id, { cover_url }), await ada.postPage({ cover_url })]) {
        expect([refused.statusCode, codeOf(refused)], cover_url).toEqual([400, 'invalid_cover'])
      }
    }
  })

  it('is the thumbnail and the preview of the page', async () => {
    const cover = await sent(test.app, ada, await image('teal'), 'cover.png')
    const shown = await sent(test.app, ada, await image('red'), 'shown.png')
    const page = await ada.newPage({ title: 'With both', body: `![a](/files/${shown})`, cover_url: `/files/${cover}` })
    const url = `https://profiles.example/files/${cover}`
    const html = await htmlOf(page.path)
    expect(metaOf(html, 'og:image')).toBe(url)
    expect(html).toContain(`"image":"${url}"`)
    for (const list of [profilePath, `${profilePath}/content`]) {
      expect(await htmlOf(list), list).toContain(
        `<img class="thumb" src="/files/${cover}" alt="" width="112" height="75" loading="lazy">`,
      )
    }
    const entry = (await jsonOf(`${profilePath}/content`)).pages.find(
      ({ id }: { readonly id: number }) => id === page.id,
    )
    expect(entry.thumbnail_url).toBe(url)
  })

  it('is the first image of the text when the page has no cover', async () => {
    const [first, second] = [
      await sent(test.app, ada, await image('teal'), 'first.png'),
      await sent(test.app, ada, await image('red'), 'second.png'),
    ]
    const body = `[a link](/files/${second})\n\n![b](/files/${first}) ![c](/files/${second})`
    const page = await ada.newPage({ title: 'With images', body })
    expect(metaOf(await htmlOf(page.path), 'og:image')).toBe(`https://profiles.example/files/${first}`)
    await ada.putPage(page.id, { body: `![c](https://profiles.example/files/${second})` })
    expect(metaOf(await htmlOf(page.path), 'og:image')).toBe(`https://profiles.example/files/${second}`)
    await ada.putPage(page.id, { body: 'No image.' })
    expect(metaOf(await htmlOf(page.path), 'og:image')).toBeUndefined()
  })

  it('is not the first image of the text while the page or the image is gated', async () => {
    const id = await sent(test.app, ada, await image('teal'), 'gated.png')
    const page = await ada.newPage({ title: 'Gated image', slug: 'gated-image', body: `![a](/files/${id})` })
    await sellOnly(ada, [`files.f${id}`])
    expect(metaOf(await htmlOf(page.path), 'og:image')).toBeUndefined()
    await sellOnly(ada, ['content.gated_image'])
    expect(metaOf(await htmlOf(page.path), 'og:image')).toBeUndefined()
    expect(await htmlOf(profilePath)).not.toContain(`/files/${id}`)
    expect((await read(page.path)).statusCode).toBe(402)
    await sellOnly(ada, ['content.none'])
    expect(await htmlOf(profilePath)).toContain(`<img class="thumb" src="/files/${id}"`)
  })

  it('can be seen by everyone while the page and the file are gated, until the page is not public', async () => {
    const id = await sent(test.app, ada, await image('teal'), 'sold.png')
    const page = await ada.newPage({ title: 'Sold', slug: 'sold', body: 'Secret.', cover_url: `/files/${id}` })
    await sellOnly(ada, ['content.sold', 'files.*'])
    const refused = await read(page.path, HTML)
    expect(refused.statusCode).toBe(402)
    expect(metaOf(refused.body, 'og:image')).toBe(`https://profiles.example/files/${id}`)
    expect((await read(`/files/${id}`)).statusCode).toBe(200)
    await ada.putPage(page.id, { status: 'draft' })
    expect((await read(`/files/${id}`)).statusCode).toBe(402)
    const shelf = await ada.newCategory({ name: 'Hidden', visibility: 'private' })
    await ada.putPage(page.id, { status: 'published', category_id: shelf.id })
    expect((await read(`/files/${id}`)).statusCode).toBe(402)
    await ada.putCategory(shelf.id, { visibility: 'public' })
    expect((await read(`/files/${id}`)).statusCode).toBe(200)
    await ada.putPage(page.id, { cover_url: null })
    expect((await read(`/files/${id}`)).statusCode).toBe(402)
    await sellOnly(ada, ['content.none'])
  })

  describe('whose file the gate closes', () => {
    let owner: Writer
    let sold: string
    let other: string
    let free: string

    async function member(role: 'admin' | 'editor'): Promise<Writer> {
      const writer = await createWriter(test.app)
      const { profileId } = owner
      await test.storage.transaction((tx) =>
        tx.members.put({ profileId, accountId: writer.account.id, role, createdAt: new Date() }),
      )
      return { ...writer, postPage: (fields) => writer.post('/manage/pages', { profile_id: profileId, ...fields }) }
    }

    beforeAll(async () => {
      owner = await createWriter(test.app)
      const ids = await Promise.all(
        ['teal', 'red', 'white'].map(async (color) => sent(test.app, owner, await image(color), `${color}.png`)),
      )
      ;[sold = '', other = '', free = ''] = ids.map((id) => `/files/${id}`)
      await sellOnly(owner, [`files.f${ids[0]}`, `files.f${ids[1]}`])
    })

    it('cannot be chosen by an editor', async () => {
      const editor = await member('editor')
      const { id } = await owner.newPage({ title: 'Plain', body: '' })
      const page = { title: 'Opened', body: '', status: 'published', cover_url: sold }
      for (const refused of [await editor.postPage(page), await editor.putPage(id, { cover_url: sold })]) {
        expect([refused.statusCode, codeOf(refused)]).toEqual([403, 'gate_permission_required'])
      }
      expect((await read(sold)).statusCode).toBe(402)
      expect(await owner.getJson(`/manage/pages/${id}`)).toMatchObject({ cover_url: null })
    })

    it('stays when an editor saves the page with it, and cannot be replaced by another one', async () => {
      const editor = await member('editor')
      const { id } = await owner.newPage({ title: 'Covered', body: '', status: 'draft', cover_url: sold })
      expect((await editor.putPage(id, { title: 'Still covered', cover_url: sold })).statusCode).toBe(200)
      expect(codeOf(await editor.putPage(id, { cover_url: other }))).toBe('gate_permission_required')
      expect((await editor.putPage(id, { cover_url: null })).statusCode).toBe(200)
      expect(codeOf(await editor.putPage(id, { cover_url: sold }))).toBe('gate_permission_required')
    })

    it('cannot be published by an editor with a page whose cover was open when it was chosen', async () => {
      const editor = await member('editor')
      const seller = await createWriter(test.app)
      const file = await sent(test.app, seller, await image('navy'), 'navy.png')
      await test.storage.transaction((tx) =>
        tx.members.put({
          profileId: seller.profileId,
          accountId: editor.account.id,
          role: 'editor',
          createdAt: new Date(),
        }),
      )
      const page = { title: 'Later', body: '', status: 'draft', cover_url: `/files/${file}` }
      const created = await editor.post('/manage/pages', { profile_id: seller.profileId, ...page })
      expect(created.statusCode, created.body).toBe(201)
      const { id } = created.json()
      await sellOnly(seller, [`files.f${file}`])
      expect(codeOf(await editor.putPage(id, { status: 'published' }))).toBe('gate_permission_required')
      expect((await read(`/files/${file}`)).statusCode).toBe(402)
      expect((await seller.putPage(id, { status: 'published' })).statusCode).toBe(200)
      expect((await read(`/files/${file}`)).statusCode).toBe(200)
    })

    it('can be chosen by an editor from the files that are not gated', async () => {
      const editor = await member('editor')
      const { id } = await owner.newPage({ title: 'Plain', body: '' })
      const created = await editor.postPage({ title: 'With an open cover', body: '', cover_url: free })
      expect(created.statusCode, created.body).toBe(201)
      expect((await editor.putPage(id, { cover_url: free })).statusCode).toBe(200)
    })

    it('can be chosen by an admin', async () => {
      const admin = await member('admin')
      const { id } = await owner.newPage({ title: 'Plain', body: '' })
      const created = await admin.postPage({ title: 'Opened as a draft', body: '', cover_url: sold })
      expect(created.statusCode, created.body).toBe(201)
      expect((await admin.putPage(id, { cover_url: other })).statusCode).toBe(200)
      expect((await read(other)).statusCode).toBe(200)
      await owner.putPage(id, { cover_url: null })
    })

    it('can be chosen with a key of the owner in a route of the host only if the key has write:gates', async () => {
      const { id } = await owner.newPage({ title: 'Plain', body: '', status: 'draft' })
      const coverFileId = Number(sold.split('/').at(-1))
      const choose = async (...scopes: string[]) =>
        test.app.eep.content.pages.update(id, { coverFileId }, await callerWithScopes(test, owner, scopes))
      await expect(choose('write:content')).rejects.toMatchObject({ code: 'gate_permission_required' })
      expect((await choose('write:content', 'write:gates')).page).toMatchObject({ coverFileId })
    })
  })

  it('is withheld where the host must withhold its file, and is kept by no shared cache', async () => {
    const restricted = new Set<string>()
    const host = await createCashApp({
      ...OPEN_FEED,
      hooks: {
        legalRestriction: ({ resource }) => (restricted.has(resource) ? { reason: 'A court said so.' } : undefined),
      },
    })
    try {
      const writer = await createWriter(host.app)
      const { username: name } = writer.account
      const parts = [field('username', name), fileOf(await image('teal'), 'sold.png')]
      const { id } = (await upload(host.app, parts, writer.headers)).json()
      await writer.newPage({ title: 'Sold', slug: 'sold', body: 'Secret.', cover_url: `/files/${id}` })
      await sellOnly(writer, ['content.sold', 'files.*'])
      const { get } = client(host.app)
      const shown = await get(`/files/${id}`)
      expect([shown.statusCode, header(shown, 'cache-control')]).toEqual([200, 'private, no-cache'])
      restricted.add(`files.f${id}`)
      for (const refused of [await get(`/files/${id}`), await writer.get(`/files/${id}`)]) {
        expect([refused.statusCode, codeOf(refused)]).toEqual([451, 'legally_restricted'])
        expect(header(refused, 'cache-control')).not.toContain('public')
      }
    } finally {
      await host.close()
    }
  })

  it('has the key of its file in an unlisted profile', async () => {
    const writer = await createWriter(test.app)
    const id = await sent(test.app, writer, await image('teal'), 'unlisted.png')
    const page = await writer.newPage({ title: 'Unlisted', body: '', cover_url: `/files/${id}` })
    await writer.put(`/profiles/${writer.profileId}/visibility`, { visibility: 'unlisted' })
    const { cover_url } = await jsonOf(page.path)
    expect(cover_url).toMatch(new RegExp(`/files/${id}\\?key=`))
    expect((await read(new URL(cover_url).pathname + new URL(cover_url).search)).statusCode).toBe(200)
    expect((await writer.putPage(page.id, { cover_url })).statusCode).toBe(200)
  })
})

describe('a paid page with a marked first line, image and file', () => {
  const MARK = /zzmark/i

  it('shows the mark on no other page, list, feed, preview, search or email', async () => {
    const writer = await createWriter(test.app, 'marked-writer')
    const follower = await signUp(test.app)
    await follower.post('/connections/u/marked-writer')
    const id = await sent(test.app, writer, await image('teal'), 'zzmark-file.png')
    await sellOnly(writer, ['content.paid', 'profile.files', 'files.*'])
    const body = `zzmark-line qqsecret is the first line.\n\n![zzmark-alt](/files/${id})\n\n# zzmark-heading`
    const page = await writer.newPage({ title: 'Paid', slug: 'paid', body })
    await writer.newPage({ title: 'Free', slug: 'free', body: 'Everyone may read this.' })
    await untilIndexed(test.app)
    const { paths } = (await read('/docs/openapi.json')).json()
    const values: Readonly<Record<string, string>> = {
      suffix: 'json',
      username: 'marked-writer',
      slug: 'marked-writer',
      prefix: 'u',
      did: encodeURIComponent('did:web:profiles.example:u:marked-writer'),
      path: 'u/marked-writer/content/paid',
      '*': 'paid',
    }
    const urls = new Set([
      '/search?q=qqsecret',
      '/search?q=paid',
      '/search/suggest?q=qqs',
      '/u/marked-writer/content/free',
      ...Object.keys(paths).flatMap((path) =>
        paths[path].get && path !== '/docs/openapi.json'
          ? [page.id, id, writer.profileId].map((each) =>
              path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? String(each)),
            )
          : [],
      ),
    ])
    const found: string[] = []
    const look = async (url: string, accept: string, headers = {}) => {
      const response = await read(url, { accept, ...headers })
      const text = `${JSON.stringify(response.headers)}\n${response.body}`
      const isShown = accept === 'text/html' && url.startsWith('/u/') && text.includes(`/files/${id}`)
      if (isShown || MARK.test(text)) found.push(`${accept} ${url}`)
    }
    for (const url of urls) {
      for (const accept of ['application/json', 'text/markdown', 'text/toon', 'text/html']) await look(url, accept)
      for (const accept of ['application/json', 'text/html']) await look(url, accept, follower.headers)
    }
    expect(found).toEqual([])
    expect(urls.size).toBeGreaterThan(100)
    expect(mailbox.mails.length).toBeGreaterThan(0)
    expect(mailbox.mails.filter((mail) => MARK.test(JSON.stringify(mail)))).toEqual([])
    expect((await writer.get(page.path)).body).toMatch(MARK)
  }, 300_000)
})
