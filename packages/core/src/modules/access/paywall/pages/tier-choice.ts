import { type Html, html } from '../../../../http/html/html.ts'
import { MAX_CHOICES } from '../../../../http/html/style-sheet.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { buyTool, tierParameter } from '../../../../http/html/web-mcp.ts'
import { isPayment, type PaymentRequirement } from '../../../../model/gate-config.ts'
import { tierTitle } from '../../../../model/gate-tier-text.ts'
import { moneyText } from '../../../../model/money-text.ts'
import { termText } from '../../../../model/offer-text.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import type { GatedResource } from '../access/resource.ts'
import { refusalMessages } from '../messages.ts'
import type { RequirementContext } from './requirement-html.ts'
import { opensText, saleFields, type TierOffer, tellEmailHtml } from './tier-card.ts'

/** A tier that a person chooses, pays for, and needs nothing else for. */
interface Choice extends TierOffer {
  readonly payment: PaymentRequirement
}

const choiceOf = (offer: TierOffer): Choice | undefined => {
  const payment = offer.tier.requirements.find(isPayment)
  const isPayable = offer.checkout !== undefined || offer.byWallet
  return isPayable && payment && offer.tier.requirements.length === 1 ? { ...offer, payment } : undefined
}

/**
 * Returns the offers of one form, of which a person chooses one. None when there is only one, or more than the style sheet
 * has rules for; then each is a card with its own buttons.
 */
export function choicesOf(offers: readonly TierOffer[]): readonly Choice[] {
  const choices = offers.map(choiceOf).filter((choice) => choice !== undefined)
  return choices.length > 1 && choices.length <= MAX_CHOICES ? choices : []
}

const amountOf = ({ payment }: Choice, site: Site) => moneyText(site, decimalAmount(payment), payment.currency)

/**
 * Writes the text of a button for each choice that it pays. The style sheet shows the one of the chosen tier, hides the button when it has
 * none, and shows the general text to browsers that cannot.
 */
const textsOf = (choices: readonly Choice[], general: string, textOf: (choice: Choice) => string | false): Html =>
  html`<span>${general}</span>${choices.map((choice, index) => {
    const text = textOf(choice)
    return text !== false && html`<span class="t${String(index + 1)}">${text}</span>`
  })}`

/** The form in which a person chooses one of several prices, with a button for each way to pay. */
export function tierChoiceHtml(choices: readonly Choice[], resource: GatedResource, context: RequirementContext): Html {
  const { site } = context
  const say = refusalMessages(site)
  const actions = [...new Set(choices.flatMap(({ checkout }) => checkout?.action ?? []))]
  const [first = choices[0]] = choices.filter(({ checkout }) => checkout !== undefined)
  const fields = first?.checkout && saleFields(first.checkout, resource)
  const hasWallet = choices.some(({ byWallet }) => byWallet)
  const radio = (choice: Choice) => {
    const { name, tier, payment } = choice
    const only =
      choice.checkout === undefined ? say('byWalletOnly') : !choice.byWallet && hasWallet && say('byCardOnly')
    return html`<label class="tier"><input type="radio" name="tier" value="${name}"${choice === first && html` checked${actions.length > 0 && tierParameter(site)}`}><b><bdi>${tierTitle(name, tier, resource.description)}</bdi></b><span class="amount"><bdi>${amountOf(choice, site)}</bdi> <small>${termText(site, payment.per)}</small></span><small>${opensText(tier, resource, context)}.${only && html` ${only}`}${tier.description && html` <span lang="">${tier.description}</span>`}</small></label>\n`
  }
  const cardButton = (action: string) =>
    html`<button type="submit" formaction="${hrefOn(site, action)}" class="say">${textsOf(
      choices,
      say('continueToPayment'),
      (choice) => choice.checkout?.action === action && say('payByCard', { amount: amountOf(choice, site) }),
    )}</button>\n`
  return html`<form class="choice" method="post"${actions.length > 0 && buyTool(site)}${actions[0] !== undefined && html` action="${hrefOn(site, actions[0])}"`}>${fields}
<fieldset><legend class="sr-only">${say('choose')}</legend>
${choices.map(radio)}</fieldset>
${actions.length > 0 && tellEmailHtml(context, 'choice')}${actions.map(cardButton)}${
  hasWallet &&
  html`<button type="button" class="say${actions.length > 0 && html` second`}" hidden data-wallet-tier="">${textsOf(
    choices,
    say('payWithWallet'),
    (choice) => choice.byWallet && say('payAmountWithWallet', { amount: amountOf(choice, site) }),
  )}</button>\n`
}</form>
`
}
