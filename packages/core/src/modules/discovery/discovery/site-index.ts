import type { Clock } from '../../../kernel/clock.ts'
import { notFound } from '../../../kernel/errors.ts'
import { gatedFields } from '../../../model/gated-fields.ts'
import type { ListedAddress, ListedKind } from '../../../ports/storage/discovery.ts'
import type { SmartSectionReader } from '../../../ports/storage/smart-sections.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { profilePath, withoutFields } from '../../profiles/profiles/index.ts'
import type { AssistantAddresses } from './assistants.ts'
import type { DiscoveryDocument } from './capabilities.ts'
import { NEWEST_PROFILES, type NewProfile } from './home-page.ts'
import { createLlms, cursorId, type PageRules } from './llms.ts'
import type { ServiceInfo } from './manifest.ts'
import { entriesOf, MAX_PARTS, PART_SIZE, partPath, SITE_SITEMAP, sitemapIndex, urlSet } from './sitemap.ts'

/** How long a list may lack new items. Events with `lists` in `invalidates` empty it immediately. */
const KEPT_MS = 60_000

/** The key of all lists in the cache. */
export const SITE_INDEX = 'siteIndex'

const KINDS = ['profiles', 'pages'] as const

export interface SiteIndexDeps {
  readonly read: Pick<Readers<'siteIndex'>, 'siteIndex'>
  /** The sections of profiles; undefined in a service without them. */
  readonly sectionsOf?: SmartSectionReader['listOfProfiles'] | undefined
  /** Emptied by events that may hide something; nothing else is in it. */
  readonly cache: ReadCache
  readonly clock: Clock
  readonly service: ServiceInfo
  readonly content: PageRules
  /** Whether lists hold only profiles of owners with a verified email address. */
  readonly verifiedOnly: boolean
}

/** The lists of all public content. Each is generated at most once a minute. */
export function createSiteIndex({ read, sectionsOf, cache, clock, service, content, verifiedOnly }: SiteIndexDeps) {
  const { publicUrl } = service
  const llms = createLlms({ read, sectionsOf, service, content, verifiedOnly })
  const minute = () => Math.floor(clock().getTime() / KEPT_MS)
  const kept = (name: string, make: () => Promise<string>): Buffer | Promise<Buffer> =>
    cache.get(`${name} ${minute()}`, async () => ({
      value: Buffer.from(await make()),
      accountId: SITE_INDEX,
    }))

  const pathOf = ({ slugs, ...profile }: ListedAddress) =>
    slugs === null ? profilePath(profile) : content.contentPath(profile, slugs)
  const entriesIn = async (kind: ListedKind, part: number) =>
    entriesOf(publicUrl, await read.siteIndex.listAddresses(kind, { part, size: PART_SIZE, verifiedOnly }), pathOf)
  const siteEntries = (documents: readonly DiscoveryDocument[]) =>
    [{ path: '/' }, ...documents.filter(({ page }) => page)].map(({ path }) => ({ url: publicUrl + path }))

  async function makeSitemap(documents: readonly DiscoveryDocument[]): Promise<string> {
    const listed = await Promise.all(
      KINDS.map(async (kind) => {
        const found = await read.siteIndex.listParts(kind, PART_SIZE, verifiedOnly)
        return found.map((part) => ({ ...part, kind }))
      }),
    )
    const parts = listed.flat()
    if (parts.length > MAX_PARTS) return sitemapIndex(publicUrl, parts)
    const entries = siteEntries(documents)
    for (const { kind, part } of parts) entries.push(...(await entriesIn(kind, part)))
    return urlSet(entries)
  }

  async function readNewest(): Promise<readonly NewProfile[]> {
    const found = await read.siteIndex.listNewest({ limit: NEWEST_PROFILES, verifiedOnly })
    return found.map((profile) => withoutFields(profile, gatedFields(profile.gates)))
  }

  return {
    /** Whether public lists hold a profile: it is public, not empty, and of an owner with a verified address where that counts. */
    async lists(profileId: number): Promise<boolean> {
      const [found] = await read.siteIndex.listProfiles({ after: profileId - 1, limit: 1, verifiedOnly })
      return found?.id === profileId
    },
    /** The name of the only listed profile of the type `agent`; undefined when there is none or more than one. At most a minute old. */
    onlyAgent: (): string | undefined | Promise<string | undefined> =>
      cache.get(`only agent ${minute()}`, async () => {
        const [first, second] = await read.siteIndex.listProfiles({ after: 0, limit: 2, type: 'agent', verifiedOnly })
        return { value: second === undefined ? first?.username : undefined, accountId: SITE_INDEX }
      }),
    /**
     * Returns the profiles that were created last, without gated fields. The list is at most a minute old; hidden profiles
     * leave it immediately. Calls return the same list while it is current.
     */
    newest: (): readonly NewProfile[] | Promise<readonly NewProfile[]> =>
      cache.get(`newest ${minute()}`, async () => ({ value: await readNewest(), accountId: SITE_INDEX })),
    sitemap: (documents: readonly DiscoveryDocument[]) => kept('/sitemap.xml', () => makeSitemap(documents)),
    /** The sitemap of the documents of the service, in addition to those of the parts. */
    siteSitemap: (documents: readonly DiscoveryDocument[]) =>
      kept(SITE_SITEMAP, async () => urlSet(siteEntries(documents))),
    sitemapPart: (kind: ListedKind, part: number) =>
      kept(partPath(kind, part), async () => {
        const entries = await entriesIn(kind, part)
        if (entries.length === 0) throw notFound({ message: 'Sitemap not found' })
        return urlSet(entries)
      }),
    llms: (cursor: string | undefined, documents: readonly DiscoveryDocument[], assistants?: AssistantAddresses) => {
      const after = cursorId(cursor)
      return kept(`/llms.txt ${after}`, () => llms.short(after, documents, assistants))
    },
    llmsFull: (cursor: string | undefined) => {
      const after = cursorId(cursor)
      return kept(`/llms-full.txt ${after}`, () => llms.full(after))
    },
  }
}
