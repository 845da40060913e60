/** A way to identify or to pay that a refusal asks for. */
export interface AuthChallenge {
  /** The authentication scheme: `Bearer`, `Payment`, … */
  readonly scheme: string
  /** Its parameters, without those that are undefined. */
  readonly parameters?: Readonly<Record<string, string | undefined>> | undefined
}

/** A token of HTTP (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/

export const isPrintable = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

export const isToken = (text: string): boolean => TOKEN.test(text)

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`

/** @throws TypeError when a challenge cannot be sent as a header */
export function assertChallenge({ scheme, parameters = {} }: AuthChallenge): void {
  if (!isToken(scheme)) throw new TypeError(`${JSON.stringify(scheme)} is not a scheme of a challenge`)
  for (const [name, value = ''] of Object.entries(parameters)) {
    if (!isToken(name)) throw new TypeError(`${JSON.stringify(name)} is not the name of a parameter of a challenge`)
    if (!isPrintable(value)) throw new TypeError(`The parameter ${name} of a challenge is not printable ASCII`)
  }
}

/** Writes a challenge as a value of `WWW-Authenticate` (RFC 9110, 11.6.1). */
export function challengeText({ scheme, parameters = {} }: AuthChallenge): string {
  const written = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${quoted(value)}`],
  )
  return written.length === 0 ? scheme : `${scheme} ${written.join(', ')}`
}
