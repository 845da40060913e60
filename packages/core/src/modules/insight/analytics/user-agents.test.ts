import { expect, it } from 'vitest'
import { KNOWN_AGENTS } from '../../../model/known-agents.ts'
import { searchTermOf } from './sources.ts'
import { kindOfUserAgent } from './user-agents.ts'

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'human'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'human',
  ],
  ['Mozilla/5.0 (Linux; Android 14; CUBOT P80) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36', 'human'],
  ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot', 'agent'],
  ['claude-user/1.0', 'agent'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot'],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/140.0.0.0 Safari/537.36', 'bot'],
  ['curl/8.5.0', 'bot'],
  ['python-requests/2.32', 'bot'],
  ['', 'bot'],
])('classifies %s as %s', (userAgent, kind) => {
  expect(kindOfUserAgent(userAgent)).toBe(kind)
})

it('lists agents that are more specific first', () => {
  for (const [index, { token }] of KNOWN_AGENTS.entries()) {
    const later = KNOWN_AGENTS.slice(index + 1).map((each) => each.token.toLowerCase())
    expect(later.filter((each) => each.includes(token.toLowerCase()))).toEqual([])
  }
})

it.each([
  ['  Zoë   LOOMS ', 'zoë looms'],
  ['', undefined],
  ['ada@example.com', undefined],
  ['070 123 45 67', undefined],
  ['x'.repeat(65), undefined],
  ['looms of 1804', 'looms of 1804'],
])('counts the query %j as %j', (query, term) => {
  expect(searchTermOf(query)).toBe(term)
})
