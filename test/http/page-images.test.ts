import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { field, fileOf, upload } from '../support/files.ts'

const image = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } })

describe('images of the pages of a profile', async () => {
  const test = await createTestApp()
  afterAll(() => test.close())
  const ada = await createWriter(test.app)
  const { username } = ada.account

  async function sent(content: string | Buffer, filename: string): Promise<number> {
    const answer = await upload(test.app, [field('username', username), fileOf(content, filename)], ada.headers)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().id
  }
  const htmlOf = async (path: string, language = 'en') =>
    (await client(test.app).get(path, { accept: 'text/html', 'accept-language': language })).body

  it('have their width and height, upright, so that text does not move when they load', async () => {
    const wide = await sent(await image(60, 40).png().toBuffer(), 'wide.png')
    const turned = await sent(await image(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer(), 'turned.jpg')
    const body = `![A](/files/${wide})\n\n![B](https://profiles.example/files/${turned})`
    const page = await ada.newPage({ title: 'Pictures', body })
    const html = await htmlOf(page.path)
    expect(html).toContain(`<img src="/files/${wide}" width="60" height="40" alt="A"`)
    expect(html).toContain(`<img src="/files/${turned}" width="40" height="60" alt="B"`)
  })

  it('are shown without width and height when these are unknown', async () => {
    const page = await ada.newPage({ title: 'Gone', body: '![A](/files/999999)' })
    expect(await htmlOf(page.path)).toContain('<img src="/files/999999" alt="A"')
  })

  it('are not listed as files of the profile, like its portrait, while other formats have all files', async () => {
    const shown = await sent(await image(20, 10).png().toBuffer(), 'shown.png')
    const portrait = await sent(await image(20, 20).png().toBuffer(), 'portrait.png')
    const single = await sent(await image(20, 30).png().toBuffer(), 'single.png')
    const linked = await sent('# Notes', 'linked.md')
    await ada.newPage({ title: 'With', body: `![A](/files/${shown}) and [notes](/files/${linked})` })
    await ada.put(`/profiles/u/${username}`, { avatar_url: `https://profiles.example/files/${portrait}` })
    const html = await htmlOf(`/u/${username}`)
    const listed = ['shown.png', 'portrait.png', 'single.png', 'linked.md'].filter((name) =>
      html.includes(`>${name}</bdi></a>`),
    )
    expect(listed).toEqual(['single.png', 'linked.md'])
    const { files } = (await client(test.app).get(`/u/${username}?format=json`)).json()
    expect(files.map(({ id }: { readonly id: number }) => id)).toEqual(
      expect.arrayContaining([shown, portrait, single, linked]),
    )
  })

  it('are listed again as files when no published page shows them', async () => {
    const shown = await sent(await image(20, 10).png().toBuffer(), 'archived.png')
    const page = await ada.newPage({ title: 'Archived', body: `![A](/files/${shown})` })
    expect(await htmlOf(`/u/${username}`)).not.toContain('archived.png')
    await ada.putPage(page.id, { status: 'archived' })
    expect(await htmlOf(`/u/${username}`)).toContain('archived.png')
  })

  it.each([
    ['a definition', '![A][x]\n\n[x]: URL'],
    ['a space', '![A]( URL )'],
    ['angle brackets', '![A](<URL>)'],
  ])('are not listed as files of the profile when a page shows them by %s', async (name, body) => {
    const filename = `${name.replaceAll(' ', '-')}.png`
    const shown = await sent(await image(20, 10).png().toBuffer(), filename)
    const page = await ada.newPage({ title: `With ${name}`, body: body.replace('URL', `/files/${shown}`) })
    expect(await htmlOf(page.path)).toContain(`<img src="/files/${shown}" width="20" height="10" alt="A"`)
    expect(await htmlOf(`/u/${username}`)).not.toContain(filename)
  })

  it('lists files with types and sizes for people, in their language', async () => {
    const writer = await createWriter(test.app)
    const { username: name } = writer.account
    for (const part of [
      fileOf('x'.repeat(23)),
      fileOf('a,b\n'.repeat(700), 'table.csv'),
      fileOf(Buffer.alloc(9, 1), 'data'),
    ])
      await upload(test.app, [field('username', name), part], writer.headers)
    const textsOf = async (language: string) =>
      [...(await htmlOf(`/u/${name}`, language)).matchAll(/<small>([^<]*)<\/small>/g)].map(([, text]) => text)
    expect(await textsOf('en')).toEqual(['File · 9 bytes', 'CSV · 2.8 kB', 'Text · 23 bytes'])
    expect(await textsOf('de')).toEqual(['Datei · 9 Byte', 'CSV · 2,8 kB', 'Text · 23 Byte'])
  })
})
