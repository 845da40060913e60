import { describe, expect, it } from 'vitest'
import { siteScanToolkit } from './site-scan-toolkit.ts'

const URL_OF_ROBOTS = 'https://site.example/robots.txt'
const { parseRobots, outlineHtml } = siteScanToolkit()
const allows = (text: string, path = '/page', agent = 'EEP-Site-Scanner') =>
  parseRobots(URL_OF_ROBOTS, text).isAllowed(`https://site.example${path}`, agent)
/** A group of 400 agents, each followed by a line. */
const manyAgents = (line: string) => Array.from({ length: 400 }, (_, at) => `User-agent: ${at}\n${line}\n`).join('')

describe('parseRobots', () => {
  it.each([
    ['', true],
    ['User-agent: *\nDisallow: /', false],
    ['User-agent: *\nDisallow: /\nAllow: /page', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: eep-site-scanner\nAllow: /', true],
    ['User-agent: *\nAllow: /\n\nUser-agent: Other\nUser-agent: EEP-Site-Scanner\nDisallow: /p*e$', false],
    ['User-agent: *\nDisallow: /page?', true],
    ['User-agent: *\nDisallow:', true],
  ])('of %j allows the page: %s', (text, allowed) => {
    expect(allows(text)).toBe(allowed)
  })

  it('allows nothing on another host', () => {
    expect(parseRobots(URL_OF_ROBOTS, '').isAllowed('https://other.example/', 'x')).toBe(false)
  })

  it('returns the sitemaps', () => {
    expect(parseRobots(URL_OF_ROBOTS, 'Sitemap: https://site.example/a.xml\nsitemap: /b.xml').sitemaps).toEqual([
      'https://site.example/a.xml',
      '/b.xml',
    ])
  })

  it.each([
    ['many agents with many rules', `${'User-agent: a\n'.repeat(5_000)}${'Allow: /\n'.repeat(5_000)}`],
    ['agents between lines without a colon', `${manyAgents('x')}${'Disallow:/a\n'.repeat(400)}`],
    ['agents between comments', `${manyAgents('# host: x')}${'Disallow:/a\n'.repeat(400)}`],
    ['agents between lines without a name', `${manyAgents(' : x')}${'Disallow:/a\n'.repeat(400)}`],
    ['many agents with many delays', `${manyAgents('')}${'Crawl-delay: 1\n'.repeat(400)}`],
    ['many rules with wildcards', `User-agent: *\n${'Disallow: /*a*a*a*a*a*b\n'.repeat(2_000)}`],
    ['wildcards after a second colon', `User-agent: *\n${`Allow: /:${'*'.repeat(1_000)}\n`.repeat(30)}`],
    ['wildcards of an agent that is repeated', `${'User-agent: */1\n'.repeat(20)}Allow: /${'*'.repeat(1_100)}\n`],
    ['empty lines only', '\n'.repeat(500_000)],
  ])('does not read %s, and forbids all', (_, text) => {
    expect(allows(text)).toBe(false)
  })

  it('reads wildcards of rules that many agents share', () => {
    const text = `${manyAgents('')}User-agent: *\n${'Disallow: /p*e$\n'.repeat(10)}Allow: /pa*e\n`
    expect([allows(text), allows(text, '/pipe')]).toEqual([true, false])
  })
})

describe('outlineHtml', () => {
  it('reads title, description, language, headings and JSON-LD', async () => {
    const html = `<html lang=en><head><title> A &amp; B </title><title>C</title><META NAME=description CONTENT="d">
      <script type="application/ld+json">{"@type":"A"}</script><script>let a = "<h1>"</script></head><h1>x<h1>y`
    expect(await outlineHtml(html)).toEqual({
      lang: 'en',
      title: 'A & B',
      description: 'd',
      jsonLd: ['{"@type":"A"}'],
      headings: 2,
    })
  })

  it.each(['', '<', '<script type="application/ld+json">', '\u0000<title', '<title>'.repeat(10), '</p>'.repeat(1_000)])(
    'reads broken HTML: %j',
    async (html) => {
      expect(await outlineHtml(html)).toMatchObject({ description: null, headings: 0 })
    },
  )

  it('stops at tags that are nested too deeply', async () => {
    const html = `<title>First</title>${'<b>'.repeat(1_100)}<h1>Late</h1>`
    expect(await outlineHtml(html)).toMatchObject({ title: 'First', headings: 0 })
  })
})
