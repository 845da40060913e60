import { expect, test } from 'vitest'
import { type Link, linkHeader, offeredLinks } from './links.ts'

const links: readonly Link[] = [
  { rel: 'contents', href: '/u/ada/content' },
  { rel: 'search', href: '/search', needs: '/search' },
]

test('sends a link to an optional route only if the route exists', () => {
  expect(offeredLinks(links, { has: (path) => path === '/search' })).toEqual(links)
  expect(offeredLinks(links, { has: () => false }).map(({ rel }) => rel)).toEqual(['contents'])
  expect(offeredLinks(links, {}).map(({ rel }) => rel)).toEqual(['contents'])
})

test('adds the prefix of the listener to links, except those to other sites', () => {
  const header = linkHeader(
    [...links, { rel: 'canonical', href: 'https://example.com/u/ada', title: 'Ada "A"' }],
    '/api',
  )
  expect(header).toBe(
    '</api/u/ada/content>; rel="contents", </api/search>; rel="search", <https://example.com/u/ada>; rel="canonical"; title="Ada \\"A\\""',
  )
})
