import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { listedPage, nextPageHtml } from '../../../../framework/module/screen-list.ts'
import { html } from '../../../../http/html/html.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import type { GateService } from '../../../access/gates/index.ts'
import type { EntitlementService, SalesService } from '../../../access/receipts/index.ts'
import { readSoldResources, type SoldServices } from '../access/sold-resources.ts'
import { namesOf, titleOf } from '../access/tiers-html.ts'
import { accessTable, customersTable, type DecimalsOn, giveForm } from '../customers/customers-html.ts'
import { customersMessages } from '../messages.ts'
import { optionalLine } from '../values.ts'

/** The services of the screen with the customers of a profile. */
export interface CustomersScreen extends SoldServices {
  readonly sales: Pick<SalesService, 'listCustomers'>
  readonly entitlements: EntitlementService
  readonly gates: Pick<GateService, 'gateOf'>
  readonly decimalsOn: DecimalsOn
}

/** The text of the query with the cursor of the list of access. */
const ACCESS = 'access'

const PROBLEMS = new Map<string, 'noRecipient' | 'noAccess' | 'noSuchTier'>([
  ['recipient_not_found', 'noRecipient'],
  ['entitlement_not_found', 'noAccess'],
  ['unknown_tier', 'noSuchTier'],
])

/** The end of a day of an input, in UTC; null for none. */
const lastMoment = z.union([
  z.literal('').transform(() => null),
  z.iso.date().transform((day) => new Date(`${day}T23:59:59Z`)),
])

/** The screen with the customers of a profile: what they bought, and access that is given and taken by hand. */
export const customersScreen = ({ sales, entitlements, gates, decimalsOn, ...services }: CustomersScreen): Screen => ({
  name: 'customers',
  path: '/manage/profiles/:id/customers',
  section: 'profile',
  permission: 'payments.read',
  nav: { position: 45 },
  query: ['cursor', ACCESS],
  errors: [invalidCursor],
  title: (page) => customersMessages(page)('title'),
  said: (outcome, page) =>
    outcome === 'given' || outcome === 'taken'
      ? customersMessages(page)(outcome === 'given' ? 'did_given' : 'did_taken')
      : undefined,
  problem({ code }, page) {
    const key = PROBLEMS.get(code)
    return key && customersMessages(page)(key)
  },
  inputsOf: ({ code }) => (code === 'recipient_not_found' ? ['to'] : code === 'unknown_tier' ? ['tier'] : []),
  post: {
    give: screenAction({
      permission: 'gates.edit',
      schema: z.object({
        to: z.string().trim().min(1).max(254),
        tier: z.string().min(1).max(32),
        until: lastMoment,
        reason: optionalLine(256),
      }),
      async run({ profile, caller, path }: ProfileVisit, { to, tier, until: validUntil, reason }) {
        await entitlements.grant({ profileId: profile.id, to: { account: to }, tier, validUntil, reason }, caller)
        return { to: path, said: 'given' }
      },
    }),
    take: screenAction({
      permission: 'gates.edit',
      schema: z.object({ grant: z.uuid() }),
      async run({ caller, path }: ProfileVisit, { grant }) {
        await entitlements.revoke(grant, null, caller)
        return { to: path, said: 'taken' }
      },
    }),
  },
  async get(visit) {
    const { site, profile, caller } = visit
    const say = customersMessages(site)
    const [found, access, gate, resources] = await Promise.all([
      sales.listCustomers(profile.id, listedPage(visit), caller),
      entitlements.list({ profileId: profile.id, active: true }, listedPage(visit, ACCESS), caller),
      gates.gateOf(profile.id),
      readSoldResources(services, profile, caller),
    ])
    const nameOf = namesOf(site, resources)
    const tiers = Object.entries(gate?.config.tiers ?? {}).flatMap(([name, tier]) =>
      tier.requirements.length === 0 ? [] : { name, title: titleOf(site, { name, tier }, nameOf) },
    )
    return {
      lead: say('lead'),
      beside: html`<a class="btn second" href="${hrefOn(site, `/manage/profiles/${profile.id}/sales`)}">${say('sales')}</a>`,
      body: html`${
        found.items.length === 0 ? emptyHtml(say('none')) : customersTable(visit, found.items, decimalsOn)
      }${nextPageHtml(visit, found, say('next'))}<h2>${say('access')}</h2>
${access.items.length === 0 ? html`<p>${say('noneHas')}</p>\n` : accessTable(visit, access.items, nameOf)}${nextPageHtml(visit, access, say('nextAccess'), ACCESS)}${giveForm(visit, tiers)}`,
    }
  },
})
