import type { ProfileVisit } from '../../../../framework/module/screen.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { selectHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import type { GateConfig } from '../../../../model/gate-config.ts'
import type { Explanation } from '../../../access/gates/index.ts'
import { accessMessages } from '../messages.ts'
import type { SoldResources } from './sold-resources.ts'
import { namesOf, titleOf, whoText } from './tiers-html.ts'

/** Writes the form that chooses what is looked at. */
export function previewForm({ site, path, query }: ProfileVisit, resources: SoldResources): Html {
  const say = accessMessages(site)
  const nameOf = namesOf(site, resources)
  const all = [...resources.pages, ...resources.categories, ...resources.files, ...resources.fields]
  const choices = all.map(({ pattern }) => ({
    value: pattern,
    label: nameOf(pattern) ?? '',
    language: 'und',
    isChosen: pattern === query.see,
  }))
  return html`<form method="get" action="${hrefOn(site, path)}" class="filters">${selectHtml({ name: 'see', label: say('lookAt'), choices })}<p class="field"><button class="second" type="submit">${say('look')}</button></p></form>\n`
}

/** Writes what an anonymous visitor and a buyer of each tier get of a resource. */
export function previewHtml(
  { site }: ProfileVisit,
  { state, tiers }: Pick<Explanation, 'state' | 'tiers'>,
  { tiers: configured }: GateConfig,
  nameOf: (pattern: string) => string | undefined,
): Html {
  const say = accessMessages(site)
  const buyers = tiers.flatMap(({ tier: name }) => {
    const tier = configured[name]
    if (!tier) return []
    const who = titleOf(site, { name, tier }, nameOf)
    return html`<dt>${say('withTier', { tier: who })}</dt><dd><bdi>${say('opensFor', { price: whoText(site, { tier }) })}</bdi></dd>`
  })
  return html`<dl class="facts"><dt>${say('stranger')}</dt><dd>${say(state === 'open' ? 'seesAll' : buyers.length > 0 ? 'seesOffers' : 'seesNothing')}</dd>${buyers}</dl>\n`
}
