import { hmac, sameText } from '../../kernel/digest.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { SharedKey } from '../../kernel/keyring.ts'

/**
 * When a gate was hit, carried by the challenge and sent back with the payment, so that a receipt can tell it without a
 * row for each 402. It travels as an x402 extension, which official clients echo.
 */
const TIMELINE_EXTENSION = 'eep-timeline'

const mac = (key: Uint8Array, url: string, seconds: number) => hmac(key, `${url}|${seconds}`)

/** The extension of a challenge for `url`, issued at `at`. */
export function timelineMark(url: string, at: Date, [{ key }]: readonly [SharedKey, ...SharedKey[]]): JsonObject {
  const seconds = Math.floor(at.getTime() / 1000)
  return {
    [TIMELINE_EXTENSION]: {
      info: { issued_at: seconds, mac: mac(key, url, seconds) },
      schema: { type: 'object', properties: { issued_at: { type: 'integer' }, mac: { type: 'string' } } },
    },
  }
}

/** When the challenge that a client answers was issued; null when it does not say so provably. */
export function readTimelineMark(
  extensions: Record<string, unknown>,
  url: string,
  keys: readonly SharedKey[],
): Date | null {
  const { info } = (extensions[TIMELINE_EXTENSION] ?? {}) as { info?: { issued_at?: unknown; mac?: unknown } }
  const { issued_at: seconds, mac: given } = info ?? {}
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || typeof given !== 'string') return null
  return keys.some(({ key }) => sameText(given, mac(key, url, seconds))) ? new Date(seconds * 1000) : null
}
