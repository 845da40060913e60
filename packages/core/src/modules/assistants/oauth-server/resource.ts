import { oauthError } from './oauth-error.ts'

const MAX_RESOURCES = 8
const MAX_LENGTH = 2_048

/** The addresses that tokens can be issued for (RFC 8707). */
export interface Resources {
  /** The whole service: HTTP and MCP. */
  readonly service: string
  /** The two addresses of MCP, or none. A token for one of them holds for both. */
  readonly mcp: readonly string[]
}

/** The resources of a service, with the path of MCP when that is on. */
export const resourcesOf = (publicUrl: string, mcpPath?: string | undefined): Resources => ({
  service: publicUrl,
  mcp: mcpPath === undefined ? [] : [`${publicUrl}${mcpPath}`, `${publicUrl}${mcpPath}/account`],
})

const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url)

/** A resource in the form of the metadata. Undefined for what is not an address, or has a query or a fragment. */
function normalized(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return undefined
  const { href, search, hash, username, password } = new URL(text)
  if (search !== '' || hash !== '' || username !== '' || password !== '' || /[?#]/.test(text)) return undefined
  return withoutSlash(href)
}

/**
 * Reads the `resource` parameters of a request. Another spelling of an address is the same resource, with and without one trailing
 * slash. Default: the whole service.
 *
 * @throws `invalid_target` for any other address
 */
export function parseResource(values: readonly string[], { service, mcp }: Resources): readonly string[] {
  if (values.length === 0) return [service]
  if (values.length > MAX_RESOURCES) throw oauthError('invalid_target', 'The request names too many resources')
  const addresses = [service, ...mcp]
  const resources = values.map((value) => {
    const resource = normalized(value)
    const address = addresses.find((candidate) => withoutSlash(new URL(candidate).href) === resource)
    if (address === undefined) throw oauthError('invalid_target', 'The resource is not an address of this service')
    return address
  })
  return [...new Set(resources)]
}

/** Whether tokens for some resources hold for another. That of the service holds for all, one of MCP for both of MCP. */
export const coversResource = (granted: readonly string[], resource: string, { service, mcp }: Resources): boolean =>
  granted.includes(service) ||
  granted.includes(resource) ||
  (mcp.includes(resource) && granted.some((address) => mcp.includes(address)))

/**
 * The resources of a token: those of the request when it names some, else all that were granted.
 *
 * @throws `invalid_target` for a resource that was not granted
 */
export function narrowResource(
  values: readonly string[],
  granted: readonly string[],
  all: Resources,
): readonly string[] {
  if (values.length === 0) return granted
  const asked = parseResource(values, all)
  if (!asked.every((address) => coversResource(granted, address, all)))
    throw oauthError('invalid_target', 'The resource was not part of the authorization')
  return asked
}
