import type { FastifyReply, FastifyRequest } from 'fastify'
import { clearCookie, readCookies, setCookie } from '../../../../http/cookies.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { hmac, sameText } from '../../../../kernel/digest.ts'
import type { Keyring } from '../../../../kernel/keyring.ts'

/** Long enough for the navigation that follows a payment. */
const SECONDS = 120
const SIGNED = /^([\w-]{1,100})\.([01])\.(\d{1,15})\.([\w-]{43})$/

/** A settled payment whose content a browser opens with its next navigation. */
export interface Opening {
  readonly paymentId: string
  /** Whether only the payer can have sent the payment. */
  readonly isProof: boolean
}

/** Signs the payments in cookies with which browsers open what they paid for. */
export function createOpeningCookies({ keyring, clock }: { readonly keyring: Keyring; readonly clock: Clock }) {
  const keys = keyring.shared('opening')
  return {
    signOpening({ paymentId, isProof }: Opening): string {
      const text = `${paymentId}.${Number(isProof)}.${clock().getTime() + SECONDS * 1_000}`
      return `${text}.${hmac(keys[0].key, text)}`
    },

    /** The payment in a cookie that this service signed at most two minutes ago. */
    readOpening(cookie: string): Opening | undefined {
      const [, paymentId, proof, until, given] = SIGNED.exec(cookie) ?? []
      if (paymentId === undefined || given === undefined || Number(until) <= clock().getTime()) return undefined
      const text = `${paymentId}.${proof}.${until}`
      const isOurs = keys.some(({ key }) => sameText(given, hmac(key, text)))
      return isOurs ? { paymentId, isProof: proof === '1' } : undefined
    },
  }
}

type OpeningCookies = ReturnType<typeof createOpeningCookies>

/** Whether the client of a payment wants no content, because it opens the content by navigation (RFC 7240, 4.2). */
export const wantsNoContent = ({ headers: { prefer } }: FastifyRequest): boolean =>
  [prefer ?? []].flat().some((each) => /(?:^|,)\s*return=minimal\s*(?:,|;|$)/i.test(each))

/** Lets the next navigation of this browser open what it paid for. */
export function rememberOpening(
  request: FastifyRequest,
  reply: FastifyReply,
  { signOpening }: Pick<OpeningCookies, 'signOpening'>,
  { paymentId, isProof }: { readonly paymentId?: string | undefined; readonly isProof: boolean },
): void {
  const { cookies } = request.eep
  if (paymentId === undefined) return
  setCookie(reply, cookies.names.opening, signOpening({ paymentId, isProof }), SECONDS, cookies)
}

/** The payment whose content this browser opens; not checked yet for the resource of the request. */
export function openingOf(
  request: FastifyRequest,
  { readOpening }: Pick<OpeningCookies, 'readOpening'>,
): Opening | undefined {
  const cookie = readCookies(request)[request.eep.cookies.names.opening]
  return cookie ? readOpening(cookie) : undefined
}

/** Removes the cookie of a payment whose content was opened. */
export const forgetOpening = (request: FastifyRequest, reply: FastifyReply): void =>
  clearCookie(reply, request.eep.cookies.names.opening, request.eep.cookies)
