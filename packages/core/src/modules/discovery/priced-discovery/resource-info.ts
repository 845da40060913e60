import type { GateConfig } from '../../../model/gate-config.ts'
import { coveringTiers, isOpen } from '../../../model/gate-rules.ts'
import { fieldResource, type ProfileField } from '../../../model/profile-fields.ts'
import type { PurchaseListing } from '../../../ports/purchase.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'

// What x402 v2 allows in `resource`. Catalogues drop other values, so values outside of these rules are left out.

const MAX_LENGTH = 32
const MAX_TAGS = 5
const MAX_URL = 2_048
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const IP_ADDRESS = /^(?:\d{1,3}\.){3}\d{1,3}$|^\[/

/** Whether catalogues accept a text as the name of a service, or as a tag. */
export const isShortText = (text: string): boolean => text.length <= MAX_LENGTH && PRINTABLE.test(text)

/** The tags that catalogues accept: at most 5, without duplicates (compared in lower case). */
export function acceptedTags(tags: readonly string[]): readonly string[] {
  const accepted = new Map<string, string>()
  for (const tag of tags) {
    const key = tag.toLowerCase()
    if (isShortText(tag) && !accepted.has(key)) accepted.set(key, tag)
  }
  return [...accepted.values()].slice(0, MAX_TAGS)
}

/** Whether catalogues accept the URL of an icon: https, without user information, and not of an IP address or localhost. */
export function isIconUrl(url: string): boolean {
  if (url.length > MAX_URL || !URL.canParse(url)) return false
  const { protocol, username, password, hostname } = new URL(url)
  const host = hostname.replace(/\.+$/, '')
  if (protocol !== 'https:' || username !== '' || password !== '' || host === '') return false
  return !(IP_ADDRESS.test(host) || host === 'localhost' || host.endsWith('.localhost'))
}

/** What the service itself has for its sellers. */
export interface ServiceInfo {
  readonly serviceName: string
  readonly tags: readonly string[]
  /** The URL of its icon; undefined when it has none. */
  readonly iconUrl: string | undefined
}

/** The name, tags and icon of a seller in catalogues. Fields that its gate closes are not used. */
export function sellerInfo(
  profile: Pick<Profile, 'fullName' | 'username' | 'keywords' | 'avatarUrl'>,
  gates: GateConfig | undefined,
  service: ServiceInfo,
): Omit<PurchaseListing, 'bazaar'> {
  const shows = (field: ProfileField) => {
    const resource = fieldResource(field)
    return gates === undefined || isOpen(gates, resource, coveringTiers(gates, resource))
  }
  const serviceName = [profile.fullName ?? profile.username, service.serviceName].find(isShortText)
  const own = shows('keywords') ? acceptedTags(profile.keywords) : []
  const tags = own.length > 0 ? own : service.tags
  const avatar = profile.avatarUrl !== null && shows('avatar_url') ? profile.avatarUrl : undefined
  const iconUrl = [avatar, service.iconUrl].find((url) => url !== undefined && isIconUrl(url))
  return {
    ...(serviceName !== undefined && { serviceName }),
    ...(tags.length > 0 && { tags }),
    ...(iconUrl !== undefined && { iconUrl }),
  }
}
