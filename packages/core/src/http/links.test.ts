import { expect, test } from 'vitest'
import { type Link, linkHeader, offeredLinks } from './links.ts'

const links: readonly Link[] = [
  { rel: 'contents', href: '/u/ada/content' },
  { rel: 'search', href: '/search', needs: '/search' },
]

test('sends a link to what may be missing only where it is', () => {
  expect(offeredLinks(links, { has: (path) => path === '/search' })).toEqual(links)
  expect(offeredLinks(links, { has: () => false }).map(({ rel }) => rel)).toEqual(['contents'])
  expect(offeredLinks(links, {}).map(({ rel }) => rel)).toEqual(['contents'])
})

test('writes links with the prefix of the listener, but for those that lead elsewhere', () => {
  const header = linkHeader(
    [...links, { rel: 'canonical', href: 'https://example.com/u/ada', title: 'Ada "A"' }],
    '/api',
  )
  expect(header).toBe(
    '</api/u/ada/content>; rel="contents", </api/search>; rel="search", <https://example.com/u/ada>; rel="canonical"; title="Ada \\"A\\""',
  )
})
