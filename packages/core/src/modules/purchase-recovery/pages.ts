import { html } from '../../http/html/html.ts'
import type { HtmlView } from '../../http/html/view.ts'
import type { EepError } from '../../kernel/errors.ts'
import type { OpenPurchase } from '../../ports/storage/gates.ts'

/** The page of a link. It changes nothing until its button is pressed, so programs that open links do not use them up. */
export const linkView: HtmlView = {
  title: 'Your purchases',
  head: html`<p class="label">Purchases</p>
<h1>Open your purchases here</h1>
<p class="lead">This lets this browser read what was bought with your email address. The link works once.</p>
<form method="post"><button type="submit">Open my purchases</button></form>`,
}

const endText = (validUntil: Date | null) =>
  validUntil === null ? 'permanent' : `until ${validUntil.toISOString().slice(0, 10)}`

/** The purchases that a link opened. */
export const recoveredView = (purchases: readonly OpenPurchase[]): HtmlView => ({
  title: 'Your purchases',
  head: html`<p class="label">Purchases</p>
<h1>${purchases.length > 0 ? 'Available in this browser again' : 'Nothing to open'}</h1>
${
  purchases.length > 0
    ? html`<ul>${purchases.map(
        ({ purchase: { shown, resource }, validUntil }) =>
          html`<li><a href="${shown.url}">${shown.description || resource}</a> · ${endText(validUntil)}</li>\n`,
      )}</ul>`
    : html`<p class="lead">The purchases of this email address have expired or were refunded.</p>`
}`,
})

/** The page of a link that does not work. */
export const refusedView = ({ message }: EepError): HtmlView => ({
  title: 'This link does not work',
  head: html`<h1>This link does not work</h1>
<p class="lead">${message}.</p>`,
})
