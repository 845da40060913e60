import type { IncomingHttpHeaders } from 'node:http'
import { invalidHandshake, upgradeRequired } from './errors.ts'

/** The versions that `ws` speaks. */
const VERSIONS = ['13', '8']
const KEY = /^[+/0-9A-Za-z]{22}==$/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Whether a list of subprotocols has tokens only, each once (RFC 6455, 4.1). */
function isProtocolList(header: string): boolean {
  const names = header.split(',').map((name) => name.trim())
  return names.every((name) => TOKEN.test(name)) && new Set(names).size === names.length
}

/**
 * Checks the headers of a WebSocket handshake, which the library would refuse without the headers and the error format of
 * the service.
 *
 * @throws `upgrade_required` (426) for another version, `invalid_handshake`
 */
export function requireHandshake(headers: IncomingHttpHeaders): void {
  const {
    'sec-websocket-version': version = '',
    'sec-websocket-key': key,
    'sec-websocket-protocol': protocols,
  } = headers
  if (!VERSIONS.includes(version)) {
    throw upgradeRequired({
      message: `Sec-WebSocket-Version must be ${VERSIONS[0]}`,
      upgrade: { to: 'websocket', versions: VERSIONS },
    })
  }
  if (key === undefined || !KEY.test(key)) {
    throw invalidHandshake({ message: 'Sec-WebSocket-Key must be 16 bytes in base64' })
  }
  if (protocols !== undefined && !isProtocolList(protocols)) {
    throw invalidHandshake({ message: 'Sec-WebSocket-Protocol must list tokens, each once' })
  }
}
