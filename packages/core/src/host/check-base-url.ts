import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { check, type Finding, failed, ok, skipped, warning } from './check.ts'

const DAY_MS = 24 * 3_600_000
/** Certificates are usually renewed a month before they expire. */
const RENEWED_DAYS = 14
const TIMEOUT_MS = 10_000
const UNREACHABLE =
  'Check DNS, the proxy and the firewall. The host must be running; before its first start, use --before-start'

/** The origin that a response redirects to; undefined when it does not. */
function redirectOrigin({ status, headers, url }: Response): string | undefined {
  const target = headers.get('location')
  return status >= 300 && status < 400 && target !== null ? (URL.parse(target, url)?.origin ?? undefined) : undefined
}

/** Checks that the public URL leads to a host, unless none runs yet, and the certificate of an https URL. */
export async function checkBaseUrl(
  baseUrl: string | undefined,
  { production, beforeStart }: { readonly production: boolean; readonly beforeStart: boolean },
): Promise<readonly Finding[]> {
  if (baseUrl === undefined) {
    const nothing = skipped('EEP_BASE_URL is not set, so only this machine reaches the host')
    return [
      { check: 'base URL', ...nothing },
      { check: 'TLS', ...nothing },
    ]
  }
  const { hostname, port, protocol } = new URL(baseUrl)
  return [
    await check('base URL', UNREACHABLE, async () => {
      if (beforeStart) return skipped('no host runs yet')
      const response = await fetch(`${baseUrl}/health/ready`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const isHost = response.headers.has('eep-version')
      await response.body?.cancel()
      const origin = isHost ? undefined : redirectOrigin(response)
      if (origin !== undefined && origin !== new URL(baseUrl).origin) {
        return failed(
          `${baseUrl} redirects to ${origin}`,
          `Pages are reached at another address than that of their scripts and links: set EEP_BASE_URL to ${origin}, or serve the host at ${baseUrl}`,
        )
      }
      if (!isHost)
        return failed(
          `another program answers ${baseUrl} with ${response.status}`,
          'Let the proxy forward all paths to the host',
        )
      if (response.status === 200) return ok(`${baseUrl} leads to a host that is ready`)
      return warning(
        `${baseUrl} leads to a host that answers ${response.status}`,
        'Look at /health/ready and the log of that host',
      )
    }),
    await check('TLS', 'Check the certificate of the proxy', async () => {
      if (protocol !== 'https:') {
        return production
          ? failed(
              'EEP_BASE_URL is not https, so passwords and payments are sent unencrypted',
              'Put a proxy with TLS before the host',
            )
          : skipped('EEP_BASE_URL is not https')
      }
      if (beforeStart) return skipped('no host runs yet')
      const host = hostname.replace(/^\[(.*)\]$/, '$1')
      const socket = connect({
        host,
        port: Number(port) || 443,
        servername: isIP(host) === 0 ? host : '',
        timeout: TIMEOUT_MS,
      })
      try {
        await once(socket, 'secureConnect')
        const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / DAY_MS)
        const detail = `${socket.getProtocol()}, the certificate expires in ${days} days`
        return days < RENEWED_DAYS ? warning(detail, 'Renew the certificate') : ok(detail)
      } finally {
        socket.destroy()
      }
    }),
  ]
}
