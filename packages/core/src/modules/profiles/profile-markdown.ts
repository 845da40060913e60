import { documentOf, fenced, frontMatter, inline, link, list, paragraphs, section } from '../../kernel/markdown.ts'
import {
  decimalAmount,
  type GateConfig,
  type GateRequirement,
  gateConfigPath,
  isPayment,
  type PaymentRequirement,
} from '../gates/index.ts'
import { didOf } from './did.ts'
import { urlsOf } from './record.ts'
import { isGated, type ProfileView } from './view.ts'

const PER: Readonly<Record<string, string>> = { request: 'per request', once: 'once' }

const priceText = (price: PaymentRequirement) =>
  `${decimalAmount(price)} ${price.currency.toUpperCase()} ${PER[price.per] ?? `per ${price.per}`}`

function requirementText(requirement: GateRequirement): string {
  if (isPayment(requirement)) return priceText(requirement)
  return `asks for ${requirement.type}`
}

const accessOf = (gates: GateConfig | undefined): string =>
  list(
    Object.entries(gates?.tiers ?? {}).map(([name, { label, requirements, access }]) => {
      const terms = requirements.length === 0 ? 'free' : requirements.map(requirementText).join(' and ')
      return `${inline(label ?? name)}: ${terms}; opens ${access.map((pattern) => `\`${pattern}\``).join(', ')}`
    }),
  )

const linkOrHandle = (name: string, value: string) =>
  value.startsWith('https://') ? link(name, value) : `${inline(name)}: ${inline(value)}`

/** A profile for reading. What its owner wrote is escaped, so that every heading, link and field here is ours. */
export function profileMarkdown(view: ProfileView, publicUrl: string): string {
  const { profile, contents, gates } = view
  const did = didOf(publicUrl, profile)
  const urls = urlsOf(publicUrl, profile)
  return documentOf(
    frontMatter({
      did,
      type: profile.type,
      username: profile.username,
      updated_at: profile.updatedAt.toISOString(),
      alternates: { json: urls.json, toon: urls.toon },
    }),
    `# ${inline(profile.fullName ?? profile.username)}`,
    ...section('About', paragraphs(profile.bio ?? '')),
    ...section('Skills', list(profile.skills.map(inline))),
    ...section('Links', list(Object.entries(profile.socials).map(([name, value]) => linkOrHandle(name, value)))),
    ...section('Agent instructions', profile.agentInstructions ? fenced(profile.agentInstructions) : ''),
    ...section('Agent rules', profile.agentRules ? fenced(profile.agentRules) : ''),
    ...section('Contents', list(contents.map(({ page, path }) => link(page.title, `${urls.contents}/${path}`)))),
    ...section('Access', accessOf(gates)),
    ...section(
      'Machine links',
      list([
        link('This profile as JSON', urls.json),
        link('This profile as TOON', urls.toon),
        link('Contents', urls.contents),
        link('Changelog', urls.changelog),
        link('Freshness', urls.freshness),
        link('Badge', urls.badge),
        link('DID document', urls.did),
        ...(isGated(view) ? [link('Gate configuration', `${publicUrl}${gateConfigPath(did)}`)] : []),
        link('Service description', urls.service),
      ]),
    ),
  )
}
