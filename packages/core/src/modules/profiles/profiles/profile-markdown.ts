import { documentOf, fenced, frontMatter, inline, link, list, paragraphs, section } from '../../../kernel/markdown.ts'
import { type GateConfig, gateConfigPath } from '../../../model/gate-config.ts'
import { termsText } from '../../../model/gate-tier-text.ts'
import type { GatedField } from '../../../model/gated-fields.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import { didOf } from './did.ts'
import { fieldsMarkdown } from './fields-markdown.ts'
import { type FileSummary, fileUrl } from './profile-files.ts'
import { type PostSummary, postPath } from './profile-posts.ts'
import { urlsOf } from './serialize-profile.ts'
import { isGated, type ProfileView } from './view.ts'

const accessOf = (gates: GateConfig | undefined): string =>
  list(
    Object.entries(gates?.tiers ?? {}).map(([name, tier]) => {
      const opened = tier.access.map((pattern) => `\`${pattern}\``).join(', ')
      return `${inline(tier.label ?? name)}: ${termsText(tier)}; opens ${opened}`
    }),
  )

/** An omitted field, and the tiers that open it. */
const gatedText = ({ field, tiers }: GatedField, gates: GateConfig | undefined): string => {
  const labels = tiers.map((name) => inline(gates?.tiers[name]?.label ?? name))
  return `\`${field}\`: ${labels.length > 0 ? labels.join(', ') : 'no tier opens it'}`
}

const linkOrHandle = (name: string, value: string) =>
  value.startsWith('https://') ? link(name, value) : `${inline(name)}: ${inline(value)}`

function detailsOf({ typeData: { abstract: _, ...fields }, capabilities, keywords }: Profile): string {
  const ours = fieldsMarkdown({ traits: capabilities, keywords })
  return [fieldsMarkdown(fields), ours].filter(Boolean).join('\n')
}

const fileText = ({ id, filename, contentType, size, key }: FileSummary, publicUrl: string) =>
  `${link(filename, fileUrl(publicUrl, id, key))}: ${inline(contentType)}, ${size} bytes`

const postText = ({ id, body, createdAt }: PostSummary, publicUrl: string) =>
  `${link(createdAt.toISOString(), `${publicUrl}${postPath(id)}`)}: ${inline(body)}`

const sectionText = ({ title, body }: SmartSection) => documentOf(`### ${inline(title)}`, paragraphs(body)).trim()

/** A profile as Markdown. Texts of its owner are escaped, so that they cannot add headings, links or fields. */
export function profileMarkdown(view: ProfileView, publicUrl: string): string {
  const { profile, contents, gates, trustScore = 0, files = [], posts = [], sections = [], closed = [] } = view
  const did = didOf(publicUrl, profile)
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
    ...section('Abstract', typeof abstract === 'string' ? paragraphs(abstract) : ''),
    ...section('Details', detailsOf(profile)),
    ...section('Skills', list(profile.skills.map(inline))),
    ...section('Links', list(Object.entries(profile.socials).map(([name, value]) => linkOrHandle(name, value)))),
    ...section('More', fieldsMarkdown(profile.customFields)),
    ...section('Sections', sections.map(sectionText).join('\n\n')),
    ...section('Agent instructions', profile.agentInstructions ? fenced(profile.agentInstructions) : ''),
    ...section('Agent rules', profile.agentRules ? fenced(profile.agentRules) : ''),
    ...section('Contents', list(contents.map(({ page, path }) => link(page.title, `${urls.contents}/${path}`)))),
    ...section('Files', list(files.map((file) => fileText(file, publicUrl)))),
    ...section('Posts', list(posts.map((post) => postText(post, publicUrl)))),
    ...section('Access', accessOf(gates)),
    ...section('Gated', list(closed.map((field) => gatedText(field, gates)))),
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
