import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createMarkdownRenderer } from './render-markdown.ts'

const { render: renderMarkdown } = createMarkdownRenderer()

const job = (markdown: string) => ({ markdown, publicUrl: 'https://profiles.example', basePath: '', title: 'Title' })
const PART =
  '## Part\n\nLorem *ipsum* dolor `sit` amet, [link](https://x.example/a) **elit**.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'

/** The rendered text. On a busy machine the first attempts may return it unrendered. */
async function finalText(markdown: string) {
  for (;;) {
    const text = await renderMarkdown(job(markdown))
    if (text.isFinal) return text
  }
}

describe('a text', () => {
  // The first one starts the thread.
  beforeAll(() => finalText('*first*'))

  it('shows Markdown unrendered when too many texts are waiting', async () => {
    const texts = await Promise.all(Array.from({ length: 60 }, (_, at) => renderMarkdown(job(`*${at}*`))))
    expect(texts[0]?.body.markup).toBe('<p><em>0</em></p>')
    expect(texts[59]?.body.markup).toBe('<pre class="written" tabindex="0">*59*</pre>')
    expect((await finalText('*59*')).body.markup).toBe('<p><em>59</em></p>')
  })

  it('renders a text once for concurrent and later requests', async () => {
    const [one, two] = await Promise.all([finalText('*a*'), finalText('*a*')])
    expect(one.body.markup).toBe('<p><em>a</em></p>')
    expect(two).toBe(one)
    expect(await finalText('*a*')).toBe(one)
  })

  it('renders a text of 30 KB without blocking the event loop', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 5)
    const { body, sections } = await finalText(PART.repeat(30_720 / PART.length))
    clearInterval(timer)
    expect(sections.length).toBeGreaterThan(200)
    expect(body.markup).toContain('</table>')
    expect(turns).toBeGreaterThan(10)
  })

  it('shows Markdown unrendered when it or its HTML is too long', async () => {
    const table = `|${'a|'.repeat(1_200)}\n|${'-|'.repeat(1_200)}\n${'|x\n'.repeat(250)}`
    for (const text of ['<a> '.repeat(100_000), table]) {
      const { body, sections } = await finalText(text)
      expect(body.markup).toMatch(/^<pre class="written" tabindex="0">/)
      expect(body.markup).not.toContain('<a>')
      expect(sections).toEqual([])
    }
    expect((await finalText('still *here*')).body.markup).toBe('<p>still <em>here</em></p>')
  })

  it('waits only briefly for a text that takes long to render, and ends that after a few seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true })
    try {
      const slow = renderMarkdown(job('*a_ '.repeat(12_000)))
      const patient = renderMarkdown(job('*patient*'))
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await patient).toMatchObject({
        body: { markup: '<pre class="written" tabindex="0">*patient*</pre>' },
        isFinal: false,
      })
      await vi.advanceTimersByTimeAsync(5_000)
      expect((await slow).body.markup).toMatch(/^<pre class="written" tabindex="0">\*a_ /)
    } finally {
      vi.useRealTimers()
    }
    expect((await finalText('*patient*')).body.markup).toBe('<p><em>patient</em></p>')
  })
})
