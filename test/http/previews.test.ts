import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'
import { field, fileOf, upload } from '../support/files.ts'

const MEBIBYTE = 1_048_576

describe('POST /manage/preview', async () => {
  const test = await createTestApp()
  afterAll(() => test.close())
  const [ada, bob] = [await createWriter(test.app), await createWriter(test.app)]
  const { profileId } = ada

  const preview = (body: object, by = ada) => by.post('/manage/preview', { profile_id: profileId, ...body })

  /** The text of a page as everyone gets it. */
  async function articleOf(path: string): Promise<string | undefined> {
    const { body } = await client(test.app).get(path, { accept: 'text/html' })
    return /<div class="prose"[^>]*>(.*?)<\/div>\n<div class="acts">/s.exec(body)?.[1]
  }

  it.each([
    [
      'a text with lists, tables and footnotes',
      'Looms',
      '# One\n\n- a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nx[^1]\n\n[^1]: y',
    ],
    ['a first heading that repeats the title', 'Looms', '# Looms\n\nAbout looms.'],
    [
      'markup and addresses of scripts',
      'Looms',
      '<script>alert(1)</script> [a](javascript:alert(1)) <img src=x onerror=alert(1)>',
    ],
    ['an empty text', 'Looms', ''],
    ['a text that is too long to be rendered', 'Looms', '*a* '.repeat(70_000)],
  ])('returns %s, byte by byte as the page has it', async (_what, title, body) => {
    const page = await ada.newPage({ title, body })
    const answer = await preview({ title, body })
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.json().html === (await articleOf(page.path))).toBe(true)
  })

  it('returns images with the sizes that the page gives them, also before a page shows them', async () => {
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const sent = await upload(test.app, [field('username', ada.account.username), fileOf(png, 'a.png')], ada.headers)
    const body = `![A](/files/${sent.json().id}) ![B](https://elsewhere.example/b.png) ![C](/files/999999)`
    const before = (await preview({ title: 'Pictures', body })).json().html
    expect(before).toContain(`<img src="/files/${sent.json().id}" width="60" height="40" alt="A"`)
    const page = await ada.newPage({ title: 'Pictures', body })
    expect(before).toBe(await articleOf(page.path))
  })

  it('gives no sizes of images of other profiles', async () => {
    const png = await sharp({ create: { width: 61, height: 41, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const sent = await upload(test.app, [field('username', bob.account.username), fileOf(png, 'b.png')], bob.headers)
    expect((await preview({ body: `![A](/files/${sent.json().id})` })).json().html).not.toContain('width=')
  })

  it('stores nothing', async () => {
    const { pagination } = await ada.getJson(`/manage/pages?profile_id=${profileId}`)
    await preview({ title: 'Unsaved', body: 'An unsaved text.' })
    expect((await ada.getJson(`/manage/pages?profile_id=${profileId}`)).pagination.total).toBe(pagination.total)
  })

  it.each([
    ['no profile', { profile_id: undefined, body: 'a' }, 400, 'validation_failed'],
    ['no text', {}, 400, 'validation_failed'],
    ['a number instead of a text', { body: 7 }, 400, 'validation_failed'],
    ['an unknown member', { body: 'a', page_id: 1 }, 400, 'validation_failed'],
    ['a text above one MiB', { body: 'a'.repeat(MEBIBYTE + 1) }, 400, 'validation_failed'],
    ['a request above two MiB', { body: 'a'.repeat(2 * MEBIBYTE) }, 413, 'payload_too_large'],
    ['a profile that does not exist', { profile_id: 999_999_999, body: 'a' }, 404, 'profile_not_found'],
  ])('refuses %s', async (_what, body, status, code) => {
    const answer = await preview(body)
    expect([answer.statusCode, codeOf(answer)]).toEqual([status, code])
  })

  it('is for the team of the profile, and for keys with the scope to write content', async () => {
    const others = await preview({ body: 'a' }, bob)
    expect([others.statusCode, codeOf(others)]).toEqual([403, 'not_profile_owner'])
    const anonymous = await client(test.app).post('/manage/preview', { profile_id: profileId, body: 'a' })
    expect(anonymous.statusCode).toBe(401)
    const withScope = async (scope: string) => {
      const { headers } = await newKey(test.app, ada.headers, { scopes: [scope] })
      return client(test.app).post('/manage/preview', { profile_id: profileId, body: 'a' }, headers)
    }
    expect((await withScope('read:content')).statusCode).toBe(403)
    expect((await withScope('write:content')).statusCode).toBe(200)
  })
})
