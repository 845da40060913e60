/**
 * Returns the challenge that a response was signed for. Undefined for a response that is not readable, and for one of a
 * frame in a page of another site.
 */
export function challengeOf(clientDataJson: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined
    if ('crossOrigin' in data && data.crossOrigin === true) return undefined
    return typeof data.challenge === 'string' ? data.challenge : undefined
  } catch {
    return undefined
  }
}
