import {
  invalidSiweMessage,
  siweChainUnsupported,
  siweDomainMismatch,
  siweExpired,
  siweIssuedInFuture,
  siweNotYetValid,
  siweUriMismatch,
  siweVersionUnsupported,
} from './errors.ts'

export const MAX_MESSAGE_LENGTH = 4_096
/** The grammar allows ASCII only, and its parser fails for characters beyond the first plane. */
const NOT_ALLOWED = /[^\n\x20-\x7e]/
/** How far the clock of a wallet may be ahead of ours. */
const CLOCK_SKEW_MS = 60_000

/** The expected values of a message. They come from the configuration, never from a `Host` header. */
export interface SiweExpectation {
  /** The host, and the port unless it is the default of the scheme. */
  readonly domain: string
  readonly uri: string
  readonly chainIds: readonly number[]
  readonly now: Date
}

/** The fields of a valid message. They are unproven until the signature is verified. */
export interface SiweMessage {
  /** Checksummed. */
  readonly address: string
  readonly chainId: number
  readonly nonce: string
}

/** Returns the position where the grammar stopped, because the report of the parser has no length limit. */
const linesOf = (errors: readonly string[]) => errors.filter((error) => /^line \d+: /.test(error)).slice(0, 10)

async function parse(text: string) {
  const { ParsedMessage, SiweParseError, toChecksumAddress } = await import('@signinwithethereum/siwe-parser')
  try {
    const message = new ParsedMessage(text)
    return { ...message, address: toChecksumAddress(message.address) }
  } catch (error) {
    if (!(error instanceof SiweParseError)) throw error
    const issues = linesOf(error.errors)
    if (issues.some((issue) => issue.endsWith(': invalid version'))) throw siweVersionUnsupported()
    throw invalidSiweMessage({ details: { issues } })
  }
}

/** A date of the message. The grammar checks the form of RFC 3339, but not that the date exists. */
function dateOf(text: string | undefined, name: string): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw invalidSiweMessage({ details: { issues: [`${name} is not a date`] } })
  return date
}

const sameUri = (left: string, right: string) => URL.canParse(left) && new URL(left).href === new URL(right).href

/**
 * Parses an EIP-4361 message and checks it against the expected values.
 *
 * @throws a separate error, with status 400, for each mismatch
 */
export async function readSiweMessage(text: string, expected: SiweExpectation): Promise<SiweMessage> {
  if (text.length > MAX_MESSAGE_LENGTH) throw invalidSiweMessage({ message: 'The message is too long' })
  if (NOT_ALLOWED.test(text))
    throw invalidSiweMessage({ message: 'The message has characters that EIP-4361 does not allow' })
  const message = await parse(text)
  const { protocol } = new URL(expected.uri)

  const isOurs = message.domain.toLowerCase() === expected.domain
  if (!isOurs || (message.scheme !== undefined && `${message.scheme.toLowerCase()}:` !== protocol)) {
    throw siweDomainMismatch({ details: { expected: expected.domain } })
  }
  if (!sameUri(message.uri, expected.uri)) throw siweUriMismatch({ details: { expected: expected.uri } })
  if (!expected.chainIds.includes(message.chainId)) {
    throw siweChainUnsupported({ details: { supported: expected.chainIds } })
  }

  const now = expected.now.getTime()
  const issuedAt = dateOf(message.issuedAt, 'Issued At')
  const expirationTime = dateOf(message.expirationTime, 'Expiration Time')
  const notBefore = dateOf(message.notBefore, 'Not Before')
  if (issuedAt && issuedAt.getTime() > now + CLOCK_SKEW_MS) throw siweIssuedInFuture()
  if (expirationTime && expirationTime.getTime() <= now) throw siweExpired()
  if (notBefore && notBefore.getTime() > now + CLOCK_SKEW_MS) throw siweNotYetValid()

  return { address: message.address, chainId: message.chainId, nonce: message.nonce }
}
