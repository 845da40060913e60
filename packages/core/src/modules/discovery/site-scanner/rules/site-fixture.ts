import { siteScanToolkit } from '../../../../adapters/site-scan-toolkit.ts'
import { SCANNER_AGENT } from '../scan-limits.ts'
import type { Site, SiteAnswer, SiteResponse } from '../site.ts'

export const ORIGIN = 'https://site.example'

/** A response of a site under test. Default: 200, and the media type of the extension. */
export interface TestAnswer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
  readonly elapsedMs?: number
  readonly bytes?: number
}

type Request = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Of a POST. */
  readonly body?: object
}

/** What a site answers: a body, a response, or a function of the request. */
export type TestAnswers = Readonly<
  Record<string, string | TestAnswer | ((request: Request) => string | TestAnswer | SiteResponse)>
>

const TYPES: Readonly<Record<string, string>> = { txt: 'text/plain', xml: 'application/xml', json: 'application/json' }

function toAnswer(path: string, given: string | TestAnswer): SiteAnswer {
  const {
    status = 200,
    type,
    headers = {},
    body = '',
    elapsedMs = 5,
    bytes,
  } = typeof given === 'string' ? { body: given } : given
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const extension = path.slice(path.lastIndexOf('.') + 1)
  return {
    is: 'answer',
    url: new URL(path, ORIGIN).href,
    status,
    headers: new Map(
      Object.entries({
        'content-type': type ?? TYPES[extension] ?? (typeof body === 'string' ? 'text/html' : 'application/json'),
        ...headers,
      }),
    ),
    body: text,
    bytes: bytes ?? text.length,
    isCut: false,
    elapsedMs,
  }
}

/** A site with these responses by path and query; everything else is 404. */
export function siteOf(answers: TestAnswers, page = '/'): Site {
  const answerTo = ({ path, ...request }: Request): SiteResponse => {
    const given = answers[path] ?? { status: 404 }
    const answer = typeof given === 'function' ? given({ path, ...request }) : given
    return typeof answer === 'object' && 'is' in answer ? answer : toAnswer(path, answer)
  }
  const send = (address: string, request: Omit<Request, 'path'>): SiteResponse => {
    const url = new URL(address, ORIGIN)
    if (!robotsRules.isAllowed(url.href, SCANNER_AGENT)) return { is: 'disallowed', reason: 'robots.txt forbids it.' }
    return answerTo({ path: url.pathname + url.search, ...request })
  }
  const { parseRobots, outlineHtml } = siteScanToolkit()
  const robots = toAnswer('/robots.txt', (answers['/robots.txt'] ?? { status: 404 }) as string | TestAnswer)
  const robotsRules = parseRobots(`${ORIGIN}/robots.txt`, robots.status === 200 ? robots.body : '')
  return {
    url: new URL(page, ORIGIN),
    robots,
    robotsRules,
    outlineHtml,
    get: async (address, headers = {}) => send(address, { headers }),
    post: async (address, body, headers = {}) => send(address, { headers, body }),
  }
}
