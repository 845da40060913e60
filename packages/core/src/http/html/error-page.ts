import { STATUS_CODES } from 'node:http'
import type { EepError } from '../../kernel/errors.ts'
import { html } from './html.ts'
import type { PageLanguage } from './messages.ts'
import { pageMessages } from './page-messages.ts'
import type { HtmlView } from './view.ts'
import { retrySeconds, waitText } from './wait-text.ts'

const TOO_MANY_REQUESTS = 429

/** Returns the page of an error. */
export const errorView = (
  { status, code, message, headers }: EepError,
  docsUrl: string,
  page: PageLanguage,
): HtmlView => {
  const say = pageMessages(page)
  const wait = status === TOO_MANY_REQUESTS ? retrySeconds(headers) : undefined
  const title = wait === undefined ? (STATUS_CODES[status] ?? 'Error') : say('tooMany')
  const lead = wait === undefined ? `${message}.` : say('retryIn', { time: waitText(page, wait) })
  return {
    title,
    head: html`<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="soft">${say('forPrograms')} <a href="${docsUrl}/${code}"><code>${code}</code></a></p>`,
  }
}
