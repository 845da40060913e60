import { signUp } from './accounts.ts'
import type { TestApp } from './app.ts'
import { client } from './client.ts'
import { shopGate } from './shop.ts'

const GUIDE = `# How to read an engine

The *Analytical Engine* weaves algebraic patterns, just as the Jacquard loom weaves flowers and leaves. What follows is
a guide to its parts, for people who have never seen one and for those who [have](https://example.org/engines).

## The mill

The mill is where numbers are worked on. It has

- two ingress axes,
- an egress axis, and
- barrels with studs:
  1. the first for addition,
  2. the second for what remains.

> The engine has no pretensions whatever to *originate* anything. It can do whatever we know how to order it to perform.

### Carrying

\`\`\`text
V1 + V2 -> V3      a line that is much longer than a telephone is wide, so that it has to be scrolled sideways to be read
\`\`\`

## The store

| Column | Holds | Digits |
|:-------|:------|-------:|
| V1     | n     |     50 |
| V2     | 2n    |     50 |
| V24    | the result of everything that was ever asked for, written out at great length | 50 |

- [x] columns
- [ ] a printer

## Notes

Bernoulli's numbers are worked out in Note G.[^g] A_very_long_word_without_any_place_to_break_it_that_goes_on_and_on_and_on_and_on.

[^g]: Taylor's Scientific Memoirs, 1843.
`

const send = async (
  app: TestApp,
  headers: Record<string, string>,
  method: 'POST' | 'PUT',
  url: string,
  payload: object,
) => {
  const response = await client(app).send(method, url, payload, headers)
  if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${response.body}`)
  return response.json()
}

/** A person who filled in everything, with a tree of pages, one of them for sale. */
export async function openLibrary(app: TestApp, name = 'ada') {
  const { headers, account } = await signUp(app, name)
  const profileId = account.active_profile_id
  await send(app, headers, 'PUT', `/profiles/u/${name}`, {
    full_name: 'Ada Lovelace',
    bio: 'Mathematician, and the first to see that an engine can do more than numbers.\n\nWrites notes that are longer than what they annotate.',
    type_data: {
      headline: 'Analyst and metaphysician',
      location: 'London',
      languages: ['en', 'fr', 'it'],
      availability: 'by letter',
    },
    skills: ['Analysis', 'Translation', 'Bernoulli numbers', 'Programming before there were programs'],
    socials: { website: 'https://ada.example/', mastodon: '@ada@scholars.example' },
    keywords: ['engines', 'poetical science'],
    capabilities: ['contactable', 'hireable'],
    agent_instructions: 'Quote Note G by its paragraph.\nAsk before you translate.',
    agent_rules: 'No more than one letter a day.',
    custom_fields: { title: 'Countess of Lovelace', born: 1815 },
  })
  const category = await send(app, headers, 'POST', '/manage/categories', {
    profile_id: profileId,
    name: 'Notes',
    description: 'Longer than the paper itself.',
    icon: '📓',
  })
  const inner = await send(app, headers, 'POST', '/manage/categories', {
    profile_id: profileId,
    name: 'Letters',
    parent_id: category.id,
  })
  const page = (title: string, more: object) =>
    send(app, headers, 'POST', '/manage/pages', { profile_id: profileId, title, status: 'published', ...more })
  await page('How to read an engine', { body: GUIDE, excerpt: 'Its mill, its store, and what they are for.' })
  await page('Note G', {
    category_id: category.id,
    body: 'Paid reading.',
    excerpt: 'On Bernoulli numbers, and how an engine works them out without a human hand or head.',
  })
  await page('To Babbage', { category_id: inner.id, body: 'Dear Mr Babbage', excerpt: 'About errors in the proofs.' })
  const gate = shopGate({ amount: 0.25, per: 'month' })
  const did = `did:web:${encodeURIComponent(new URL(app.eep.publicUrl).host)}:u:${name}`
  await send(app, headers, 'PUT', `/eep/gates/${did.replaceAll('%', '%25')}`, gate)
  return {
    did,
    profileId,
    headers,
    profile: `/u/${name}`,
    contents: `/u/${name}/content`,
    page: `/u/${name}/content/how-to-read-an-engine`,
    gated: `/u/${name}/content/notes/note-g`,
  }
}
