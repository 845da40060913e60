import { z } from 'zod'
import { type ProfileVisit, type Screen, type ScreenView, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, ofForm, screenForm } from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { validationFailed } from '../../../../kernel/errors.ts'
import { momentText } from '../../../../model/day-text.ts'
import { type GateConfig, gateConfigSchema, priceSchema } from '../../../../model/gate-config.ts'
import { typedAmount } from '../../../../model/typed-amount.ts'
import { type GateService, priceNotPayable, staleGate } from '../../../access/gates/index.ts'
import type { Paywall } from '../../../access/paywall/index.ts'
import { previewForm, previewHtml } from '../access/preview-html.ts'
import { readSoldResources, type SoldResources, type SoldServices } from '../access/sold-resources.ts'
import { asksForLess, openedByChange, patternsIn, tierForm, withoutTier, withTier } from '../access/tier-form.ts'
import { confirmHtml, type NamedTier, namesOf, tierCard, tierFormHtml, titleOf } from '../access/tiers-html.ts'
import { accessMessages } from '../messages.ts'
import { oneId } from '../values.ts'

/** The services of the screen with the tiers of a profile. */
export interface AccessScreen extends SoldServices {
  readonly gates: Pick<GateService, 'gateOf' | 'getConfig' | 'putConfig' | 'didOf' | 'listVersions' | 'getVersion'>
  readonly paywall: Pick<Paywall, 'explain'>
  /** Whether the storage keeps versions of gate configurations. */
  readonly hasHistory: boolean
}

const MAX_HISTORY = 20
const OUTCOMES = ['saved', 'removed', 'restored'] as const

const invalid = (input: string) => validationFailed({ details: { in: 'body', issues: [{ path: `/${input}` }] } })

/** The inputs that a failed validation names. */
const inputsIn = (details: unknown): readonly string[] =>
  z
    .object({ issues: z.array(z.object({ path: z.string() })) })
    .transform(({ issues }) => issues.map(({ path }) => path.slice(1)))
    .catch([])
    .parse(details)

/** The tiers that ask for something. */
const tiersOf = ({ tiers, default_tier: home }: GateConfig): readonly NamedTier[] =>
  Object.entries(tiers).flatMap(([name, tier]) =>
    name === home || tier.requirements.length === 0 ? [] : { name, tier },
  )

/** The screen with the tiers of a profile: whom each is for, what it opens, a preview, and earlier versions. */
export function accessScreen({ gates, paywall, hasHistory, ...services }: AccessScreen): Screen {
  /** The configuration of a profile as it is now, with its ETag. */
  async function read({ profile, caller }: ProfileVisit) {
    const { bytes, tag } = await gates.getConfig(gates.didOf(profile), caller)
    return { config: gateConfigSchema.parse(JSON.parse(bytes.toString())), tag }
  }

  /** Saves a configuration. Asks for a confirmation when it opens something that had to be paid, or a tier asks for less. */
  async function save(
    visit: ProfileVisit,
    { before, next, tag, confirm }: { before: GateConfig; next: GateConfig; tag: string; confirm: unknown },
  ) {
    const { profile, caller } = visit
    const { pages, files, fields } = await readSoldResources(services, profile, caller)
    // The lists are of limited length, so what the tiers name is compared too.
    const resources = [...[...pages, ...files, ...fields].map(({ pattern }) => pattern), ...patternsIn(before)]
    const opensMore = asksForLess(before, next) || openedByChange(before, next, resources).length > 0
    if (!confirm && opensMore) throw invalid('confirm')
    const checked = gateConfigSchema.safeParse(next)
    if (!checked.success) throw invalid('opens')
    await gates.putConfig(gates.didOf(profile), checked.data, caller, { ifMatch: tag })
  }

  async function historyHtml(visit: ProfileVisit): Promise<Html | false> {
    const { site, profile, caller, path } = visit
    const say = accessMessages(site)
    const { items } = await gates.listVersions(gates.didOf(profile), caller, { limit: MAX_HISTORY })
    return (
      items.length > 1 &&
      html`<details><summary>${say('history')}</summary><ul>${items.map(({ version, changedAt }, index) => html`<li><time datetime="${changedAt.toISOString()}">${momentText(site, changedAt)}</time> · ${index === 0 ? say('current') : html`<a href="${hrefOn(site, `${path}?version=${version}`)}">${say('lookAtVersion', { version })}</a>`}</li>`)}</ul></details>\n`
    )
  }

  /** An earlier version with the button that restores it. */
  async function versionView(visited: ProfileVisit, version: number, resources: SoldResources): Promise<ScreenView> {
    const visit = ofForm(visited, ['restore'])
    const { site, profile, caller } = visit
    const say = accessMessages(site)
    const [{ tag }, { config, changedAt }] = await Promise.all([
      read(visit),
      gates.getVersion(gates.didOf(profile), version, caller),
    ])
    const nameOf = namesOf(site, resources)
    const readOnly = { ...visit, allows: () => false }
    const tiers = tiersOf(config)
    return {
      title: say('versionOf', { time: momentText(site, changedAt) }),
      crumbs: [{ name: say('title'), href: visit.path }],
      body: html`${tiers.length === 0 && html`<p>${say('allOpen')}</p>`}${tiers.map((each) => tierCard(readOnly, each, nameOf))}${screenForm(
        visit,
        { actions: ['restore'], hidden: { gate: tag, version: String(version) } },
        html`${confirmHtml(visit)}<p class="acts">${actionButton(visit, 'restore', say('restore'))}<a href="${hrefOn(site, visit.path)}">${say('back')}</a></p>`,
      )}`,
    }
  }

  /** The form of one tier, or of a new one. */
  async function tierView(
    visit: ProfileVisit,
    name: string | undefined,
    resources: SoldResources,
  ): Promise<ScreenView> {
    const { site } = visit
    const say = accessMessages(site)
    const { config, tag } = await read(visit)
    const named = tiersOf(config).find((each) => each.name === name)
    const removing = ofForm(visit, ['removeTier'])
    const remove =
      named &&
      screenForm(
        removing,
        { actions: ['removeTier'], hidden: { gate: tag, tier: named.name } },
        html`<p>${say('removeText')}</p>${confirmHtml(removing)}<p class="acts">${actionButton(removing, 'removeTier', say('remove'), 'danger')}</p>`,
      )
    return {
      title: named ? say('named', { name: titleOf(site, named, namesOf(site, resources)) }) : say('newTier'),
      crumbs: [{ name: say('title'), href: visit.path }],
      body: html`${tierFormHtml(visit, { named, resources, tag })}${remove && html`<section class="card"><h2>${say('removeTitle')}</h2>${remove}</section>\n`}`,
    }
  }

  async function listView(visit: ProfileVisit, resources: SoldResources): Promise<ScreenView> {
    const { site, profile, caller, path, query } = visit
    const say = accessMessages(site)
    const gate = await gates.gateOf(profile.id)
    const tiers = gate ? tiersOf(gate.config) : []
    const nameOf = namesOf(site, resources)
    const canEdit = visit.allows('saveTier')
    const explained =
      canEdit && query.see && nameOf(query.see) !== undefined
        ? await paywall.explain(gates.didOf(profile), query.see, caller, {})
        : undefined
    const newTier = html`<a class="btn" href="${hrefOn(site, `${path}?new=1`)}">${say('newTier')}</a>`
    return {
      lead: say('lead'),
      beside: canEdit && newTier,
      body: html`${!canEdit && html`<p class="notice">${say('askAdmin')}</p>\n`}${
        tiers.length === 0 ? emptyHtml(say('allOpen')) : tiers.map((tier) => tierCard(visit, tier, nameOf))
      }${
        canEdit &&
        html`<section class="card"><h2>${say('preview')}</h2>${previewForm(visit, resources)}${explained && gate && previewHtml(visit, explained, gate.config, nameOf)}${explained && !gate && html`<p>${say('seesAll')}</p>`}</section>\n${hasHistory && (await historyHtml(visit))}`
      }`,
    }
  }

  return {
    name: 'access',
    path: '/manage/profiles/:id/access',
    section: 'profile',
    permission: 'content.edit',
    nav: { position: 35 },
    query: ['tier', 'new', 'see', 'version'],
    errors: [staleGate, priceNotPayable],
    title: (page) => accessMessages(page)('title'),
    said(outcome, page) {
      const known = OUTCOMES.find((each) => each === outcome)
      return known && accessMessages(page)(`did_${known}`)
    },
    problem({ code }, page) {
      if (code === priceNotPayable.code) return accessMessages(page)('notPayable')
      return code === staleGate.code ? accessMessages(page)('changedMeanwhile') : undefined
    },
    wrong(input, page) {
      const say = accessMessages(page)
      if (input === 'confirm') return say('opensToAll')
      return input === 'amount' ? say('wrongAmount') : input === 'opens' ? say('chooseSomething') : undefined
    },
    inputsOf: ({ code, details }) => (code === priceNotPayable.code ? ['amount'] : inputsIn(details)),
    post: {
      saveTier: screenAction({
        permission: 'gates.edit',
        schema: tierForm,
        async run(visit: ProfileVisit, { gate, tier, label, kind, amount, currency, per, opens, confirm }) {
          const { config, tag } = await read(visit)
          // The form was made for another state of the gate.
          if (tag !== gate) throw staleGate()
          if (tier !== '' && !tiersOf(config).some(({ name }) => name === tier)) throw staleGate()
          const price =
            kind === 'paid' ? priceSchema.safeParse({ amount: typedAmount(amount), currency, per }) : undefined
          if (price && !price.success) throw invalid('amount')
          if (kind === 'other' && tier === '') throw invalid('kind')
          const next = withTier(config, { tier, label, kind, price: price?.data, opens })
          await save(visit, { before: config, next, tag, confirm })
          return { to: visit.path, said: 'saved' }
        },
      }),
      removeTier: screenAction({
        permission: 'gates.edit',
        schema: z.object({
          gate: z.string().max(128),
          tier: z.string().min(1).max(32),
          confirm: z.literal('1').optional(),
        }),
        async run(visit: ProfileVisit, { gate, tier, confirm }) {
          const { config, tag } = await read(visit)
          if (tag !== gate || !tiersOf(config).some(({ name }) => name === tier)) throw staleGate()
          await save(visit, { before: config, next: withoutTier(config, tier), tag, confirm })
          return { to: visit.path, said: 'removed' }
        },
      }),
      ...(hasHistory && {
        restore: screenAction({
          permission: 'gates.edit',
          schema: z.object({ gate: z.string().max(128), version: oneId, confirm: z.literal('1').optional() }),
          async run(visit: ProfileVisit, { gate, version, confirm }) {
            const { profile, caller } = visit
            const { config, tag } = await read(visit)
            if (tag !== gate) throw staleGate()
            const { config: next } = await gates.getVersion(gates.didOf(profile), version, caller)
            await save(visit, { before: config, next, tag, confirm })
            return { to: visit.path, said: 'restored' }
          },
        }),
      }),
    },
    async get(visit) {
      const { profile, caller, query } = visit
      const resources = await readSoldResources(services, profile, caller)
      if (visit.allows('saveTier')) {
        const { data: version } = oneId.safeParse(query.version)
        if (version !== undefined && hasHistory) return versionView(visit, version, resources)
        if (query.tier !== undefined || query.new !== undefined) return tierView(visit, query.tier, resources)
      }
      return listView(visit, resources)
    },
  }
}
