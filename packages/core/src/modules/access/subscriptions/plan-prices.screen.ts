import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../framework/module/screen.ts'
import { actionButton, ofForm, screenForm, shownText, wrongWith } from '../../../framework/module/screen-form.ts'
import { html } from '../../../http/html/html.ts'
import { lineHtml } from '../../../http/html/inputs.ts'
import { PLANS, type Plan } from '../../../model/plan.ts'
import type { TierPricing } from '../../../ports/storage/subscriptions.ts'
import { planPriceMessages } from './messages.ts'
import type { Pricing } from './pricing.ts'
import { MAX_CENTS, MAX_TRIAL_DAYS } from './schemas.ts'

/** An amount of money as people write it: `12`, `12.5` or `12,50`. */
const amount = z
  .string()
  .trim()
  .regex(/^\d{1,9}(?:[.,]\d{1,2})?$/)
  .transform((text) => Math.round(Number(text.replace(',', '.')) * 100))
  .pipe(z.int().min(0).max(MAX_CENTS))

const days = z.coerce.number().int().min(0).max(MAX_TRIAL_DAYS)

/** The paid plans: the other one is free. */
const PAID = PLANS.filter((plan): plan is Exclude<Plan, 'community'> => plan !== 'community')

const decimal = (cents: number) => (cents / 100).toFixed(2)

const FIELDS = [
  { name: 'usd', label: 'usd', of: ({ priceUsdMonthlyCents }: TierPricing) => decimal(priceUsdMonthlyCents) },
  { name: 'eur', label: 'eur', of: ({ priceEurMonthlyCents }: TierPricing) => decimal(priceEurMonthlyCents) },
  { name: 'usdc', label: 'usdc', of: ({ priceUsdcYearlyCents }: TierPricing) => decimal(priceUsdcYearlyCents) },
  { name: 'trial', label: 'trial', of: ({ trialDays }: TierPricing) => String(trialDays) },
] as const

export interface PlanPricesScreen {
  readonly pricing: Pick<Pricing, 'all' | 'edit'>
  /** Returns the name of a plan. */
  readonly planName: (plan: Plan) => string
}

/** The screen with the prices of plans. New prices hold for new subscriptions. */
export const planPricesScreen = ({ pricing, planName }: PlanPricesScreen): Screen => ({
  name: 'adminPlanPrices',
  path: '/admin/plan-prices',
  section: 'admin',
  nav: { position: 40 },
  title: (page) => planPriceMessages(page)('title'),
  said: (outcome, page) => (outcome === 'saved' ? planPriceMessages(page)('saved') : undefined),
  wrong: (input, page) => planPriceMessages(page)(input === 'trial' ? 'wrongDays' : 'wrongAmount'),
  post: {
    save: screenAction({
      schema: z.object({ plan: z.enum(PAID), usd: amount, eur: amount, usdc: amount, trial: days }),
      async run({ caller, path }: ScreenVisit, { plan, usd, eur, usdc, trial }) {
        const prices = { priceUsdMonthlyCents: usd, priceEurMonthlyCents: eur, priceUsdcYearlyCents: usdc }
        await pricing.edit(plan, { ...prices, trialDays: trial }, caller)
        return { to: path, said: 'saved' }
      },
    }),
  },
  async get(visit) {
    const say = planPriceMessages(visit.site)
    const all = await pricing.all()
    const forms = PAID.map((plan) => {
      const prices = all.find(({ tier }) => tier === plan)
      const among = { plan }
      const shown = ofForm(visit, ['save'], among)
      return (
        prices &&
        html`<section><h2><bdi>${planName(plan)}</bdi></h2>${screenForm(
          shown,
          { actions: ['save'], among },
          html`<div class="pair">${FIELDS.map(({ name, label, of }) =>
            lineHtml({
              name,
              id: `${plan}-${name}`,
              label: say(label),
              value: shownText(shown, name, of(prices)),
              inputMode: name === 'trial' ? 'numeric' : 'decimal',
              maxLength: 12,
              isRequired: true,
              problem: wrongWith(shown, name),
            }),
          )}</div><p>${actionButton(shown, 'save', say('save', { plan: planName(plan) }), 'second')}</p>`,
        )}</section>\n`
      )
    })
    return { lead: say('lead'), body: html`${forms}` }
  },
})
