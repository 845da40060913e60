import { type Html, html } from '../../../../http/html/html.ts'
import type { HtmlView } from '../../../../http/html/view.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import { checkoutMessages } from '../messages.ts'

/** The state of a checkout page when its buyer is back here. */
export type CheckoutState = 'continue' | 'open' | 'cancelled' | 'expired' | 'unknown' | 'none' | 'later' | 'other'

const TEXTS = {
  continue: ['continueTitle', 'continueText'],
  open: ['openTitle', 'openText'],
  cancelled: ['cancelledTitle', 'cancelledText'],
  expired: ['expiredTitle', 'expiredText'],
  unknown: ['unknownTitle', 'unknownText'],
  none: ['noneTitle', 'noneText'],
  later: ['laterTitle', 'laterText'],
  other: ['otherTitle', 'otherText'],
} as const

/** The addresses that the page of a checkout leads to. */
export interface CheckoutLinks {
  /** The page at the processor, while it can be paid. */
  readonly checkoutUrl?: string | undefined
  /** The address that asks for the outcome again. */
  readonly checkHref?: string | undefined
  /** Where the form is sent that opens a purchase in a browser which has another payer. */
  readonly openHref?: string | undefined
  /** The origin to which that form is redirected, as some browsers let forms redirect to known origins only. */
  readonly openTarget?: string | undefined
  /** The page that is for sale. While an outcome is unknown it is not linked, because it could be paid for again there. */
  readonly backHref?: string | undefined
}

/** The page of a file that was bought: the confirmation, and the button that saves it. A browser that saves a file shows no other page. */
export function fileView(page: PageLanguage, name: string, href: string, notice: Html): HtmlView {
  const say = checkoutMessages(page)
  return {
    title: name,
    head: html`${notice}
<p class="label">${say('fileLabel')}</p>
<h1><bdi>${name}</bdi></h1>
<p class="acts"><a class="btn" href="${href}" download>${say('download')}</a></p>`,
  }
}

/** The page with the state of a checkout, and the next step of its buyer. */
export function checkoutView(
  state: CheckoutState,
  page: PageLanguage,
  { checkoutUrl, checkHref, openHref, openTarget, backHref }: CheckoutLinks = {},
): HtmlView {
  const say = checkoutMessages(page)
  const [title, text] = TEXTS[state]
  const host = checkoutUrl === undefined ? '' : new URL(checkoutUrl).host
  const onwards = state === 'continue' ? 'continueLink' : 'openLink'
  return {
    title: say(title),
    hasForm: openHref !== undefined,
    formTargets: openTarget === undefined ? undefined : [openTarget],
    head: html`<p class="label">${say('label')}</p>
<h1>${say(title)}</h1>
<p class="lead">${say(text, { host })}</p>
${openHref !== undefined && html`<form method="post" action="${openHref}"><button type="submit">${say('otherLink')}</button></form>\n`}<p class="acts">${checkoutUrl !== undefined && html`<a class="btn" href="${checkoutUrl}">${say(onwards)}</a>`}${
      checkHref !== undefined && html`<a class="btn" href="${checkHref}">${say('check')}</a>`
    }${backHref !== undefined && html`<a href="${backHref}">${say('back')}</a>`}</p>`,
  }
}
