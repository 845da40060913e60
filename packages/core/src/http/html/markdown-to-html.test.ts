import { describe, expect, it } from 'vitest'
import { markdownToHtml } from './markdown-to-html.ts'

const PUBLIC_URL = 'https://profiles.example'
const render = (markdown: string, title: string | undefined = 'Title', basePath = '') =>
  markdownToHtml({ markdown, publicUrl: PUBLIC_URL, basePath, title })
const markup = (markdown: string, title?: string) => render(markdown, title).markup

describe('headings', () => {
  it('starts headings of Markdown at the second level, below the title', () => {
    expect(render('# One\n\n### Two').sections).toEqual([
      { id: 's-one', text: 'One', depth: 2 },
      { id: 's-two', text: 'Two', depth: 4 },
    ])
    expect(render('## One').sections).toEqual([{ id: 's-one', text: 'One', depth: 2 }])
  })

  it('omits a first heading that repeats the title', () => {
    expect(markup('# Title\n\ntext')).toBe('\n<p>text</p>')
    expect(render('# Title\n\n## One').sections).toMatchObject([{ text: 'One', depth: 2 }])
  })

  it('gives headings the ids of GitHub after a prefix, unique and in any script', () => {
    const ids = render('# A b!\n\n# a-b\n\n# A b\n\n# C++ & Rust\n\n# مقدمة\n\n# はじめに').sections.map(({ id }) => id)
    expect(ids).toEqual(['s-a-b', 's-a-b-1', 's-a-b-2', 's-c--rust', 's-مقدمة', 's-はじめに'])
    expect(markup('# A b')).toContain(
      '<h2 id="s-a-b">A b<a class="anchor" href="#s-a-b" aria-hidden="true" tabindex="-1">#</a></h2>',
    )
  })

  it('gives the heading of the page the id of a first heading that repeats it', () => {
    expect(render('# Title\n\n# Title')).toMatchObject({ titleId: 's-title', sections: [{ id: 's-title-1' }] })
    expect(render('text').titleId).toBeUndefined()
  })

  it('does not list headings in quotes as sections of the page', () => {
    expect(render('> # Quoted').sections).toEqual([])
    expect(markup('> # Quoted')).toContain('<h2>Quoted</h2>')
  })

  it('keeps the levels of headings in a text without a title above it', () => {
    const { sections, markup: all } = markdownToHtml({
      markdown: '# Own\n\n## Two',
      publicUrl: PUBLIC_URL,
      basePath: '',
    })
    expect(sections).toMatchObject([{ depth: 1 }, { depth: 2 }])
    expect(all).toContain('<h1 id="s-own">Own</h1>')
  })
})

describe('links', () => {
  it('marks links to other sites as nofollow and ugc', () => {
    for (const href of ['https://evil.example/a', '//evil.example', 'http://profiles.example/']) {
      expect(markup(`[a](<${href}>)`), href).toMatch(/rel="nofollow ugc noopener"/)
    }
  })

  it.each([
    ['[a](#intro)', '# Intro', '#s-intro'],
    ['[a](#Intro)', '# Intro', '#s-intro'],
    ['[a](#c--rust)', '# C++ & Rust', '#s-c--rust'],
    ['[a](#two-1)', '# Two\n\n# Two', '#s-two-1'],
    ['[a](#title)', '# Title', '#s-title'],
    ['[a](#%D9%85)', '# م', '#s-م'],
    ['[a](#はじめに)', '# はじめに', '#s-はじめに'],
    ['[a](#s-intro)', '# Intro', '#s-intro'],
    ['[a](#nowhere)', '# Intro', '#nowhere'],
  ])('leads %s with %s to %s', (link, headings, href) => {
    const text = headings === '# Title' ? `${headings}\n\n${link}` : `text\n\n${headings}\n\n${link}`
    const found = [...markup(text).matchAll(/<a href="([^"]*)">a<\/a>/g)].map(([, each]) => decodeURI(each ?? ''))
    expect(found).toEqual([href])
  })

  it('keeps fragments that cannot be decoded', () => {
    expect(markup('[a](#%zz)\n\n# Intro')).toContain('href="#%zz"')
  })

  it('leads footnotes to their texts', () => {
    expect(markup('a[^1]\n\n[^1]: note')).toContain('href="#user-content-fn-1"')
  })

  it('leads to headings of other pages by the same names', () => {
    expect(markup('[a](https://profiles.example/u/ada/content/x#intro)')).toContain('href="/u/ada/content/x#s-intro"')
    expect(markup('[a](/u/ada/content/x#intro)')).toContain('href="/u/ada/content/x#s-intro"')
    expect(markup('[a](/u/ada/content/x#s-intro)')).toContain('href="/u/ada/content/x#s-intro"')
    expect(markup('[a](/docs/payments#intro)')).toContain('href="/docs/payments#intro"')
    expect(markup('[a](https://other.example/u/ada/content/x#intro)')).toContain('/u/ada/content/x#intro"')
  })

  it('takes other spellings of the public URL for the service', () => {
    const job = { publicUrl: 'https://xn--bcher-kva.example', basePath: '/api', title: 'Title' }
    const { markup: all } = markdownToHtml({ ...job, markdown: '[a](https://bücher.example/u/ada)' })
    expect(all).toContain('<a href="/api/u/ada">a</a>')
  })

  it('keeps links within the service on the listener', () => {
    expect(markup('[a](/u/ada)')).toContain('<a href="/u/ada">a</a>')
    expect(markup('[a](next)')).toContain('<a href="next">a</a>')
    expect(markup('[a](#s-one)')).toContain('<a href="#s-one">a</a>')
    expect(render('[a](https://profiles.example/u/ada)', 'Title', '/api').markup).toContain(
      '<a href="/api/u/ada">a</a>',
    )
  })

  it('removes link URLs that could run code', () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:x',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
    ]) {
      expect(markup(`[a](${href})`), href).toBe('<p><a>a</a></p>')
    }
  })
})

describe('pictures', () => {
  it('shows images from other origins as links, labelled with their host when they have no alt text', () => {
    const rel = 'rel="nofollow ugc noopener"'
    expect(markup('![a](https://x.example/y.png)')).toBe(`<p><a href="https://x.example/y.png" ${rel}>a</a></p>`)
    expect(markup('![](//x.example/y.png)')).toBe(`<p><a href="https://x.example/y.png" ${rel}>x.example</a></p>`)
    expect(markup('[![a](https://x.example/y.png)](https://z.example)')).toBe(
      `<p><a href="https://z.example" ${rel}>a</a></p>`,
    )
  })

  it('loads images of the service from the listener that serves the page', () => {
    const own = (src: string) => render(`![a](${src})`, 'Title', '/api').markup
    expect(own('https://profiles.example/files/7')).toContain('<img src="/api/files/7" alt="a"')
    expect(own('/files/7')).toContain('<img src="/files/7" alt="a"')
  })

  it('gives images of the service their width and height, on every listener', () => {
    const job = { publicUrl: PUBLIC_URL, title: 'Title', imageSizes: { 7: [60, 40] as const } }
    const markdown = `![a](${PUBLIC_URL}/files/7) ![b](/files/7) ![c](/files/70) ![d](https://other.example/files/7)`
    for (const basePath of ['', '/api']) {
      const { markup: found } = markdownToHtml({ ...job, markdown, basePath, remoteImages: true })
      expect(found.match(/width="60" height="40"/g)).toHaveLength(2)
      expect(found).toContain(`<img src="${basePath}/files/7" width="60" height="40" alt="a"`)
    }
  })

  it('loads images from other origins over https, lazily and without a referrer, if the host allows them', () => {
    const job = { markdown: '![a](https://x.example/y.png)', publicUrl: PUBLIC_URL, basePath: '', title: 'Title' }
    expect(markdownToHtml({ ...job, remoteImages: true }).markup).toBe(
      '<p><img src="https://x.example/y.png" alt="a" loading="lazy" decoding="async" referrerpolicy="no-referrer"></p>',
    )
  })

  it('shows the alt text of images with an unsafe URL', () => {
    for (const src of ['http://x.example/y.png', 'data:image/svg+xml,x', 'javascript:x']) {
      expect(markup(`![what it shows](${src})`), src).toBe('<p>what it shows</p>')
    }
  })
})

it('shows HTML in Markdown as text', () => {
  expect(markup('a <b onclick="x">b</b>')).toBe('<p>a &#x3C;b onclick="x">b&#x3C;/b></p>')
  expect(markup('<script>alert(1)</script>')).toBe('&#x3C;script>alert(1)&#x3C;/script>')
})

it('makes tables and code scrollable by keyboard', () => {
  expect(markup('|a|\n|-|\n|b|')).toMatch(/^<div class="wide" role="region" aria-label="Table" tabindex="0"><table>/)
  expect(markup('```\na\n```')).toContain('<pre tabindex="0"><code>a')
})

it('links to footnotes and back', () => {
  const { markup: all } = render('a[^1]\n\n[^1]: note')
  for (const [, id] of all.matchAll(/href="#([^"]+)"/g)) expect(all).toContain(`id="${id}"`)
})

describe('task lists', () => {
  it('label each checkbox with its own text', () => {
    const html = markup('- [x] Read *the* engine\n  - [ ] Note G\n- [ ] Write')
    const labels = [...html.matchAll(/<input[^>]* aria-label="([^"]*)"/g)].map(([, label]) => label)
    expect(labels).toEqual(['Read the engine', 'Note G', 'Write'])
  })

  it('label the checkboxes of items with several paragraphs', () => {
    expect(markup('- [ ] One\n\n  more\n\n- [x] Two')).toMatch(/aria-label="One".*aria-label="Two"/s)
  })
})

describe('formulas', () => {
  it.each([
    ['$a_b$ and $c_d$', '<p>$a_b$ and $c_d$</p>'],
    ['*a* $x*y*z$ *b*', '<p><em>a</em> $x*y*z$ <em>b</em></p>'],
    ['$$\\sum_{i} *a* _b_$$', '<p>$$\\sum_{i} *a* _b_$$</p>'],
    ['$$\na_1 *x*\nb_2 *y*\n$$', '<p>$$\na_1 *x*\nb_2 *y*\n$$</p>'],
    ['$a < b$', '<p>$a &#x3C; b$</p>'],
    ['$`a`$ then `$b_c$`', '<p>$`a`$ then <code>$b_c$</code></p>'],
    ['$a\\$b_c$ *d*', '<p>$a\\$b_c$ <em>d</em></p>'],
    ['It costs $5 or *$6* today', '<p>It costs $5 or <em>$6</em> today</p>'],
    ['$20,000 and *USD* $30,000', '<p>$20,000 and <em>USD</em> $30,000</p>'],
    ['\\$*a*\\$', '<p>$<em>a</em>$</p>'],
    ['$$$*a*$$$', '<p>$$$<em>a</em>$$$</p>'],
    ['$ *a* $', '<p>$ <em>a</em> $</p>'],
  ])('between dollars stay as they were written: %j', (markdown, html) => {
    expect(markup(markdown)).toBe(html)
  })

  it('that do not end are read once: a search from each of them would not finish in time', () => {
    for (const text of ['$a ', '$$$a ', '$a $$b ']) {
      const repeated = text.repeat(16_000).trim()
      expect(markup(repeated).length).toBeGreaterThanOrEqual(repeated.length)
    }
  })
})
