/**
 * Returns a failure of a chain or a facilitator that is safe to log, with its kind and a short reason. The errors of the
 * libraries contain the endpoint with its key, and the call with the signature of the payer.
 */
export function redactError(error: unknown): Error {
  const { name, message, shortMessage, code } = (error ?? {}) as Record<string, unknown>
  const words = typeof shortMessage === 'string' ? shortMessage : String(message ?? error)
  const text = words
    .replaceAll(/\bhttps?:\/\/\S+/gi, '(url)')
    .replaceAll(/0x[0-9a-f]{65,}/gi, '(bytes)')
    .replaceAll(
      /\b(authorization|api[-_ ]?key|token|secret|password|bearer|basic)\b[\s:="']+((bearer|basic)\s+)?\S+/gi,
      '$1 (secret)',
    )
    .slice(0, 300)
  const told = new Error(typeof name === 'string' && name !== 'Error' ? `${name}: ${text}` : text)
  return typeof code === 'number' || typeof code === 'string' ? Object.assign(told, { code }) : told
}
