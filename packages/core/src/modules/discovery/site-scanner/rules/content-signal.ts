import { fail, pass, type SiteRule, warn } from '../rule.ts'

const SIGNALS = ['search', 'ai-input', 'ai-train'] as const

/** `robots.txt` or a header has a valid `Content-Signal`. */
export const contentSignal: SiteRule = {
  id: 'content-signal',
  category: 'crawling',
  summary: 'Content-Signal states what content may be used for',
  weight: 3,
  fix: 'Add a line such as "Content-Signal: search=yes, ai-input=yes, ai-train=no" to a group of robots.txt.',
  doc: 'https://contentsignals.org/',
  async check({ robots }) {
    const value =
      /^[ \t]*content-signal[ \t]*:[ \t]*([^#\r\n]{1,512})/im.exec(robots.status === 200 ? robots.body : '')?.[1] ??
      robots.headers.get('content-signal')
    if (value === undefined) return fail('There is no Content-Signal.')
    const parts = value.split(',').map((part) => part.trim().toLowerCase())
    const broken = parts.filter((part) => !/^[a-z-]+=(yes|no)$/.test(part))
    if (broken.length > 0) return fail('Content-Signal has a member that is not name=yes or name=no.', value)
    const stated = new Set(parts.map((part) => part.split('=', 1)[0]))
    const missing = SIGNALS.filter((name) => !stated.has(name))
    if (missing.length > 0) return warn(`Content-Signal does not state ${missing.join(', ')}.`, value)
    return pass('Content-Signal states search, ai-input and ai-train.', value)
  },
}
