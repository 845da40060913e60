import { decodeCursor, encodeCursor } from '../../../kernel/page.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import type { ListedBody, ListedPage, ListedProfile } from '../../../ports/storage/discovery.ts'
import type { SmartSection, SmartSectionReader } from '../../../ports/storage/smart-sections.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { profilePath, withoutFields } from '../../profiles/profiles/index.ts'
import type { AssistantAddresses } from './assistants.ts'
import { type LlmsEntry, llmsFullTxt, llmsTxt, type PageRules, priceText } from './llms-text.ts'
import type { ServiceInfo } from './manifest.ts'

export type { PageRules } from './llms-text.ts'

/** The maximum number of profiles in one `/llms.txt`, and of pages of each. */
const PROFILES = 100
const PAGES_EACH = 10

/** The size of `/llms-full.txt` in characters, and the share of one page. */
const FULL_PROFILES = 20
const FULL_CHARACTERS = 400_000
const BODY_CHARACTERS = 20_000

export interface LlmsDeps {
  readonly read: Pick<Readers<'siteIndex'>, 'siteIndex'>
  /** The sections of profiles; undefined in a service without them. */
  readonly sectionsOf?: SmartSectionReader['listOfProfiles'] | undefined
  readonly service: ServiceInfo
  readonly content: PageRules
  /** Whether lists hold only profiles of owners with a verified email address. */
  readonly verifiedOnly: boolean
}

/** The id that a cursor stands for; 0 without one. */
export const cursorId = (cursor: string | undefined): number =>
  cursor === undefined ? 0 : Math.max(0, Number(decodeCursor(cursor, ['number'])[0]))

const ownLength = ({ bio, agentInstructions, agentRules, skills, typeData }: ListedProfile) =>
  [bio, agentInstructions, agentRules, ...skills, JSON.stringify(typeData)].reduce(
    (sum, text) => sum + (text?.length ?? 0),
    0,
  )

const sectionsLength = (sections: readonly SmartSection[] = []) =>
  sections.reduce((sum, { title, body }) => sum + title.length + body.length, 0)

/** Reads the content of the lists for language models in parts. */
export function createLlms({ read, sectionsOf, service, content, verifiedOnly }: LlmsDeps) {
  const { publicUrl } = service
  const nextOf = (path: string, profile: ListedProfile | undefined) =>
    profile && `${publicUrl}${path}?cursor=${encodeCursor([profile.id])}`

  const entryOf = (
    profile: ListedProfile,
    pages: readonly ListedPage[],
    bodies?: ReadonlyMap<number, ListedBody>,
  ): LlmsEntry => ({
    profile,
    url: publicUrl + profilePath(profile),
    pages: pages.map((page) => {
      const told = bodies?.get(page.id)
      // The body and its gates were read at the same moment; the page in the list was read earlier.
      const { slugs, gates } = told ?? { slugs: page.slugs, gates: profile.gates }
      const price = priceText(content.accessTo(slugs, gates ?? undefined))
      const url = publicUrl + content.contentPath(profile, slugs)
      return { page, url, price, body: price === undefined ? told?.body : undefined }
    }),
  })

  async function listed(after: number, limit: number) {
    const found = await read.siteIndex.listProfiles({ after, limit: limit + 1, verifiedOnly })
    const profiles = found.slice(0, limit).map((profile) => withoutFields(profile, gatedFields(profile.gates)))
    const ids = profiles.map(({ id }) => id)
    const pages = Map.groupBy(await read.siteIndex.listPages(ids, PAGES_EACH), ({ profileId }) => profileId)
    return { profiles, hasMore: found.length > limit, pagesOf: ({ id }: ListedProfile) => pages.get(id) ?? [] }
  }

  /** The public sections of profiles that did not gate them when they were read. */
  async function openSections(
    profiles: readonly ListedProfile[],
  ): Promise<ReadonlyMap<number, readonly SmartSection[]>> {
    const found = await sectionsOf?.(profiles.map(({ id }) => id))
    const open = [...(found ?? [])].filter(
      ([, { gates }]) => !gatedFields(gates).some(({ field }) => field === 'smart_sections'),
    )
    return new Map(
      open.map(([id, { sections }]) => [
        id,
        sections
          .filter(({ visibility }) => visibility === 'public')
          .toSorted((left, right) => left.position - right.position),
      ]),
    )
  }

  return {
    async short(
      after: number,
      documents: readonly { readonly path: string; readonly title: string }[],
      assistants: AssistantAddresses | undefined,
    ) {
      const { profiles, hasMore, pagesOf } = await listed(after, PROFILES)
      const entries = profiles.map((profile) => entryOf(profile, pagesOf(profile)))
      const next = nextOf('/llms.txt', hasMore ? profiles.at(-1) : undefined)
      return llmsTxt({ service, documents, assistants, entries, next })
    },

    /** Only bodies of open pages are read, and a body is only written if its page was open when the body was read. */
    async full(after: number) {
      const { profiles, hasMore, pagesOf } = await listed(after, FULL_PROFILES)
      const sections = await openSections(profiles)
      const told: ListedProfile[] = []
      const wanted: number[] = []
      let characters = 0
      for (const profile of profiles) {
        const open = pagesOf(profile).filter(({ slugs }) => !content.accessTo(slugs, profile.gates ?? undefined).gated)
        characters += open.reduce(
          (sum, { bodyBytes }) => sum + Math.min(bodyBytes, BODY_CHARACTERS),
          ownLength(profile) + sectionsLength(sections.get(profile.id)),
        )
        if (told.length > 0 && characters > FULL_CHARACTERS) break
        told.push(profile)
        wanted.push(...open.map(({ id }) => id))
      }
      const found = await read.siteIndex.listBodies(wanted, BODY_CHARACTERS)
      const bodies = new Map(found.map((body) => [body.id, body]))
      const entries = told.map((profile) => ({
        ...entryOf(profile, pagesOf(profile), bodies),
        sections: sections.get(profile.id),
      }))
      const next = nextOf('/llms-full.txt', hasMore || told.length < profiles.length ? told.at(-1) : undefined)
      return llmsFullTxt({ service, entries, next }, BODY_CHARACTERS)
    },
  }
}
