import { decode } from '@toon-format/toon'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter, readMarkdown } from '../support/content.ts'

const { app, close } = await createTestApp()
afterAll(close)

const { get } = client(app)
const json = async (url: string) => (await get(url, { accept: 'application/json' })).json()
const titlesIn = (entries: readonly { title: string }[]) => entries.map(({ title }) => title)

describe('a table of contents', () => {
  it('lists pages and categories in order, starting at any category', async () => {
    const writer = await createWriter(app, 'librarian')
    const shelf = await writer.newCategory({ name: 'Shelf', description: 'Of books' })
    const box = await writer.newCategory({ name: 'Box', parent_id: shelf.id })
    await writer.newPage({ title: 'Second', position: 2 })
    await writer.newPage({ title: 'First', position: 1, excerpt: 'To begin' })
    await writer.newPage({ title: 'On the shelf', category_id: shelf.id })
    await writer.newPage({ title: 'In the box', category_id: box.id })

    const whole = await json(writer.contents)
    expect(whole).toMatchObject({
      path: '/u/librarian/content',
      url: `${PUBLIC_URL}/u/librarian/content`,
      profile: { did: 'did:web:profiles.example:u:librarian' },
      pages: [{ title: 'First', slug: 'first', excerpt: 'To begin', gated: false, price: null }, { title: 'Second' }],
      categories: [
        {
          name: 'Shelf',
          description: 'Of books',
          pages: [{ title: 'On the shelf', path: `${shelf.path}/on-the-shelf` }],
          categories: [{ name: 'Box', pages: [{ title: 'In the box' }], categories: [] }],
        },
      ],
      pagination: { total: 4, has_more: false },
    })
    expect(JSON.stringify(whole)).not.toContain('"body"')
    expect(await json(shelf.path)).toMatchObject({
      title: 'Contents of Shelf',
      description: 'Of books',
      pages: [{ title: 'On the shelf' }],
      categories: [{ name: 'Box' }],
      pagination: { total: 2 },
    })
    expect(decode((await get(writer.contents, { accept: 'text/toon' })).body)).toEqual(whole)

    const { head, body } = readMarkdown((await get(writer.contents)).body)
    expect(head).toMatchObject({ title: 'Contents of librarian', total: 4 })
    expect(whole.title).toBe('Contents of librarian')
    expect(body).toContain(`- [First](<${PUBLIC_URL}/u/librarian/content/first>): To begin\n`)
    expect(body).toContain(`    - [In the box](<${PUBLIC_URL}${box.path}/in-the-box>)\n`)
  })

  it('lists the table of contents in pages', async () => {
    const writer = await createWriter(app)
    for (const title of ['One', 'Two', 'Three']) await writer.newPage({ title })
    const titles: string[] = []
    for (let cursor = ''; ; ) {
      const { pages, pagination } = await json(`${writer.contents}?limit=2${cursor}`)
      titles.push(...titlesIn(pages))
      expect(pagination.total).toBe(3)
      if (!pagination.has_more) break
      cursor = `&cursor=${pagination.next_cursor}`
    }
    expect(titles).toEqual(['One', 'Two', 'Three'])
    const first = await get(`${writer.contents}?limit=2`)
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(String(first.headers.link)) ?? []
    expect(titlesIn((await json(next)).pages)).toEqual(['Three'])
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'cursor=x', 'format=xml']) {
      expect((await get(`${writer.contents}?${query}`)).statusCode).toBe(400)
    }
  })

  it('does not let names, descriptions or excerpts inject links or lines', async () => {
    const writer = await createWriter(app)
    const forged = '](https://evil.example) [x\n- [y](https://evil.example)\n# Forged'
    await writer.newCategory({ name: '[Shop](https://evil.example)', description: forged })
    await writer.newPage({ title: '`](https://evil.example)', excerpt: forged })
    const { body } = readMarkdown((await get(writer.contents)).body)
    expect(body).not.toMatch(/[^\\]\]\((?!<https:\/\/profiles\.example)/)
    expect(body).not.toMatch(/^# Forged/m)
    expect(body.split('\n').filter((line) => line.trim().startsWith('- '))).toHaveLength(2)
  })

  it('serves a table of contents for a profile without content, and 404 for an unknown profile', async () => {
    const writer = await createWriter(app)
    expect(await json(writer.contents)).toMatchObject({ pages: [], categories: [], pagination: { total: 0 } })
    expect(codeOf(await get('/u/unknown-name/content'))).toBe('profile_not_found')
    expect(codeOf(await get('/u/unknown-name/content/page'))).toBe('profile_not_found')
    expect(codeOf(await get(`${writer.contents}/page`))).toBe('page_not_found')
  })
})
