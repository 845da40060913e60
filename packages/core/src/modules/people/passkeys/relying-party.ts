import { isIP } from 'node:net'

/** The domain that passkeys belong to, and the origins whose pages may use them (WebAuthn). */
export interface RelyingParty {
  readonly id: string
  readonly origins: readonly string[]
}

const isWithin = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)

/**
 * Returns the relying party of a service. Passkeys belong to the host of the frontend, or to the host of the service when
 * the frontend is on a subdomain of it. Pages of both may use them if both are within that domain.
 */
export function relyingPartyOf(publicUrl: string, frontendUrl: string): RelyingParty {
  const service = new URL(publicUrl)
  const frontend = new URL(frontendUrl)
  const id = isWithin(frontend.hostname, service.hostname) ? service.hostname : frontend.hostname
  const sites = [service, frontend].filter(({ hostname }) => isWithin(hostname, id))
  return { id, origins: [...new Set(sites.map(({ origin }) => origin))] }
}

/** Whether pages of a service can use passkeys of a relying party. Browsers have none for IP addresses. */
export const acceptsPagesOf = ({ id, origins }: RelyingParty, publicUrl: string): boolean =>
  isIP(id.replaceAll(/[[\]]/g, '')) === 0 && origins.includes(new URL(publicUrl).origin)
