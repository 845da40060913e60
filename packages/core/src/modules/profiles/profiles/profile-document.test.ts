import { decode, encode } from '@toon-format/toon'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { AddedPart } from '../../../framework/module/profile-part.ts'
import { headOf } from '../../../http/html/view.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { GateConfig } from '../../../model/gate-config.ts'
import { jsonObject } from '../../../model/profile-values.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { publicContents } from '../../publishing/content/profile-contents.ts'
import { contentsOfProfiles } from '../../publishing/content/profile-part.ts'
import { filesOfProfiles } from '../../publishing/files/profile-part.ts'
import { servicesOfProfiles } from '../../trade/listings/profile-part.ts'
import { blankProfile } from './new-profile.ts'
import { profileDocument } from './profile-document.ts'
import { safePart } from './safe-part.ts'

const PUBLIC_URL = 'https://profiles.example'
const AT = new Date('2026-01-02T03:04:05.000Z')

const profile = (fields: Partial<Profile> = {}): Profile => ({
  ...blankProfile({ ownerAccountId: 'a', type: 'person', username: 'ada', fullName: 'Ada Lovelace', at: AT }),
  id: 1,
  updatedAt: AT,
  withdrawnAt: null,
  ...fields,
})

const GATES: GateConfig = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['content.*'] },
    member: {
      label: 'Member\n## Free',
      requirements: [
        { type: 'payment', amount: 2.5, currency: 'usd', per: 'month' },
        { type: 'trust', min_score: 20 },
      ],
      access: ['content.notes.*'],
    },
  },
}

const page = (id: number, title: string, categoryId: number | null = null) => ({
  id,
  profileId: 1,
  categoryId,
  title,
  slug: `page-${id}`,
  bodyBytes: 4,
  excerpt: null,
  status: 'published' as const,
  version: 1,
  position: id,
  createdAt: AT,
  updatedAt: AT,
  publishedAt: AT,
  coverFileId: null,
  firstImageId: null,
})

const category = (id: number, parentId: number | null, visibility: 'public' | 'private' = 'public') => ({
  id,
  profileId: 1,
  parentId,
  name: `Category ${id}`,
  slug: `c${id}`,
  description: null,
  icon: null,
  visibility,
  position: id,
  createdAt: AT,
  updatedAt: AT,
})

/** A part of a module of core, as documents get it. */
const safe = (part: AddedPart['part']) =>
  safePart({ part, module: part.key, isOfHost: false }, (error) => {
    throw error
  })

/** No profile of these tests is unlisted. */
const linkKeys = { keyOf: () => 'key' }

const documentOf = (fields: Partial<Profile>, gates?: GateConfig, contents = publicContents([], [])) =>
  profileDocument(
    { profile: profile(fields), gates, parts: [{ part: safe(contentsOfProfiles), items: contents }], linkKeys },
    PUBLIC_URL,
  )

/** The lines outside of fences. */
function outside(markdown: string): string[] {
  let fence: string | undefined
  return markdown.split('\n').filter((line) => {
    const run = /^`{3,}/.exec(line)?.[0]
    if (fence === undefined && run) {
      fence = run
      return false
    }
    if (line === fence) {
      fence = undefined
      return false
    }
    return fence === undefined
  })
}

describe('publicContents', () => {
  it('names published pages below public categories, by their path', () => {
    const categories = [category(1, null), category(2, 1), category(3, null, 'private'), category(4, 3)]
    const pages = [
      page(1, 'top'),
      page(2, 'deep', 2),
      page(3, 'hidden', 3),
      page(4, 'below hidden', 4),
      page(5, 'lost', 9),
    ]
    const draft = { ...page(6, 'draft'), status: 'draft' as const }
    expect(publicContents(categories, [...pages, draft]).map(({ path }) => path)).toEqual(['page-1', 'c1/c2/page-2'])
  })

  it('terminates on a cycle of categories', () => {
    expect(publicContents([category(1, 2), category(2, 1)], [page(1, 'lost', 1)])).toEqual([])
  })
})

describe('the Markdown of a profile', () => {
  it('lists its type data between about and skills, and the custom fields', () => {
    const markdown = documentOf({
      type: 'event',
      bio: 'A fair of engines',
      typeData: { starts_at: '2026-12-01T10:00:00Z', venue: 'The *old* hall', online_url: 'https://fair.example/a_b' },
      capabilities: ['bookable'],
      keywords: ['engines', 'steam'],
      skills: ['Steam'],
      customFields: { doors: { opens: '09:00' } },
    }).markdown()
    expect(markdown.split('\n\n## ').slice(1, 5)).toEqual([
      'About\n\nA fair of engines',
      [
        'Details\n',
        '- Starts at: 2026-12-01T10:00:00Z',
        '- Venue: The \\*old\\* hall',
        '- Online url: <https://fair.example/a_b>',
        '- Traits: bookable',
        '- Keywords: engines, steam',
      ].join('\n'),
      'Skills\n\n- Steam',
      'More\n\n- Doors: Opens: 09:00',
    ])
  })

  it('begins with front matter that describes it', () => {
    const [, frontMatter = ''] = documentOf({}).markdown().split('---\n')
    expect(parse(frontMatter)).toEqual({
      did: 'did:web:profiles.example:u:ada',
      trust_score: 0,
      type: 'person',
      username: 'ada',
      updated_at: AT.toISOString(),
      alternates: {
        json: 'https://profiles.example/u/ada?format=json',
        toon: 'https://profiles.example/u/ada?format=toon',
      },
    })
  })

  it('has its sections in order, and only those that say something', () => {
    const headings = (markdown: string) => outside(markdown).filter((line) => line.startsWith('#'))
    expect(headings(documentOf({}).markdown())).toEqual(['# Ada Lovelace', '## Machine links'])
    const full = documentOf(
      {
        bio: 'First.\n\nSecond.',
        skills: ['Analysis'],
        socials: { github: 'https://github.com/ada', mastodon: '@ada@example.social' },
        agentInstructions: 'Be brief.',
        agentRules: 'No spam.',
      },
      GATES,
      publicContents([], [page(1, 'On [engines]')]),
    ).markdown()
    expect(headings(full)).toEqual([
      '# Ada Lovelace',
      '## About',
      '## Skills',
      '## Links',
      '## Agent instructions',
      '## Agent rules',
      '## Contents',
      '## Access',
      '## Machine links',
    ])
    expect(full).toContain('First.\n\nSecond.')
    expect(full).toContain('- [github](<https://github.com/ada>)')
    expect(full).toContain('- mastodon: @ada@example.social')
    expect(full).toContain('- [On \\[engines\\]](<https://profiles.example/u/ada/content/page-1>)')
    expect(full).toContain('- public: free; opens `content.*`')
    expect(full).toContain('- Member ## Free: 2.5 USD per month and asks for trust; opens `content.notes.*`')
  })

  it('names its files, with what they are and how large', () => {
    const file = {
      id: 7,
      filename: '## [a](b)\n.pdf',
      contentType: 'application/pdf',
      size: 1_234_567,
      createdAt: AT,
      isOnPage: false,
    }
    const { markdown, html } = profileDocument(
      { profile: profile(), gates: undefined, parts: [{ part: safe(filesOfProfiles), items: [file] }], linkKeys },
      PUBLIC_URL,
    )
    const [line = ''] = /^- .*$/m.exec(markdown().split('## Files\n\n')[1] ?? '') ?? []
    expect(line).toMatch(/^- \[.*\]\(<https:\/\/profiles\.example\/files\/7>\): application\/pdf, 1234567 bytes$/)
    expect(markdown()).not.toMatch(/^## \[a\]/m)
    const page = html?.({
      name: 'x',
      publicUrl: PUBLIC_URL,
      basePath: '/api',
      renderMarkdown: () => Promise.reject(new Error('unused')),
    })
    const shown = page && headOf(page)?.markup
    expect(shown).toContain('<a href="/api/files/7"><bdi>## [a](b)\n.pdf</bdi></a></h3><small>PDF · 1.2 MB</small>')
  })

  it('has the same skeleton whatever the owner writes', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            '\n',
            '\n\n',
            '\r',
            '---\n',
            '# ',
            '## Access\n',
            '```\n',
            '````',
            '- ',
            '[a](b)',
            '> ',
            '\u2028',
            '\t',
          ),
          fc.string({ maxLength: 4 }),
        ),
        { maxLength: 12 },
      )
      .map((pieces) => `x${pieces.join('')}`)
    const skeleton = (markdown: string) =>
      outside(markdown).filter((line) => /^(#|---|===|\s*```|~~~)/.test(line)).length
    fc.assert(
      fc.property(text, text, text, (one, two, three) => {
        const written = (bio: string, name: string, more: string) =>
          documentOf(
            { fullName: name, bio, skills: [more], agentInstructions: more, agentRules: bio },
            undefined,
            publicContents([], [page(1, name)]),
          ).markdown()
        expect(skeleton(written(one, two, three))).toBe(skeleton(written('x', 'x', 'x')))
      }),
      { numRuns: 500 },
    )
  })
})

describe('the JSON of a profile', () => {
  it('never contains the email address', () => {
    const { data, markdown } = documentOf({ email: 'ada@example.com' })
    expect(JSON.stringify(data)).not.toContain('ada@example.com')
    expect(data).not.toHaveProperty('email')
    expect(markdown()).not.toContain('ada@example.com')
  })

  it('states that it is gated, and links to its gates, when a tier has requirements', () => {
    const gates = 'https://profiles.example/eep/gates/did:web:profiles.example:u:ada'
    expect(documentOf({}, GATES).data).toMatchObject({ eep: { gated: true, gates_url: gates }, links: { gates } })
    const services = 'https://profiles.example/eep/services/did:web:profiles.example:u:ada'
    const listing = { details: { status: 'paused' } }
    const parts = [{ part: safe(servicesOfProfiles), items: [listing] }]
    const selling = profileDocument({ profile: profile(), gates: undefined, parts, linkKeys }, PUBLIC_URL)
    expect(selling.data).toMatchObject({ eep: { commerce: true, services_url: services }, links: { services } })
    expect(JSON.stringify(documentOf({}).data)).not.toContain('/eep/services/')
    const open = documentOf({}, { default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } })
    expect((open.data.eep as JsonObject).gated).toBeUndefined()
  })

  it('comes back from TOON as the same value', () => {
    const own = fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '',
        ' ',
        '- a',
        'a: b',
        '[2]: x',
        '"',
        '\\',
        '#',
        'true',
        'null',
        '1e3',
        '007',
        '-0',
        'a,b',
        'a|b',
        '{}',
        'x\ny',
        '\u2028',
      ),
    )
    fc.assert(
      fc.property(own, own, fc.array(text), text, fc.dictionary(text, text), (one, two, skills, bio, socials) => {
        fc.pre(jsonObject.safeParse(one).success && jsonObject.safeParse(two).success)
        const { data } = documentOf({
          customFields: JSON.parse(JSON.stringify(one)),
          typeData: JSON.parse(JSON.stringify({ fields: two })),
          skills,
          bio,
          socials: { ...socials },
        })
        expect(decode(encode(data))).toEqual(data)
      }),
      { numRuns: 1_000 },
    )
  })
})
