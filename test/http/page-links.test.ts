import { afterAll, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createWriter } from '../support/content.ts'

const { app, close } = await createTestApp()
afterAll(close)
const ada = await createWriter(app)
const { username } = ada.account

const read = (path: string) => client(app).get(path, { accept: 'text/html' })
const htmlOf = async (path: string) => (await read(path)).body

it('leads from a page that needs an account to the sign-in page and back', async () => {
  const { statusCode, body } = await read('/feed/following?limit=3')
  expect(statusCode).toBe(401)
  expect(body).toContain('<a class="btn" href="/login?next=%2Ffeed%2Ffollowing%3Flimit%3D3">Sign in</a>')
})

it('does not offer to sign in on pages of other errors', async () => {
  for (const path of ['/u/unknown', '/nowhere']) expect(await htmlOf(path)).not.toContain('/login?next')
})

it('leads from a page to its author', async () => {
  const { path } = await ada.newPage({ title: 'Notes' })
  expect(await htmlOf(path)).toContain(`<a href="/u/${username}" rel="author"><bdi>${username}</bdi></a>`)
})

it('links web addresses in the texts of a profile, without the punctuation around them', async () => {
  const bio = 'See https://ada.example/a?b=1&c. <script>\n\nOr http://ada.example/, javascript:alert(1)'
  await ada.put(`/profiles/u/${username}`, { bio })
  const html = await htmlOf(`/u/${username}`)
  const rel = 'rel="nofollow ugc noopener noreferrer"'
  expect(html).toContain(
    `<p lang="">See <a href="https://ada.example/a?b=1&amp;c" ${rel}>https://ada.example/a?b=1&amp;c</a>. `,
  )
  expect(html).toContain(
    `<p lang="">Or <a href="http://ada.example/" ${rel}>http://ada.example/</a>, javascript:alert(1)</p>`,
  )
})

it('spells names and abbreviations as their owners do', async () => {
  const socials = { github: '@ada', linkedin: '@ada', mastodon: '@ada' }
  await ada.put(`/profiles/u/${username}`, { socials, custom_fields: { sku: '1', orcid: '2', other_id: '3' } })
  const html = await htmlOf(`/u/${username}`)
  const labels = [...html.matchAll(/<dt><bdi>([^<]*)<\/bdi><\/dt>/g)].map(([, label]) => label)
  expect(labels.toSorted()).toEqual(['GitHub', 'LinkedIn', 'Mastodon', 'ORCID', 'Other id', 'SKU'])
})

it('lists the sections of a document below its heading', async () => {
  const html = await htmlOf('/.well-known/eep/agent-guide.md')
  const [heading, list] = [html.indexOf('</h1>'), html.indexOf('class="sections"')]
  expect([heading > 0, list > heading, list - heading < 200]).toEqual([true, true, true])
  expect(html.match(/<h1/g)).toHaveLength(1)
})
