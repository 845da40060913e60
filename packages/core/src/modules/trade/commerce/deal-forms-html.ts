import { z } from 'zod'
import { type ProfileVisit, type ScreenAction, screenAction } from '../../../framework/module/screen.ts'
import {
  actionButton,
  buttonOnly,
  isChosen,
  ofForm,
  screenForm,
  shownText,
  wrongWith,
} from '../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { areaHtml, lineHtml, selectHtml } from '../../../http/html/inputs.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import { isBlank, prose } from '../../../kernel/text-fields.ts'
import { mayMove, type NegotiationAction } from '../../../model/negotiation.ts'
import { currency as currencyCode, type Pricing } from '../../../model/pricing.ts'
import { disputeSchema, invoiceSchema, proofOfPaymentSchema } from '../../../model/terms.ts'
import { shownAmount, typedAmount } from '../../../model/typed-amount.ts'
import type { DealScreens } from './deals.screen.ts'
import { dealMessages } from './messages.ts'
import { type NegotiationView, stateDetailsOf } from './parties.ts'
import type { MoveRequest } from './service.ts'
import { tagOf } from './service.ts'

const MAX_TEXT = 1_024
const PROBLEMS = ['not_delivered', 'not_as_described', 'not_paid', 'other'] as const

const text = z
  .string()
  .optional()
  .transform((sent = '') => (isBlank(sent) ? undefined : sent.replaceAll('\r\n', '\n')))
  .pipe(prose(MAX_TEXT).optional())
const tag = z.string().max(128)
const amount = z.string().trim().transform(typedAmount).pipe(z.number())

/** The price with another amount: that of the unit, where the price is one of a unit. */
const withAmount = ({ amount: once, rate, ...pricing }: Pricing, typed: number): Pricing =>
  once === undefined && rate !== undefined ? { ...pricing, rate: typed } : { ...pricing, amount: typed }

/** Makes what the forms of a deal do: each is a move of the acting profile. */
export function dealActions({
  negotiations,
}: Pick<DealScreens, 'negotiations'>): Readonly<Record<NegotiationAction, ScreenAction<ProfileVisit>>> {
  async function move(
    visit: ProfileVisit,
    action: NegotiationAction,
    ifMatch: string,
    input?: (view: NegotiationView) => MoveRequest['input'],
  ) {
    const participant = { caller: visit.caller, activeProfileId: visit.profile.id }
    const id = visit.text('deal')
    const sent = input?.(await negotiations.get(id, participant))
    await negotiations.move(id, { action, ifMatch, input: sent }, participant)
    return { to: visit.path, said: action }
  }
  const withReason = (action: NegotiationAction) =>
    screenAction({
      schema: z.object({ tag, reason: text }),
      run: (visit: ProfileVisit, sent) => move(visit, action, sent.tag, () => ({ reason: sent.reason })),
    })
  return {
    accept: withReason('accept'),
    reject: withReason('reject'),
    expire: withReason('expire'),
    complete: withReason('complete'),
    counter: screenAction({
      schema: z.object({ tag, reason: text, amount }),
      run: (visit: ProfileVisit, sent) =>
        move(visit, 'counter', sent.tag, ({ negotiation: { pricing } }) => ({
          reason: sent.reason,
          pricing: withAmount(pricing, sent.amount),
        })),
    }),
    invoice: screenAction({
      schema: z.object({
        tag,
        invoice_id: invoiceSchema.shape.invoice_id,
        invoice_amount: amount,
        currency: z.string().trim().toLowerCase().pipe(currencyCode),
      }),
      run: (visit: ProfileVisit, sent) =>
        move(visit, 'invoice', sent.tag, () => ({
          invoice: { invoice_id: sent.invoice_id, amount: sent.invoice_amount, currency: sent.currency },
        })),
    }),
    receipt: screenAction({
      schema: z.object({ tag, receipt_id: proofOfPaymentSchema.shape.receipt_id }),
      run: (visit: ProfileVisit, sent) =>
        move(visit, 'receipt', sent.tag, ({ negotiation: { invoice } }) => {
          if (!invoice) throw validationFailed()
          const { receipt_id } = sent
          const proof = { type: 'receipt', token: receipt_id }
          return { receipt: { receipt_id, payment_proof: proof, invoice_id: invoice.invoice_id } }
        }),
    }),
    dispute: screenAction({
      schema: z.object({ tag, problem: disputeSchema.shape.reason_code, evidence: text }),
      run: (visit: ProfileVisit, sent) =>
        move(visit, 'dispute', sent.tag, () => ({
          dispute: { reason_code: sent.problem, ...(sent.evidence && { evidence: [sent.evidence] }) },
        })),
    }),
  }
}

/** Writes the forms of the moves that the viewer may make now: plain ones as buttons, others folded below their names. */
export function dealFormsHtml(visit: ProfileVisit, view: NegotiationView): Html | false {
  const { negotiation, actor } = view
  const { pricing, invoice, pricingMode } = negotiation
  const say = dealMessages(visit.site)
  const hidden = { tag: tagOf(negotiation) }
  const mayNow = (action: NegotiationAction) => mayMove(stateDetailsOf(negotiation), action, actor)
  const isFirst = (['accept', 'complete'] as const).find(mayNow)
  const button = (action: 'accept' | 'complete' | 'expire') =>
    mayNow(action) && buttonOnly(visit, action, say(`do_${action}`), hidden, action === isFirst ? 'second' : 'quiet')

  function folded(action: NegotiationAction, inputs: (shown: ProfileVisit) => Html, isDanger = false): Html | false {
    if (!mayNow(action)) return false
    const shown = ofForm(visit, [action])
    const sent = actionButton(visit, action, say(`do_${action}`), isDanger ? 'danger' : undefined)
    const form = screenForm(visit, { actions: [action], hidden }, html`${inputs(shown)}<p>${sent}</p>`)
    return (
      form && html`<details${shown.entered && html` open`}><summary>${say(`do_${action}`)}</summary>${form}</details>\n`
    )
  }
  const reason = (shown: ProfileVisit, action: string, name = 'reason') =>
    areaHtml({
      name,
      id: `${name}-${action}`,
      label: say(name === 'reason' ? 'reason' : 'evidence'),
      rows: 2,
      maxLength: MAX_TEXT,
      value: shownText(shown, name, ''),
      problem: wrongWith(shown, name),
    })
  const amountOf = ({ amount, rate }: Pick<Pricing, 'amount' | 'rate'>) => shownAmount(amount ?? rate)
  const line = (
    shown: ProfileVisit,
    name: 'amount' | 'invoice_amount' | 'invoice_id' | 'currency' | 'receipt_id',
    stored: string,
  ) =>
    lineHtml({
      name,
      label: say(name),
      isRequired: true,
      isExact: true,
      inputMode: name.endsWith('amount') ? 'decimal' : undefined,
      value: shownText(shown, name, stored),
      problem: wrongWith(shown, name),
    })
  return html`<div class="beside">${button('accept')}${button('complete')}${button('expire')}</div>
${pricingMode === 'negotiable' && folded('counter', (shown) => html`${line(shown, 'amount', amountOf(pricing))}${reason(shown, 'counter')}`)}
${folded('invoice', (shown) => html`${line(shown, 'invoice_id', '')}<div class="pair">${line(shown, 'invoice_amount', amountOf(pricing))}${line(shown, 'currency', pricing.currency)}</div>`)}
${invoice !== null && folded('receipt', (shown) => html`<p>${say('receiptText')}</p>${line(shown, 'receipt_id', '')}`)}
${folded('reject', (shown) => reason(shown, 'reject'), true)}
${folded(
  'dispute',
  (shown) =>
    html`${selectHtml({
      name: 'problem',
      label: say('problem'),
      choices: PROBLEMS.map((each) => ({
        value: each,
        label: say(`problem_${each}`),
        isChosen: isChosen(shown, 'problem', each, each === PROBLEMS[0]),
      })),
    })}${reason(shown, 'dispute', 'evidence')}`,
  true,
)}`
}
