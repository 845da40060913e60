import { afterAll } from 'vitest'
import { newName, type Person, signUp } from './accounts.ts'
import { createTestApp, type TestApp } from './app.ts'
import { field, fileOf, PNG, upload } from './files.ts'

export const OTHER_URL = 'https://other.example'
export const OTHER_SECRET = 'another secret for tests, of thirty-two characters or more'

/** A service with an account, and another one that imports its exports. Both have a clock that is stopped at `at`. */
export async function openTwoServices() {
  const at = new Date()
  // Scores depend on the age of accounts.
  const clock = () => at
  const from = await createTestApp({ clock })
  const to = await createTestApp({ clock, publicUrl: OTHER_URL, secret: OTHER_SECRET })
  afterAll(async () => {
    await from.close()
    await to.close()
  })
  return { at, from, to, ada: await signUp(from.app, 'ada') }
}

/** Creates a profile with texts, files, a gate, sections, categories and pages of every status. */
export async function newFilledProfile(app: TestApp, ada: Person, type: string, prefix: string, typeData: object = {}) {
  const username = newName()
  const made = await ada.post('/profiles', { profile_type: type, username, type_data: typeData })
  if (made.statusCode !== 200) throw new Error(made.body)
  const { id } = (await ada.get(`/profiles/${prefix}/${username}`)).json()
  const fields = [field('username', username), field('profile_type', type)]
  const sent = await upload(app, [...fields, fileOf('Numbers.'), fileOf(PNG, 'dot.png')], ada.headers)
  if (sent.statusCode !== 200) throw new Error(sent.body)
  const [text, image] = sent.json().files
  await ada.put(`/profiles/${prefix}/${username}`, {
    full_name: 'The *Engine* <b>',
    bio: `A bio.\n\nSee https://profiles.example/${prefix}/${username}/content.`,
    avatar_url: image.url,
    cover_url: image.url,
    accent: '#c0ffee',
    skills: ['numbers', 'gears'],
    socials: { github: 'https://github.com/engine' },
    keywords: ['engine'],
    agent_instructions: 'Be brief.',
    agent_rules: 'Ask first.',
    custom_fields: { depth: { of: ['a', 1, null] } },
  })
  const top = (await ada.post('/manage/categories', { profile_id: id, name: 'Notes', icon: 'N' })).json()
  const sub = { profile_id: id, name: 'Private notes', parent_id: top.id, visibility: 'private' }
  const below = (await ada.post('/manage/categories', sub)).json()
  const page = (more: object) => ada.post('/manage/pages', { profile_id: id, status: 'published', ...more })
  const first = (
    await page({ title: 'First', body: `See [the file](/files/${text.id}) and <${text.url}>.`, category_id: top.id })
  ).json()
  await ada.put(`/manage/pages/${first.id}`, { excerpt: 'A second version.' })
  await page({ title: 'Top', body: '# Top\n\n| a | b |\n|---|---|\n| 1 | 2 |', cover_url: image.url })
  await page({ title: 'Draft', body: 'Not yet.', status: 'draft' })
  await page({ title: 'Hidden', body: 'Private.', category_id: below.id })
  const tiers = {
    public: { requirements: [], access: ['*'] },
    paid: {
      label: 'Paid',
      requirements: [{ type: 'payment', amount: 1, currency: 'usdc', per: 'day' }],
      access: [`files.f${text.id}`, 'content.top'],
    },
  }
  const did = `did:web:profiles.example:${prefix}:${username}`
  const gated = await ada.put(`/eep/gates/${did}`, { default_tier: 'public', tiers })
  if (gated.statusCode !== 200) throw new Error(gated.body)
  const sections = [
    { key: 'work', title: 'Work', body: `See <${text.url}>.`, position: 3 },
    { key: 'jobs', title: 'Jobs', body: 'Remote only', agent_types: ['recruiter'] },
    { key: 'salary', title: 'Salary', body: 'At least 90,000', visibility: 'team' },
  ]
  const stored = await ada.put(`/profiles/${id}/smart-sections`, { sections })
  if (stored.statusCode !== 200) throw new Error(stored.body)
  await ada.post('/manage/reorder', { kind: 'pages', profile_id: id, parent_id: top.id, ids: [first.id] })
  return { id, type, prefix, username, textId: text.id, page: `notes/${first.slug}` }
}

export type FilledProfile = Awaited<ReturnType<typeof newFilledProfile>>
