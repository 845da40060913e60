import type { AuthChallenge } from './errors.ts'

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

/** @throws TypeError when a parameter is not printable ASCII */
export function requirePrintable({ parameters = {} }: AuthChallenge): void {
  for (const [name, value = ''] of Object.entries(parameters)) {
    if (!/^[\x20-\x7e]*$/.test(value)) {
      throw new TypeError(`The parameter ${name} of a challenge is not printable ASCII`)
    }
  }
}

/** Writes a challenge as a value of `WWW-Authenticate` (RFC 9110, 11.6.1). */
export function challengeText({ scheme, parameters = {} }: AuthChallenge): string {
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  )
  return written.length === 0 ? scheme : `${scheme} ${written.join(', ')}`
}
