import type { JsonObject } from '../../../kernel/json.ts'
import { depthOf, type PricedResource } from './collect-resources.ts'
import {
  COMPONENTS,
  fieldsOperation,
  MAX_DEPTH,
  type Operation,
  pricedOperation,
  templateOperation,
} from './operations.ts'

/** Registries read 64 KiB, and warn above 40 routes. */
const MAX_BYTES = 65_536
const MAX_PRICED = 24
const MAX_TEMPLATES = 4
const MAX_FREE = 8

/** The document of a profile: its reader already has the profile, so it may be larger. */
const MAX_PROFILE_BYTES = 524_288
export const MAX_PROFILE_OPERATIONS = 500

/** What the documents say of the service. */
export interface DocumentInfo {
  readonly title: string
  readonly version: string
  readonly contactUrl: string
  readonly guidance: string
  readonly categories: readonly string[]
  readonly docs: { readonly apiReference: string; readonly homepage: string; readonly llms?: string | undefined }
}

const pathsOf = (operations: readonly Operation[]): JsonObject =>
  Object.fromEntries(operations.map(({ path, operation }) => [path, { get: operation }]))

const bodyOf = (
  { title, version, contactUrl, guidance, categories, docs }: DocumentInfo,
  serverUrl: string,
  operations: readonly Operation[],
  more: string | undefined,
): JsonObject => ({
  openapi: '3.1.0',
  info: { title, version, contact: { url: contactUrl }, 'x-guidance': guidance },
  servers: [{ url: serverUrl }],
  'x-service-info': {
    ...(categories.length > 0 && { categories }),
    docs: {
      apiReference: docs.apiReference,
      homepage: docs.homepage,
      ...(docs.llms !== undefined && { llms: docs.llms }),
    },
  },
  ...(more !== undefined && { 'x-eep-more': more }),
  paths: pathsOf(operations),
  ...(operations.length > 0 && { components: COMPONENTS }),
})

/** Serializes a document without its last operations, until it fits. */
function fitting(
  operations: readonly Operation[],
  maxBytes: number,
  write: (kept: readonly Operation[], isCut: boolean) => JsonObject,
): Buffer {
  for (let count = operations.length; ; ) {
    const bytes = Buffer.from(JSON.stringify(write(operations.slice(0, count), count < operations.length)))
    if (bytes.length <= maxBytes || count === 0) return bytes
    // At least one, and about as many as are too much.
    count = Math.max(0, Math.min(count - 1, Math.floor((count * maxBytes) / bytes.length)))
  }
}

/** The resources of several sellers in turns: the first of each, then the second of each. */
function inTurns(sellers: readonly (readonly PricedResource[])[], limit: number): readonly PricedResource[] {
  const chosen: PricedResource[] = []
  const longest = Math.max(0, ...sellers.map(({ length }) => length))
  for (let turn = 0; turn < longest; turn += 1) {
    for (const resources of sellers) {
      const resource = resources[turn]
      if (resource && chosen.length < limit) chosen.push(resource)
    }
  }
  return chosen
}

/** One template for each depth of pages. */
function templatesOf(pages: readonly PricedResource[]): readonly Operation[] {
  const byDepth = Map.groupBy(
    pages.filter(({ kind }) => kind === 'page'),
    depthOf,
  )
  return [...byDepth]
    .filter(([depth]) => depth <= MAX_DEPTH)
    .sort(([left], [right]) => left - right)
    .slice(0, MAX_TEMPLATES)
    .map(([depth, [first, ...others]]) => templateOperation(depth, [first as PricedResource, ...others]))
}

/** What the document of the service is made of. */
export interface SiteParts {
  readonly free: readonly Operation[]
  readonly endpoints: readonly PricedResource[]
  /** The newest priced resources of each seller, in the order of sellers. */
  readonly sellers: readonly (readonly PricedResource[])[]
  /** The URL of a list with everything that is for sale. */
  readonly more: string | undefined
}

/** The document of the service: at most 32 operations and 64 KiB. */
export function siteDocument(
  info: DocumentInfo,
  { free, endpoints, sellers, more }: SiteParts,
): (serverUrl: string) => Buffer {
  const templates = templatesOf(sellers.flat())
  const ofHost = endpoints.slice(0, MAX_PRICED - templates.length)
  const chosen = inTurns(sellers, MAX_PRICED - templates.length - ofHost.length)
  const operations = [
    ...free.slice(0, MAX_FREE),
    ...ofHost.map((resource) => pricedOperation(resource)),
    ...templates,
    ...chosen.map((resource) => pricedOperation(resource)),
  ]
  return (serverUrl) => fitting(operations, MAX_BYTES, (kept) => bodyOf(info, serverUrl, kept, more))
}

/** What the document of a profile is made of. */
export interface ProfileParts {
  /** The path of the profile. */
  readonly path: string
  /** Its fields that are for sale. */
  readonly fields: readonly PricedResource[]
  /** Newest first. */
  readonly resources: readonly PricedResource[]
  /** Whether the profile may sell more than these. */
  readonly hasMore: boolean
  /** The URL of a list with everything that the profile sells. */
  readonly more: string
}

/** The document of a profile: at most 500 operations and 512 KiB, newest first. */
export function profileDocument(
  info: DocumentInfo,
  profileUrl: string,
  { path, fields, resources, hasMore, more }: ProfileParts,
): Buffer {
  // Paths are relative to the profile; files have their addresses outside of it.
  const below = resources.filter((resource) => resource.path.startsWith(`${path}/`))
  const [first, ...others] = fields
  const operations = [
    ...(first ? [fieldsOperation([first, ...others])] : []),
    ...below.map((resource) => pricedOperation(resource, path)),
  ].slice(0, MAX_PROFILE_OPERATIONS)
  return fitting(operations, MAX_PROFILE_BYTES, (kept, isCut) =>
    bodyOf(info, profileUrl, kept, isCut || hasMore ? more : undefined),
  )
}
