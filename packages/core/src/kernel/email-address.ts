import { domainToASCII } from 'node:url'
import { z } from 'zod'

const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
/** Longer texts are not converted: no domain name needs them. */
const MAX_ENTERED = 1024

/** Characters of ASCII that no domain name has. Some parsers of host names would cut or decode the text there. */
const NOT_IN_DOMAIN = /[^a-z0-9.\-\u0080-\u{10ffff}]/iu
const ASCII = /^[\0-\x7f]*$/
const ALL_DIGITS = /^\d+$/

/** One spelling of an address: without spaces around it, with the domain in ASCII. Invalid texts are only trimmed. */
function spelled(entered: string): string {
  const text = entered.trim()
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  if (at < 0 || text.length > MAX_ENTERED || NOT_IN_DOMAIN.test(domain)) return text
  const ascii = domainToASCII(domain)
  return ascii ? `${text.slice(0, at)}@${ascii}` : text
}

/** The problem of a spelled address; undefined for a valid one. */
function problemOf(address: string): string | undefined {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  if (at > 0 && !ASCII.test(local))
    return 'The service cannot send to addresses with other characters than ASCII before the @'
  const labels = address.slice(at + 1).split('.')
  const isValid =
    z.regexes.html5Email.test(address) &&
    local.length <= MAX_LOCAL_LENGTH &&
    labels.length > 1 &&
    !ALL_DIGITS.test(labels.at(-1) ?? '')
  return isValid ? undefined : 'Invalid email address'
}

/**
 * An email address as people enter it. The result has no spaces around it and its domain in ASCII, so `post@почта.рф` and
 * `post@xn--80a1acny.xn--p1ai` are the same address.
 */
export const emailAddress = z
  .string()
  .overwrite(spelled)
  .max(MAX_LENGTH)
  .superRefine((address, context) => {
    const message = problemOf(address)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({ format: 'email' })

/** An address to look up. One that {@link emailAddress} refuses is only trimmed: it may have been stored by other means. */
export const knownAddress = (entered: string): string => emailAddress.safeParse(entered).data ?? entered.trim()

/** An address for comparison. Only A-Z are folded: in other scripts, two mailboxes can become the same text. */
export const foldAddress = (address: string): string => address.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
