import { STATUS_CODES } from 'node:http'
import type { EepError } from '../../kernel/errors.ts'
import { html } from './html.ts'
import type { PageLanguage } from './messages.ts'
import { pageMessages } from './page-messages.ts'
import type { HtmlView } from './view.ts'

/** Returns the page of an error. */
export const errorView = ({ status, code, message }: EepError, docsUrl: string, page: PageLanguage): HtmlView => {
  const title = STATUS_CODES[status] ?? 'Error'
  return {
    title,
    head: html`<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lead">${message}.</p>
<p class="soft">${pageMessages(page)('forPrograms')} <a href="${docsUrl}/${code}"><code>${code}</code></a></p>`,
  }
}
