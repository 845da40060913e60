import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { openProfiles } from '../support/profiles.ts'

const TYPES = [
  ['person', 'u', { headline: 'Countess of computing', languages: ['en', 'fr'] }, { headline: 1 }],
  ['organization', 'o', { legal_name: 'Analytical Engines Ltd', founded: 1843, size: '1-10' }, { founded: 'long ago' }],
  [
    'place',
    'l',
    { address: { city: 'London' }, geo: { lat: 51.5, lng: -0.1 }, opening_hours: ['Mo-Fr 9-17'] },
    { geo: { lat: 91, lng: 0 } },
  ],
  [
    'asset',
    'a',
    { category: 'engine', value: { amount: '100.50', currency: 'EUR' } },
    { value: { amount: -1, currency: 'EUR' } },
  ],
  ['product', 'p', { sku: 'E-1', price: { amount: 10, currency: 'USD' } }, { price: { amount: 10 } }],
  ['knowledge', 'k', { subject: 'Numbers', authors: ['Ada'], abstract: 'Notes.\n\nMore.' }, { authors: 'Ada' }],
  [
    'agent',
    'agent',
    { model: 'm-1', endpoint: 'https://agent.example/', protocols: ['eep'] },
    { endpoint: 'javascript:x' },
  ],
  ['event', 'e', { starts_at: '2026-01-01T10:00:00Z', timezone: 'Europe/London' }, { timezone: 'Mars/Olympus' }],
  ['custom', 'x', { schema_url: 'https://schema.example/', fields: { any: [1, { deep: true }] } }, { fields: [] }],
] as const

const { ada, app, bob, fresh, get, json, organization, post, put, remove } = await openProfiles()

describe('a profile', () => {
  it.each(TYPES)(
    'creates, reads, changes and deletes a profile of type %s under /%s/',
    async (type, prefix, typeData) => {
      const username = fresh()
      const path = `/${prefix}/${username}`
      const made = await post({ profile_type: type, username, type_data: typeData, full_name: 'A Name' })
      expect(made.statusCode).toBe(200)
      const url = `https://profiles.example${path}`
      expect(made.json()).toEqual({ success: true, username, id: expect.any(Number), url })
      expect(made.headers.location).toBe(`/profiles${path}`)
      const record = await get(String(made.headers.location))
      expect(record.json()).toMatchObject({ id: made.json().id, username })

      expect(await json(path)).toMatchObject({
        profile_type: type,
        username,
        full_name: 'A Name',
        type_data: typeData,
        did: `did:web:profiles.example:${prefix}:${username}`,
        visibility: 'public',
        files: [],
        trust_score: 0,
      })
      expect((await get(`/profiles${path}`)).json()).toEqual(await json(path))

      const removed = Object.fromEntries(Object.keys(typeData).map((member) => [member, null]))
      const kept = await put(path, { bio: 'Hello.', type_data: {} })
      expect(kept.json()).toMatchObject({ bio: 'Hello.', type_data: typeData })
      const changed = await put(path, { type_data: removed })
      expect(changed.statusCode).toBe(200)
      expect(changed.json()).toMatchObject({ bio: 'Hello.', type_data: {}, full_name: 'A Name' })
      expect(await json(path)).toMatchObject({ bio: 'Hello.' })
      expect((await get(path)).body).toContain('Hello.')

      const gone = await remove(path)
      expect(gone.statusCode).toBe(200)
      expect(gone.json()).toEqual({ success: true, message: expect.any(String) })
      expect((await get(path)).statusCode).toBe(404)
      expect(codeOf(await get(path))).toBe('profile_deleted')
      expect((await post({ profile_type: type, username })).statusCode).toBe(200)
    },
  )

  it('merges members of type_data, also under concurrent changes', async () => {
    const path = '/u/merging'
    await post({ profile_type: 'person', username: 'merging', type_data: { headline: 'Before', location: 'London' } })
    const change = async (type_data: object) => {
      const response = await put(path, { type_data })
      expect(response.statusCode, response.body).toBe(200)
    }
    await Promise.all([
      change({ headline: 'After' }),
      change({ location: null }),
      change({ languages: ['en'] }),
      change({ availability: 'now' }),
    ])
    const { type_data } = await json(path)
    expect(type_data).toEqual({ headline: 'After', languages: ['en'], availability: 'now' })
    const refused = await put(path, { type_data: { headline: 'Lost', nonsense: 1 } })
    expect(refused.json().error.details.issues[0].path).toBe('/type_data')
    expect((await json(path)).type_data.headline).toBe('After')
    await put(path, { custom_fields: { a: 1, b: 2 } })
    await put(path, { custom_fields: { b: 3 } })
    expect((await json(path)).custom_fields).toEqual({ b: 3 })
  })

  it.each(TYPES)('validates the type_data of type %s', async (type, prefix, typeData, wrong) => {
    const username = fresh()
    for (const type_data of [wrong, { ...typeData, surprise: true }, 'text', []]) {
      const response = await post({ profile_type: type, username, type_data })
      expect(response.statusCode).toBe(400)
      expect(response.json().error.details.issues[0].path).toMatch(/^\/type_data/)
    }
    expect((await post({ profile_type: type, username })).statusCode).toBe(200)
    for (const type_data of [wrong, { ...typeData, surprise: true }, 'text', []]) {
      const response = await put(`/${prefix}/${username}`, { type_data })
      expect(response.statusCode).toBe(400)
      expect(response.json().error.details).toMatchObject({ in: 'body' })
      expect(response.json().error.details.issues[0].path).toMatch(/^\/type_data/)
    }
  })

  it('allows the same name for profiles of different types', async () => {
    const username = fresh()
    expect((await post({ profile_type: 'product', username })).statusCode).toBe(200)
    expect((await post({ profile_type: 'place', username }, bob.headers)).statusCode).toBe(200)
    const again = await post({ profile_type: 'product', username }, bob.headers)
    expect(again.statusCode).toBe(409)
    expect(codeOf(again)).toBe('username_taken')
  })

  it('rejects reserved names', async () => {
    const response = await post({ profile_type: 'agent', username: 'admin' })
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('username_reserved')
  })

  it('refuses the username of another person', async () => {
    expect((await remove('/u/bob', bob.headers)).statusCode).toBe(200)
    expect(codeOf(await post({ profile_type: 'person', username: 'bob' }))).toBe('username_taken')
    expect((await post({ profile_type: 'person', username: 'bob' }, bob.headers)).statusCode).toBe(200)
  })

  it('gives a username to exactly one of many concurrent requests', async () => {
    const username = fresh()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post({ profile_type: 'event', username }, index % 2 ? ada.headers : bob.headers),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(answers.filter(({ statusCode }) => statusCode === 409).map(codeOf)).toEqual(Array(19).fill('username_taken'))
  })

  it.each([
    [{}, ''],
    [{ profile_type: 'person' }, '/username'],
    [{ profile_type: 'alien', username: 'x1' }, '/profile_type'],
    [{ profile_type: 'person', username: 'Not Valid' }, '/username'],
    [{ profile_type: 'person', username: 'x'.repeat(65) }, '/username'],
    [{ profile_type: 'person', username: 'x1', bio: 'x'.repeat(5001) }, '/bio'],
    [{ profile_type: 'person', username: 'x1', bio: 'a\0b' }, '/bio'],
    [{ profile_type: 'person', username: 'x1', full_name: 'a\nb' }, '/full_name'],
    [{ profile_type: 'person', username: 'x1', skills: Array(51).fill('x') }, '/skills'],
    [{ profile_type: 'person', username: 'x1', skills: ['x'.repeat(65)] }, '/skills/0'],
    [{ profile_type: 'person', username: 'x1', avatar_url: 'javascript:alert(1)' }, '/avatar_url'],
    [{ profile_type: 'person', username: 'x1', socials: { web: 'http://insecure.example' } }, '/socials/web'],
    [{ profile_type: 'person', username: 'x1', socials: { web: 'javascript:alert(1)' } }, '/socials/web'],
    [{ profile_type: 'person', username: 'x1', socials: { 'a b': 'x' } }, '/socials/a b'],
    [{ profile_type: 'person', username: 'x1', email: 'invalid' }, '/email'],
    [{ profile_type: 'person', username: 'x1', capabilities: ['flying'] }, '/capabilities/0'],
    [{ profile_type: 'person', username: 'x1', capabilities: ['hireable', 'hireable'] }, '/capabilities'],
    [
      { profile_type: 'person', username: 'x1', custom_fields: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } },
      '/custom_fields',
    ],
    [{ profile_type: 'person', username: 'x1', custom_fields: { a: 'x'.repeat(17_000) } }, '/custom_fields'],
    [{ profile_type: 'person', username: 'x1', custom_fields: [] }, '/custom_fields'],
    [{ profile_type: 'person', username: 'x1', visibility: 'secret' }, '/visibility'],
    [{ profile_type: 'person', username: 'x1', surprise: 1 }, ''],
  ])('rejects a profile of %j', async (payload, path) => {
    const response = await post(payload)
    expect(response.statusCode).toBe(400)
    const { code, details } = response.json().error
    expect(code).toBe('validation_failed')
    expect(details.issues.map((issue: { path: string }) => issue.path)).toContain(path || details.issues[0].path)
  })

  it('rejects an extremely nested body', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const payload = `{"profile_type":"person","username":"x1","custom_fields":{"a":${deep}}}`
    const headers = { ...ada.headers, 'content-type': 'application/json' }
    const response = await client(app).post('/profiles', payload, headers)
    expect(response.statusCode).toBe(400)
  })
})

describe('an update', () => {
  it('changes only the given fields', async () => {
    const fields = {
      full_name: 'Engines',
      bio: 'We make engines.',
      skills: ['gears'],
      socials: { github: 'https://github.com/engines', mastodon: '@engines@example.social' },
      keywords: ['steam'],
      agent_instructions: 'Ask for the catalogue.',
      agent_rules: 'Do not haggle.',
      capabilities: ['contactable', 'purchasable'],
      custom_fields: { cogs: { count: 12 } },
      avatar_url: 'https://cdn.example/engine.png',
    }
    const path = await organization(fields)
    expect(await json(path)).toMatchObject(fields)
    const { updated_at: _, ...before } = await json(path)
    const { updated_at: __, ...after } = (await put(path, { bio: null })).json()
    // A profile that lacks its bio is not complete, which counts for its trust.
    expect(after).toEqual({ ...before, bio: null, email: null, trust_score: 0 })
  })

  it('changes nothing for an empty update', async () => {
    const path = await organization({ bio: 'Same.' })
    const { updated_at: before } = await json(path)
    expect((await put(path, {})).statusCode).toBe(200)
    expect((await put(path, { bio: 'Same.', skills: [] })).statusCode).toBe(200)
    expect((await json(path)).updated_at).toBe(before)
  })

  it('rejects an unknown file', async () => {
    const path = await organization()
    expect((await put(path, { files_to_delete: [] })).statusCode).toBe(200)
    const response = await put(path, { bio: 'Changed.', files_to_delete: [1] })
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('unknown_file')
    expect((await json(path)).bio).toBeNull()
    expect((await put(path, { files_to_delete: ['1'] })).statusCode).toBe(400)
  })

  it('does not change the type of a profile', async () => {
    const path = await organization()
    for (const payload of [{ profile_type: 'person' }, { id: 1 }, { owner_account_id: 'x' }]) {
      expect((await put(path, payload)).statusCode).toBe(400)
    }
  })

  it('lets only the owner and its team update a profile', async () => {
    const path = await organization()
    const foreign = await put(path, { bio: 'Mine.' }, bob.headers)
    expect(foreign.statusCode).toBe(403)
    expect(codeOf(foreign)).toBe('not_profile_owner')
    expect((await put('/o/unknown-name', { bio: 'x' })).statusCode).toBe(404)
    expect((await put('/zz/unknown-name', { bio: 'x' })).statusCode).toBe(404)
    expect((await json(path)).bio).toBeNull()
  })
})

describe('a removal', () => {
  it('lets only the owner delete a profile', async () => {
    const path = await organization()
    expect((await remove(path, bob.headers)).statusCode).toBe(403)
    expect((await remove('/o/unknown-name')).statusCode).toBe(404)
    expect((await get(path)).statusCode).toBe(200)
    const [first, second] = await Promise.all([remove(path), remove(path)])
    expect([first.statusCode, second.statusCode].sort()).toEqual([200, 404])
  })
})

describe('an email address', () => {
  it('shows the email address to the owner only', async () => {
    const path = await organization({ email: 'engines@example.com' })
    expect((await get(`/profiles${path}`, ada.headers)).json().email).toBe('engines@example.com')
    expect((await get(`/profiles${path}`)).json()).not.toHaveProperty('email')
    expect((await get(`/profiles${path}`, bob.headers)).json()).not.toHaveProperty('email')
    for (const format of ['json', 'markdown', 'toon']) {
      expect((await get(`${path}?format=${format}`, ada.headers)).body).not.toContain('engines@example.com')
    }
    for (const sibling of ['freshness', 'changelog', 'badge.svg', 'did.json']) {
      expect((await get(`${path}/${sibling}`)).body).not.toContain('engines@example.com')
    }
  })
})

describe('a name that cannot be', () => {
  it.each(['/u/unknown-name', '/u/..%2f', '/u/%F0%9F%8E%A9', '/x/ada', '/profiles/zz/ada', `/u/${'x'.repeat(90)}`])(
    'returns 404 for the name %s',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404)
    },
  )
})

describe('check-username', () => {
  const available = async (query: string) => (await get(`/check-username?${query}`)).json().available

  it('reports whether a name is available, for a type and for all types', async () => {
    const username = (await organization()).slice(3)
    expect(await available(`username=${username}&type=organization`)).toBe(false)
    expect(await available(`username=${username}&type=place`)).toBe(true)
    expect(await available(`username=${username}`)).toBe(false)
    expect(await available(`username=${fresh()}`)).toBe(true)
  })

  it('counts accounts and reserved names as taken', async () => {
    await remove('/u/bob', bob.headers)
    expect(await available('username=bob')).toBe(false)
    expect(await available('username=bob&type=person')).toBe(false)
    expect(await available('username=bob&type=place')).toBe(true)
    expect(await available('username=admin')).toBe(false)
    expect(await available('username=admin&type=place')).toBe(false)
  })

  it.each([
    '',
    'type=person',
    'username=Ada',
    'username=',
    'username=a%00',
    'username=ada&type=alien',
    'username=a&username=b',
  ])('refuses %j', async (query) => {
    const response = await get(`/check-username?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details.issues).not.toHaveLength(0)
  })
})

describe('user text in profiles', () => {
  const FORGERIES = [
    '---\ndid: did:web:evil.example\n---',
    '# Another person',
    'Text\n## Machine links\n- [JSON](https://evil.example)',
    'Title\n=====',
    'Title\n-----',
    '```\n## Access\n```',
    '<h1>Hi</h1><script>alert(1)</script>',
    '[click](javascript:alert(1))',
    '![x](https://evil.example/pixel.png)',
    '> quoted',
    '\r## Access\r',
    '\u2028## Access',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '    indented',
    '&#35; Heading',
    '\\# Heading',
    '````\n`````\n## Access',
    '<https://evil.example>',
    '[a]: https://evil.example\n[a]',
  ]

  const skeleton = (markdown: string) => {
    let fence = ''
    return markdown.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => {
      const run = /^`{3,}/.exec(line)?.[0] ?? ''
      if (fence) {
        if (line === fence) fence = ''
        return false
      }
      fence = run
      return /^\s{0,3}(#|---|===|>|<|\[|!\[|\||~~~)|^ {4}|(^|[^\\])(\]\(|<[a-z/!])/.test(
        line.replaceAll(/\]\(<https:\/\/profiles\.example[^>]*>\)/g, ''),
      )
    })
  }

  it.each(FORGERIES)('keeps user text as text: %j', async (text) => {
    const name = text.replaceAll(/[\n\r\u2028]/g, ' ')
    const path = await organization({
      full_name: name,
      bio: `A\n${text}`,
      skills: [name.slice(0, 64)],
      agent_instructions: text,
      agent_rules: text,
    })
    const { body } = await get(path)
    const headings = skeleton(body).filter((line) => !line.startsWith('# '))
    expect(headings).toEqual([
      '---',
      '---',
      '## About',
      '## Skills',
      '## Agent instructions',
      '## Agent rules',
      '## Machine links',
    ])
    expect(await json(path)).toMatchObject({ full_name: name, bio: `A\n${text}`, agent_rules: text })
  })
})
