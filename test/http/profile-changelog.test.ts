import { decode } from '@toon-format/toon'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { openProfiles } from '../support/profiles.ts'
import { soon } from '../support/wait.ts'

type Fields = Readonly<Record<string, unknown>>

const { ada, get, json, organization, probe, put } = await openProfiles()

describe('the changelog', () => {
  const changelog = async (path: string, query = '') => (await get(`${path}/changelog?format=json${query}`)).json()

  /** An organization with four events, three of them public. */
  async function changed() {
    const path = await organization()
    await put(path, { bio: 'One.' })
    await put(path, { email: 'secret@example.com' })
    await put(path, { skills: ['x'], keywords: ['y'], email: null })
    return path
  }

  it('lists the public changes newest first, in pages and in either order', async () => {
    const path = await changed()
    const whole = await changelog(path)
    expect(whole.data.map(({ type, fields }: Fields) => [type, fields])).toEqual([
      ['profiles.profile_updated', ['skills', 'keywords']],
      ['profiles.profile_updated', ['bio']],
      ['profiles.profile_created', undefined],
    ])
    expect(whole.pagination).toEqual({ total: 3, has_more: false })
    expect((await changelog(path, '&order=asc')).data).toEqual(whole.data.toReversed())
    for (const [order, expected] of [
      ['', whole.data],
      ['&order=asc', whole.data.toReversed()],
    ]) {
      const seen: unknown[] = []
      for (let cursor = ''; ; ) {
        const { data, pagination } = await changelog(path, `&limit=1${order}${cursor}`)
        expect(pagination.total).toBe(3)
        seen.push(...data)
        if (!pagination.has_more) break
        cursor = `&cursor=${pagination.next_cursor}`
      }
      expect(seen).toEqual(expected)
    }
    expect((await get(`${path}/changelog`)).body).toContain('Profile updated: bio')
    expect(decode((await get(`${path}/changelog?format=toon`)).body)).toEqual(await json(`${path}/changelog`))
  })

  it('lists changes made during pagination once, and keeps the position of earlier ones', async () => {
    const path = await changed()
    const first = await changelog(path, '&limit=2')
    await put(path, { bio: 'Two.' })
    const rest = await changelog(path, `&limit=2&cursor=${first.pagination.next_cursor}`)
    expect(rest.data.map(({ type }: Fields) => type)).toEqual(['profiles.profile_created'])
    const { headers } = await get(`${path}/changelog?format=json&limit=1&since=2020-01-01T00:00:00Z`)
    const next = /<([^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    expect(next).toContain('since=')
    expect((await get(`${next}&format=json`)).json().data[0].fields).toEqual(['skills', 'keywords'])
  })

  it('continues after a change or a time', async () => {
    const path = await changed()
    const [last, , first] = (await changelog(path)).data
    expect(await changelog(path, `&since=${last.id}`)).toEqual({ data: [], pagination: { total: 0, has_more: false } })
    const later = await changelog(path, `&since=${first.id}&order=asc`)
    expect(later.data.map(({ fields }: Fields) => fields)).toEqual([['bio'], ['skills', 'keywords']])
    await put(path, { bio: 'Two.' })
    expect((await changelog(path, `&since=${last.id}`)).data.map(({ fields }: Fields) => fields)).toEqual([['bio']])
    expect((await changelog(path, '&since=2020-01-01T00:00:00Z')).pagination.total).toBe(4)
    expect((await changelog(path, '&since=2999-01-01T00:00:00%2B02:00')).pagination.total).toBe(0)
    const unknown = await get(`${path}/changelog?since=00000000-0000-4000-8000-000000000000`)
    expect([unknown.statusCode, codeOf(unknown)]).toEqual([410, 'changelog_expired'])
  })

  it('accepts a cursor only in its own order', async () => {
    const path = await changed()
    const { pagination } = await changelog(path, '&limit=1')
    const answer = await get(`${path}/changelog?order=asc&cursor=${pagination.next_cursor}`)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_cursor'])
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=',
    'cursor=nonsense',
    'format=xml',
    'order=up',
    'since=yesterday',
  ])('refuses %s', async (query) => {
    expect((await get(`/u/ada/changelog?${query}`)).statusCode).toBe(400)
  })

  it.each(['[1.5]', '[1e20]', '[1e400]'])('refuses a forged cursor of %s', async (key) => {
    const answer = await get(`/u/ada/changelog?cursor=${Buffer.from(key).toString('base64url')}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('invalid_cursor')
  })
})

describe('the document', () => {
  it('reuses the cached document until the profile changes', async () => {
    const path = await organization()
    const document = async () => (await probe.services.profiles?.getDocument('organization', path.slice(3)))?.document
    // What this instance wrote comes back through the log a moment later and empties the cache once more.
    const settled = () => soon(async () => expect(await document()).toBe(await document()))
    await settled()
    const first = await document()
    await put(path, { bio: 'New.' })
    expect(await document()).not.toBe(first)
    await settled()
  })

  it('lists the public pages of a profile with their requirements, as they change', async () => {
    const path = await organization()
    const { id: profile_id, did } = await json(path)
    const manage = async (method: 'POST' | 'PUT', url: string, payload: Fields) => {
      const response = await ada.send(method, url, payload)
      expect(response.statusCode, response.body).toBeLessThan(300)
      return response.json()
    }
    const page = { profile_id, title: 'On # engines', body: 'Text.' }
    const open = await manage('POST', '/manage/pages', { ...page, slug: 'open', status: 'draft' })
    const hidden = await manage('POST', '/manage/categories', { profile_id, name: 'Hidden', visibility: 'private' })
    await manage('POST', '/manage/pages', {
      ...page,
      title: 'Secret plan',
      category_id: hidden.id,
      status: 'published',
    })
    expect((await get(path)).body).not.toContain('## Contents')
    const before = (await get(`${path}/freshness.json`)).json()

    await manage('PUT', `/manage/pages/${open.id}`, { status: 'published' })
    expect((await get(path)).body).toContain(`## Contents\n\n- [On # engines](<${PUBLIC_URL}${path}/content/open>)\n`)
    const after = (await get(`${path}/freshness.json`)).json()
    expect(after.revision).not.toBe(before.revision)
    expect(after.content_updated_at).not.toBeNull()
    const saved = (await json(`${path}/changelog`)).data.filter(({ type }: Fields) => type === 'content.page_saved')
    expect(saved.map((change: Fields) => change.page)).toEqual([
      { id: open.id, title: 'On # engines', url: `${PUBLIC_URL}${path}/content/open` },
    ])

    await manage('PUT', `/eep/gates/${encodeURIComponent(did)}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        member: {
          label: 'Member',
          requirements: [{ type: 'payment', amount: 0.5, currency: 'usdc', per: 'once' }],
          access: ['content.*'],
        },
      },
    })
    expect((await get(path)).body).toContain('- Member: 0.5 USDC once; opens `content.*`')
    expect((await json(path)).eep).toMatchObject({ gated: true, gates_url: expect.stringContaining('/eep/gates/') })

    await manage('PUT', `/manage/pages/${open.id}`, { status: 'archived' })
    expect((await get(path)).body).not.toContain('## Contents')
    expect((await get(`${path}/changelog`)).body).not.toContain('engines')
    for (const sibling of ['', '/changelog', '/freshness'])
      expect((await get(path + sibling)).body).not.toContain('Secret plan')
  })
})
