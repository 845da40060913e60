import type { ProfileSection } from '../../../framework/module/profile-part.ts'
import { documentOf, fenced, frontMatter, inline, link, list, paragraphs, section } from '../../../kernel/markdown.ts'
import { type GateConfig, gateConfigPath } from '../../../model/gate-config.ts'
import { termsText, tierTitle, tierTitleIn } from '../../../model/gate-tier-text.ts'
import type { GatedField } from '../../../model/gated-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { fieldsMarkdown } from './fields-markdown.ts'
import { urlsOf } from './serialize-profile.ts'
import { isGated, openParts, type ProfileView, partSubject, partsAt } from './view.ts'

const accessOf = (gates: GateConfig | undefined): string =>
  list(
    Object.entries(gates?.tiers ?? {}).map(([name, tier]) => {
      const opened = tier.access.map((pattern) => `\`${pattern}\``).join(', ')
      return `${inline(tierTitle(name, tier))}: ${termsText(tier)}; opens ${opened}`
    }),
  )

/** An omitted field, and the tiers that open it. */
const gatedText = ({ field, tiers }: GatedField, gates: GateConfig | undefined): string => {
  const labels = tiers.map((name) => inline(tierTitleIn(gates, name)))
  return `\`${field}\`: ${labels.length > 0 ? labels.join(', ') : 'no tier opens it'}`
}

const linkOrHandle = (name: string, value: string) =>
  value.startsWith('https://') ? link(name, value) : `${inline(name)}: ${inline(value)}`

function detailsOf({ typeData: { abstract: _, ...fields }, capabilities, keywords }: Profile): string {
  const ours = fieldsMarkdown({ traits: capabilities, keywords })
  return [fieldsMarkdown(fields), ours].filter(Boolean).join('\n')
}

/** A profile as Markdown. Texts of its owner are escaped, so that they cannot add headings, links or fields. */
export function profileMarkdown(view: ProfileView, publicUrl: string): string {
  const { profile, gates, trustScore = 0, closed = [] } = view
  const subject = partSubject(view, publicUrl)
  const parts = openParts(view)
  const partsAfter = (place: ProfileSection) =>
    partsAt(parts, place).flatMap(({ part, items }) => {
      const title = part.title({})
      return title === undefined ? [] : section(title, part.markdown(items, subject))
    })
  const { did } = subject
  const urls = urlsOf(publicUrl, profile)
  const { abstract } = profile.typeData
  return documentOf(
    frontMatter({
      did,
      type: profile.type,
      username: profile.username,
      updated_at: profile.updatedAt.toISOString(),
      trust_score: trustScore,
      alternates: { json: urls.json, toon: urls.toon },
    }),
    `# ${inline(profile.fullName ?? profile.username)}`,
    ...section('About', paragraphs(profile.bio ?? '')),
    ...partsAfter('about'),
    ...section('Abstract', typeof abstract === 'string' ? paragraphs(abstract) : ''),
    ...section('Details', detailsOf(profile)),
    ...section('Skills', list(profile.skills.map(inline))),
    ...partsAfter('skills'),
    ...section('Links', list(Object.entries(profile.socials).map(([name, value]) => linkOrHandle(name, value)))),
    ...section('More', fieldsMarkdown(profile.customFields)),
    ...partsAfter('links'),
    ...section('Agent instructions', profile.agentInstructions ? fenced(profile.agentInstructions) : ''),
    ...partsAfter('agent_instructions'),
    ...section('Agent rules', profile.agentRules ? fenced(profile.agentRules) : ''),
    ...partsAfter('agent_rules'),
    ...partsAfter('contents'),
    ...section('Access', accessOf(gates)),
    ...section('Gated', list(closed.map((field) => gatedText(field, gates)))),
    ...partsAfter('access'),
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
