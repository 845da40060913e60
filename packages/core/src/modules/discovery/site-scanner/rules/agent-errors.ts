import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isRecord, jsonOf, mediaTypeOf } from '../site.ts'

/** A path that no site has. */
const MISSING_PATH = '/eep-site-scanner/this-page-does-not-exist'

/** Errors have the right status, and a body that programs can read. */
export const agentErrors: SiteRule = {
  id: 'agent-errors',
  category: 'http',
  summary: 'A missing page returns 404, as JSON for clients that ask for it',
  weight: 4,
  fix: 'Return 404 for missing pages, and to clients that accept JSON application/problem+json (RFC 9457) or a JSON error.',
  doc: 'https://www.rfc-editor.org/rfc/rfc9457',
  async check(site) {
    const answer = await site.get(MISSING_PATH, { accept: 'application/problem+json, application/json' })
    if (answer.is !== 'answer') return skip(answer.reason)
    if (answer.status !== 404 && answer.status !== 410)
      return fail('A missing page does not return 404.', describe(answer))
    const body = /^application\/(problem\+)?json$/.test(mediaTypeOf(answer)) ? jsonOf(answer) : undefined
    if (!body) return warn('The error is not JSON for a client that accepts JSON only.', describe(answer))
    const says = ['title', 'error', 'message', 'detail', 'code'].some(
      (name) => typeof body[name] === 'string' || isRecord(body[name]),
    )
    if (!says) return warn('The JSON of the error does not name the error.', answer.body)
    return pass('A missing page returns 404 with a JSON error.', describe(answer))
  },
}
