import { expect, test } from 'vitest'
import { offerOf } from './available-routes.ts'
import { robotsTxt } from './crawlers.ts'

const service = {
  name: 'Trial',
  description: 'A trial',
  publicUrl: 'https://example.com',
  did: 'did:web:example.com',
  sessionCookie: 'eep_session',
  rails: [],
}
const route = (method: string, path: string, auth = 'none', tag = 'public reads') => ({
  method,
  path,
  auth,
  tag,
  summary: '',
})
const offer = offerOf([
  route('GET', '/u/{username}'),
  route('GET', '/sitemap.xml', 'none', 'discovery'),
  route('GET', '/auth/me', 'key', 'auth'),
  route('GET', '/auth/oauth/{provider}', 'none', 'auth'),
  route('GET', '/manage/pages', 'bearer', 'content'),
  route('GET', '/manage/profiles/{id}/edit', 'none', 'pages'),
  route('GET', '/pricing', 'none', 'pages'),
  route('GET', '/eep/gates/{did}', 'none', 'gates'),
  route('PUT', '/eep/gates/{did}', 'key', 'gates'),
])
const rules = { contentSignal: { search: true, aiInput: true, aiTrain: false }, disallow: [] }

/** The groups of a robots.txt: the agents each is for, and its lines. */
const groupsOf = (text: string) =>
  text
    .split('\n\n')
    .map((group) => group.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .map((lines) => ({
      agents: lines.filter((line) => line.startsWith('User-agent: ')).map((line) => line.slice(12)),
      lines: lines.filter((line) => !line.startsWith('User-agent: ')),
    }))

test('lets everybody read what is public and no pages of signed-in people, and AI crawlers by name', () => {
  const [everybody, named] = groupsOf(robotsTxt(service, offer, rules))
  expect(everybody?.agents).toEqual(['*'])
  expect(everybody?.lines).toEqual([
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    'Disallow: /auth',
    'Disallow: /manage',
  ])
  expect(named?.agents).toEqual(
    expect.arrayContaining(['GPTBot', 'ClaudeBot', 'Google-Extended', 'PerplexityBot', 'CCBot']),
  )
  expect(named?.lines).toEqual(everybody?.lines)
})

test('lets everybody read a document whose name begins like a closed path', () => {
  const withGuide = offerOf([...offer.routes, route('GET', '/auth.md', 'none', 'discovery')])
  const [everybody] = groupsOf(robotsTxt(service, withGuide, rules))
  expect(everybody?.lines.slice(1)).toEqual(['Allow: /', 'Allow: /auth.md', 'Disallow: /auth', 'Disallow: /manage'])
})

test('names the URL of the sitemap, when there is one', () => {
  expect(robotsTxt(service, offer, rules)).toMatch(/\n\nSitemap: https:\/\/example\.com\/sitemap\.xml\n$/)
  expect(robotsTxt(service, offerOf([]), rules)).not.toContain('Sitemap')
})

test('disallows the crawlers that the host lists, including known ones', () => {
  const disallow = ['CCBot', 'NewBot']
  const contentSignal = { search: true, aiInput: false, aiTrain: true }
  const [everybody, named, away] = groupsOf(robotsTxt(service, offer, { contentSignal, disallow }))
  expect(everybody?.lines[0]).toBe('Content-Signal: search=yes, ai-input=no, ai-train=yes')
  expect(named?.agents).not.toContain('CCBot')
  expect(away).toEqual({ agents: disallow, lines: ['Disallow: /'] })
})

test('speaks of the paths of a service that has one', () => {
  const text = robotsTxt({ ...service, publicUrl: 'https://example.com/profiles' }, offer, rules)
  expect(text).toContain('Allow: /profiles/\n')
  expect(text).toContain('Disallow: /profiles/auth\n')
})

test('lets no name begin a line', () => {
  const text = robotsTxt({ ...service, name: 'Trial\nUser-agent: *\nDisallow: /' }, offer, rules)
  expect(text.split('\n').filter((line) => line === 'Disallow: /')).toEqual([])
})
