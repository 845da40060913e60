import { fail, pass, type SiteRule, skip } from '../rule.ts'
import { describe, isMissing, mediaTypeOf } from '../site.ts'

const READABLE = new Set(['text/markdown', 'text/plain'])

/** `/auth.md`, where the site has it, explains to programs how to sign in. */
export const authMd: SiteRule = {
  id: 'auth-md',
  category: 'discovery',
  summary: 'The guide to signing in at /auth.md, if the site has one, can be read by programs',
  weight: 1,
  fix: 'Serve /auth.md as text/markdown: how a program finds the OAuth metadata, gets a client id and a token, and what 401 and 403 mean.',
  doc: 'https://workos.com/auth-md',
  async check(site) {
    const found = await site.get('/auth.md')
    if (isMissing(found)) return skip('The site has no /auth.md.')
    if (found.is !== 'answer') return skip(found.reason)
    if (found.status !== 200) return fail('/auth.md cannot be read.', describe(found))
    if (!READABLE.has(mediaTypeOf(found))) return fail('/auth.md is not Markdown.', describe(found))
    if (!/^#\s+\S/m.test(found.body)) return fail('/auth.md has no heading.', describe(found))
    if (!/oauth|token/i.test(found.body)) return fail('/auth.md does not say how programs get a token.')
    return pass('/auth.md explains to programs how to sign in.')
  },
}
