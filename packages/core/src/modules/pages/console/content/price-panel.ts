import { z } from 'zod'
import { type ProfileVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, ofForm, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { boxHtml, cardsHtml, lineHtml, selectHtml } from '../../../../http/html/inputs.ts'
import { validationFailed } from '../../../../kernel/errors.ts'
import { askedText } from '../../../../model/asked-text.ts'
import { type GateConfig, gateConfigSchema, priceSchema } from '../../../../model/gate-config.ts'
import { termText } from '../../../../model/offer-text.ts'
import { shownAmount, typedAmount } from '../../../../model/typed-amount.ts'
import type { GateService } from '../../../access/gates/index.ts'
import { contentResource, type PlacedPage, pageNotFound } from '../../../publishing/content/index.ts'
import { editorMessages } from '../messages.ts'
import { followersTierOf, withFollowers, withoutFollowers } from './followers-tier.ts'

/** The services of the panel with the price of a page. */
export interface PricePanelServices {
  readonly gates: Pick<
    GateService,
    'gateOf' | 'getPrice' | 'setPrice' | 'deletePrice' | 'getConfig' | 'putConfig' | 'didOf'
  >
  readonly pages: { get(id: number, caller: ProfileVisit['caller']): Promise<PlacedPage> }
}

const CURRENCIES = ['usd', 'eur', 'gbp', 'jpy', 'usdc'] as const
const TERMS = ['day', 'week', 'month', 'year', 'once'] as const
const ACCESS = ['free', 'followers', 'paid'] as const
type Access = (typeof ACCESS)[number]

const sent = z.object({
  access: z.enum(ACCESS),
  amount: z.string().trim(),
  currency: z.string().trim(),
  per: priceSchema.shape.per,
  gate: z.string().max(128),
  confirm: z.literal('1').optional(),
})

/** The panel with the price of a page: free, for followers, or paid. */
export function createPricePanel({ gates, pages }: PricePanelServices) {
  /** Reads the price of a page, and what else opens it. */
  async function read({ profile, caller }: ProfileVisit, { slugs }: Pick<PlacedPage, 'slugs'>) {
    const resource = contentResource(slugs)
    const [{ priced, tag }, gate] = await Promise.all([
      gates.getPrice(profile.id, resource, caller),
      gates.gateOf(profile.id),
    ])
    const followers = gate && followersTierOf(gate.config, resource)
    const access: Access = priced.price ? 'paid' : followers === undefined ? 'free' : 'followers'
    return { resource, priced, tag, access, others: priced.otherTiers.filter((name) => name !== followers) }
  }

  /** Changes the whole gate of a profile, as it is at a tag. */
  async function edit({ profile, caller }: ProfileVisit, tag: string, change: (config: GateConfig) => GateConfig) {
    const did = gates.didOf(profile)
    const { bytes } = await gates.getConfig(did, caller)
    const config = gateConfigSchema.parse(JSON.parse(bytes.toString()))
    const next = change(config)
    return next === config ? tag : (await gates.putConfig(did, next, caller, { ifMatch: tag })).tag
  }

  return {
    async html(visited: ProfileVisit, { placed }: { readonly placed: PlacedPage }): Promise<Html | false> {
      const actions = ['price']
      const visit = ofForm(visited, actions)
      const { site, profile } = visit
      const say = editorMessages(site)
      if (!visit.allows('price')) {
        const gate = await gates.gateOf(profile.id)
        const asked = askedText(site, contentResource(placed.slugs), gate?.config) ?? say('freeNow')
        return html`<section class="card"><h2>${say('whoReads')}</h2><p><bdi>${asked}</bdi></p><p class="soft">${say('askAdmin')}</p></section>\n`
      }
      const { priced, tag, access, others } = await read(visit, placed)
      const { price } = priced
      const chosen = shownText(visit, 'access', access)
      const currency = shownText(visit, 'currency', price?.currency ?? 'usd')
      const per = shownText(visit, 'per', price?.per ?? 'once')
      const currencies = [...new Set<string>([...CURRENCIES, currency])]
      const terms = TERMS.some((each) => each === price?.per) || !price ? TERMS : [price.per, ...TERMS]
      const paid = html`<div class="pair">${lineHtml({ name: 'amount', label: say('amount'), inputMode: 'decimal', value: shownText(visit, 'amount', shownAmount(price?.amount)), problem: wrongWith(visit, 'amount') })}${selectHtml({ name: 'currency', label: say('currency'), problem: wrongWith(visit, 'currency'), choices: currencies.map((each) => ({ value: each, label: each.toUpperCase(), language: 'en', isChosen: each === currency })) })}</div>${selectHtml({ name: 'per', label: say('term'), choices: terms.map((each) => ({ value: each, label: termText(site, each), isChosen: each === per })) })}`
      const asks = wrongWith(visit, 'confirm')
      return html`<section class="card">${screenForm(
        visit,
        // A form that was refused for its tag shows what was entered, and is about the gate as it is now.
        { actions, hidden: { gate: tag } },
        html`${cardsHtml({
          name: 'access',
          label: say('whoReads'),
          choices: ACCESS.map((each) => ({
            value: each,
            label: say(each),
            hint: say(`${each}Hint`),
            isChosen: each === chosen,
            ...(each === 'paid' && { opens: paid }),
          })),
        })}${others.length > 0 && html`<p class="soft">${say('otherTiers', { tiers: others.join(', ') })}</p>`}${asks && html`<p class="wrong">${asks}</p>${boxHtml({ name: 'confirm', value: '1', label: say('confirmOpen'), isChecked: false })}`}<p class="acts">${actionButton(visit, 'price', say('savePrice'), 'second')}</p>`,
      )}</section>\n`
    },

    actions: {
      price: screenAction({
        permission: 'gates.edit',
        schema: sent,
        async run(visit: ProfileVisit, { access, amount, currency, per, gate, confirm }) {
          const { profile, caller, path } = visit
          const placed = await pages.get(visit.number('page'), caller)
          if (placed.page.profileId !== profile.id) throw pageNotFound()
          const { resource, access: before } = await read(visit, placed)
          const key = { profileId: profile.id, resource }
          if (before === 'paid' && access !== 'paid' && !confirm) {
            throw validationFailed({ details: { in: 'body', issues: [{ path: '/confirm' }] } })
          }
          if (access === 'paid') {
            const price = priceSchema.safeParse({ amount: typedAmount(amount), currency, per })
            if (!price.success) throw validationFailed({ details: { in: 'body', issues: [{ path: '/amount' }] } })
            // The other way in ends last: when a step fails, the page is not open to everyone.
            const { tag } = await gates.setPrice(key, price.data, caller, { ifMatch: gate })
            await edit(visit, tag, (config) => withoutFollowers(config, resource))
            return { to: path, said: 'price' }
          }
          const change = access === 'followers' ? withFollowers : withoutFollowers
          const tag = await edit(visit, gate, (config) => change(config, resource))
          if (before === 'paid') await gates.deletePrice(key, caller, { ifMatch: tag })
          return { to: path, said: 'price' }
        },
      }),
    },
  }
}
