import { expect, test } from 'vitest'
import { entriesOf, sitemapIndex, urlSet } from './sitemap.ts'

test('escapes what XML would read', () => {
  const url = `https://example.com/u/a?b=1&c=<d>"e"'f'`
  expect(urlSet([{ url }])).toContain(
    '<loc>https://example.com/u/a?b=1&amp;c=&lt;d&gt;&quot;e&quot;&apos;f&apos;</loc></url>',
  )
})

test('includes the time of the last change where it is known', () => {
  const updatedAt = new Date('2026-06-06T06:06:06.006Z')
  const address = { id: 7, type: 'person', username: 'ada', slugs: null, updatedAt } as const
  const entries = entriesOf('https://example.com', [address], ({ username }) => `/u/${username}`)
  expect(urlSet([{ url: 'https://example.com/' }, ...entries])).toBe(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
      '<url><loc>https://example.com/</loc></url>',
      '<url><loc>https://example.com/u/ada</loc><lastmod>2026-06-06T06:06:06.006Z</lastmod></url>',
      '</urlset>',
      '',
    ].join('\n'),
  )
})

test('names the sitemap of the service and that of each part', () => {
  const updatedAt = new Date(0)
  const index = sitemapIndex('https://example.com', [{ kind: 'pages', part: 3, updatedAt }])
  expect(index).toContain('<sitemap><loc>https://example.com/sitemap-site.xml</loc></sitemap>')
  expect(index).toContain(
    '<sitemap><loc>https://example.com/sitemap-pages-3.xml</loc><lastmod>1970-01-01T00:00:00.000Z</lastmod></sitemap>',
  )
})
