import { caip2Of } from '../../../kernel/network.ts'
import type { CatalogueFilter } from '../../../ports/storage/priced-resources.ts'
import { ITEM_EXTENSIONS, ITEM_SCHEME, ITEM_TYPES } from './catalogue-item.ts'

/** The parameters of a request, as they were sent: a text, or several of a repeated parameter. */
export type SentQuery = Readonly<Record<string, unknown>>

/** The parameters that filter the catalogue. */
const FILTERS = ['type', 'payTo', 'scheme', 'network', 'extensions', 'profile'] as const

const MAX_TEXT = 200
const MAX_UNAPPLIED = 20
const NAME = /^[\w.[\]-]{1,64}$/

/** What a request asks the catalogue for. */
export interface AskedFilters {
  /** Undefined when no resource can match. */
  readonly filter: Omit<CatalogueFilter, 'profileId'> | undefined
  /** Names a profile: its DID, its URL, or `u/ada`. */
  readonly profile: string | undefined
  /** The names of the parameters that this catalogue does not filter by. */
  readonly unapplied: readonly string[]
}

/**
 * Reads the filters of a request. Values that no resource has, and malformed ones, match nothing. Of the names of other parameters, those
 * that can be repeated in the response are returned.
 *
 * @param others - the parameters of the request with another use, such as `limit`
 */
export function readFilters(query: SentQuery, others: readonly string[]): AskedFilters {
  const known = new Set<string>([...FILTERS, ...others])
  const unapplied = Object.keys(query).filter((name) => !known.has(name) && NAME.test(name))
  const sent = FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const]))
  const texts = sent.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))
  const { type, payTo, scheme, network, extensions, profile } = Object.fromEntries(texts) as {
    readonly [Name in (typeof FILTERS)[number]]?: string
  }
  const isPossible =
    texts.length === sent.length &&
    texts.every(([, value]) => value !== '' && value.length <= MAX_TEXT) &&
    (type === undefined || ITEM_TYPES.some((one) => one === type)) &&
    (scheme === undefined || scheme === ITEM_SCHEME) &&
    (extensions === undefined || ITEM_EXTENSIONS.includes(extensions))
  return {
    filter: isPossible
      ? {
          network: network && caip2Of(network),
          payTo: payTo?.toLowerCase(),
          isTool: type === undefined ? undefined : type === 'mcp',
        }
      : undefined,
    profile,
    unapplied: unapplied.slice(0, MAX_UNAPPLIED),
  }
}

/** Reads a whole number, clamped to a range. Without one, and for anything else, the default. */
export function clampedNumber(
  value: unknown,
  { least, most, fallback }: { readonly least: number; readonly most: number; readonly fallback: number },
): number {
  if (typeof value !== 'string' || !/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(value.trim())) return fallback
  return Math.min(most, Math.max(least, Math.trunc(Number(value))))
}
