import { describe, expect, it } from 'vitest'
import { ORIGIN, siteOf, type TestAnswers } from './site-fixture.ts'
import { sitemap } from './sitemap.ts'

const urlset = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`
const robots = (path = '/sitemap.xml') => `User-agent: *\nAllow: /\nSitemap: ${ORIGIN}${path}\n`
const statusOf = async (answers: TestAnswers) => (await sitemap.check(siteOf(answers))).status

describe('sitemap', () => {
  it.each<[string, TestAnswers, string]>([
    ['is named and lists URLs', { '/robots.txt': robots(), '/sitemap.xml': urlset(`${ORIGIN}/a`) }, 'pass'],
    ['has another name', { '/robots.txt': robots('/map.xml'), '/map.xml': urlset(`${ORIGIN}/a`) }, 'pass'],
    [
      'is an index',
      {
        '/robots.txt': robots(),
        '/sitemap.xml': `<sitemapindex><sitemap><loc>${ORIGIN}/1.xml</loc></sitemap></sitemapindex>`,
      },
      'pass',
    ],
    ['is not named', { '/robots.txt': 'User-agent: *\n', '/sitemap.xml': urlset(`${ORIGIN}/a`) }, 'warn'],
    ['lists another host', { '/robots.txt': robots(), '/sitemap.xml': urlset('https://other.example/') }, 'warn'],
    ['is empty', { '/robots.txt': robots(), '/sitemap.xml': urlset() }, 'fail'],
    ['is HTML', { '/robots.txt': robots(), '/sitemap.xml': '<!doctype html>' }, 'fail'],
    ['is missing', { '/robots.txt': robots() }, 'fail'],
  ])('gives $2 for a sitemap that %s', async (_, answers, status) => {
    expect(await statusOf(answers)).toBe(status)
  })
})
