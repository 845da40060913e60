import type { EepError, ErrorDefinition } from '../../kernel/errors.ts'
import type { PageLanguage } from '../../model/messages.ts'
import { errorKeyOf } from './error-keys.ts'
import { html } from './html.ts'
import { errorMessages, pageMessages } from './messages.ts'
import type { HtmlView } from './view.ts'
import { retrySeconds, waitText } from './wait-text.ts'

const UNAUTHENTICATED = 401
const TOO_MANY_REQUESTS = 429
const GONE = 410

/** The status of the page of an error: 410 shows browsers and search engines that a resource is gone for good. */
export const pageStatusOf = ({ status, isGone }: Pick<ErrorDefinition, 'status' | 'isGone'>): number =>
  isGone ? GONE : status

/** The id under which an unexpected error is in the log. */
function referenceOf(details: unknown): string | undefined {
  const id = (details as { readonly request_id?: unknown } | undefined)?.request_id
  return typeof id === 'string' ? id : undefined
}

function wordsOf(error: EepError, page: PageLanguage): { readonly title: string; readonly lead: string } {
  const status = pageStatusOf(error)
  const say = errorMessages(page)
  const wait = status === TOO_MANY_REQUESTS ? retrySeconds(error) : undefined
  if (wait !== undefined) {
    return { title: say('tooMany'), lead: pageMessages(page)('retryIn', { time: waitText(page, wait) }) }
  }
  const key = errorKeyOf(status)
  return { title: say(key), lead: say(`${key}Lead`) }
}

/**
 * Returns the page of an error. Its title is in the language of the reader; the message of the error is in English.
 *
 * @param signInHref - where people sign in who then see the page; for errors with status 401
 */
export const errorView = (
  error: EepError,
  docsUrl: string,
  page: PageLanguage,
  signInHref?: string | undefined,
): HtmlView => {
  const { code, message, details } = error
  const status = pageStatusOf(error)
  const { title, lead } = wordsOf(error, page)
  const reference = referenceOf(details)
  return {
    title,
    head: html`<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${status === UNAUTHENTICATED && signInHref !== undefined && html`<p><a class="btn" href="${signInHref}">${pageMessages(page)('signIn')}</a></p>\n`}<p class="soft">${pageMessages(page)('forPrograms')} <a href="${docsUrl}/${code}"><code>${code}</code></a> <span lang="en" dir="ltr">${message}.</span></p>
${reference && html`<p class="soft">${errorMessages(page)('reference')} <code>${reference}</code></p>`}`,
  }
}
