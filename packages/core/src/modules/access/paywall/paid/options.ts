import type { FastifyRequest } from 'fastify'
import { defineError } from '../../../../kernel/errors.ts'
import type { Compensation } from '../../../../ports/storage/paid-requests.ts'
import type { FixedPrice } from '../access/priced-gate.ts'

export const contentDigestMismatch = defineError(
  'content_digest_mismatch',
  400,
  'The header Content-Digest does not match the content of the request',
)
export const tooManyOpenPayments = defineError(
  'too_many_open_payments',
  429,
  'This payer has too many paid requests in progress; wait for one of them and repeat the same request',
)
export const answerTooLarge = defineError(
  'answer_too_large',
  500,
  'The answer is too large to be paid after it was made; nothing was charged',
)
export const handlerTimedOut = defineError('handler_timeout', 504, 'The request took too long to be answered')

/** The errors of a paid route, beside those of a gate. */
export const PAID_REQUEST_ERRORS = [
  contentDigestMismatch,
  tooManyOpenPayments,
  answerTooLarge,
  handlerTimedOut,
] as const

/**
 * Returns the price of one request. `content` is the body as it was received; undefined when there is none, or when it was not read. It
 * is called for the offer and again for the payment.
 */
export type RequestPrice = (request: FastifyRequest, content: Buffer | undefined) => FixedPrice | Promise<FixedPrice>

/** What the owner of a paid route decides. */
export interface ChargeOptions {
  /**
   * When the money of a single request is taken: `before` the handler runs, or `after` it answered as sold, and only then. Rails whose
   * payments cannot wait charge before in either case.
   * @default before
   */
  readonly charge?: 'before' | 'after' | undefined
  /**
   * Whether a payment is bound to the content of its request, which is then read whole before it is parsed. `none`: to its method and
   * target only, for bodies that are parsed as a stream.
   * @default content
   */
  readonly digest?: 'content' | 'none' | undefined
  /**
   * Which answers are what was sold, by their status. A service that looks something up should include 404: else it answers "does this
   * exist?" for free.
   * @default below 400
   */
  readonly sold?: ((status: number) => boolean) | undefined
  /**
   * Whether an answer is kept, encrypted, until it was delivered, so that a broken connection repeats no work. Answers that are charged
   * after are always kept.
   * @default for every method but GET
   */
  readonly keepAnswer?: boolean | undefined
  /**
   * What happens with a payment for which nothing was delivered.
   * @default refund where the rail can, else keep it for the payer for 30 days
   */
  readonly compensation?: Compensation | undefined
  /**
   * How long an undelivered payment waits for its payer before it is compensated.
   * @default 3600000
   */
  readonly compensateAfterMs?: number | undefined
  /**
   * How long the handler may take.
   * @default 30000
   */
  readonly handlerTimeoutMs?: number | undefined
  /**
   * The largest body of a request without payment that is read.
   * @default 65536
   */
  readonly maxUnpaidBytes?: number | undefined
  /**
   * The largest answer that is kept, and that can be charged after.
   * @default 1048576
   */
  readonly maxAnswerBytes?: number | undefined
  /**
   * How many requests of one payer may run at a time that are charged after.
   * @default 4
   */
  readonly maxOpen?: number | undefined
}

/** The options of a paid route, complete. */
export type ChargeSettings = Pick<ChargeOptions, 'keepAnswer' | 'compensation'> & {
  readonly [Name in Exclude<keyof ChargeOptions, 'keepAnswer' | 'compensation'>]-?: NonNullable<ChargeOptions[Name]>
}

const LIMITS = {
  compensateAfterMs: 30 * 86_400_000,
  handlerTimeoutMs: 240_000,
  maxUnpaidBytes: 2 ** 30,
  maxAnswerBytes: 16 * 2 ** 20,
  maxOpen: 1_000,
} as const

/**
 * Completes the options of a paid route.
 *
 * @throws TypeError that names the option that is wrong
 */
export function chargeSettings(options: ChargeOptions, resource: string): ChargeSettings {
  const settings: ChargeSettings = {
    charge: options.charge ?? 'before',
    digest: options.digest ?? 'content',
    sold: options.sold ?? ((status) => status < 400),
    keepAnswer: options.keepAnswer,
    compensation: options.compensation,
    compensateAfterMs: options.compensateAfterMs ?? 3_600_000,
    handlerTimeoutMs: options.handlerTimeoutMs ?? 30_000,
    maxUnpaidBytes: options.maxUnpaidBytes ?? 65_536,
    maxAnswerBytes: options.maxAnswerBytes ?? 1_048_576,
    maxOpen: options.maxOpen ?? 4,
  }
  for (const [name, most] of Object.entries(LIMITS)) {
    const value = settings[name as keyof typeof LIMITS]
    if (!Number.isInteger(value) || value < 1 || value > most) {
      throw new TypeError(`paidRoute of "${resource}": ${name} must be a whole number from 1 to ${most}`)
    }
  }
  if (!['before', 'after'].includes(settings.charge)) {
    throw new TypeError(`paidRoute of "${resource}": charge must be before or after`)
  }
  return settings
}
