import type { PartReader, ProfilePart } from '../../../framework/module/profile-part.ts'
import { html, proseHtml } from '../../../http/html/html.ts'
import { documentOf, inline, paragraphs } from '../../../kernel/markdown.ts'
import { fieldResource } from '../../../model/profile-fields.ts'
import type { SmartSection } from '../../../ports/storage/smart-sections.ts'
import { sectionsReplaced } from './events.ts'
import { sectionMessages } from './messages.ts'
import { MAX_SECTIONS } from './schemas.ts'

/**
 * Returns the sections that a reader sees: those for its type first, then those for every agent, each in ascending order of
 * their position.
 *
 * @internal
 */
export function sectionsFor(
  sections: readonly SmartSection[],
  { agentType = 'general', isTeam = false }: PartReader,
): readonly SmartSection[] {
  const visible = sections
    .filter(({ visibility }) => isTeam || visibility === 'public')
    .toSorted((left, right) => left.position - right.position)
  const own = visible.filter(({ agentTypes }) => agentTypes.includes(agentType))
  const others = visible.filter((section) => section.agentTypes.includes('general') && !own.includes(section))
  return [...own, ...others]
}

/** Serializes a section. */
export const serializeSection = ({ agentTypes, key, title, body, position, visibility }: SmartSection) => ({
  key,
  title,
  body,
  agent_types: [...agentTypes],
  position,
  visibility,
})

/** The sections for types of agents in the documents of profiles. */
export const sectionsOfProfiles: ProfilePart<SmartSection, 'smartSections'> = {
  key: 'smart_sections',
  after: 'links',
  limit: MAX_SECTIONS,
  resource: fieldResource('smart_sections'),
  invalidatedBy: [sectionsReplaced],
  title: (page) => sectionMessages(page)('sections'),
  load: async ({ smartSections }, { id }) => (await smartSections.get(id))?.sections ?? [],
  forReaders: { select: sectionsFor, isForTeam: ({ visibility }) => visibility === 'team' },
  json: (sections) => sections.map(serializeSection),
  markdown: (sections) =>
    sections.map(({ title, body }) => documentOf(`### ${inline(title)}`, paragraphs(body)).trim()).join('\n\n'),
  html: (sections) =>
    sections.length > 0 &&
    html`${sections.map(({ title, body }) => html`<h3><bdi>${title}</bdi></h3>${proseHtml(body)}`)}`,
}
