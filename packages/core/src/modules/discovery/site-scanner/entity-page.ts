import type { Site, SiteAnswer } from './site.ts'
import { listedUrls } from './sitemap-urls.ts'

const MAX_TRIED = 3

/** Entities of EEP usually have a short prefix and a name: `/u/ada`. Such paths are tried first. */
const ENTITY_PATH = /^\/[a-z]{1,8}\/[^/]+$/

const depthOf = (address: string) => {
  const path = new URL(address).pathname
  return ENTITY_PATH.test(path) ? path.indexOf('/', 1) : path.length + 100
}

/** Requests a page as JSON, as programs read entities. */
export const getEntity = (site: Site, address: string) => site.get(address, { accept: 'application/json' })

/** Finds a page of an entity: the scanned one, or one of the sitemap. Undefined when none names its DID. */
export async function findEntity(site: Site): Promise<SiteAnswer | undefined> {
  const candidates = async () =>
    (await listedUrls(site)).toSorted((one, other) => depthOf(one) - depthOf(other)).slice(0, MAX_TRIED)
  for (const address of [site.url.href, ...(await candidates())]) {
    const answer = await getEntity(site, address)
    if (answer.is === 'answer' && answer.status === 200 && answer.headers.has('eep-entity-did')) return answer
  }
  return undefined
}
