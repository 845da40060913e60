import type { FastifyRequest } from 'fastify'
import { readCookies } from '../../http/cookies.ts'
import { type PayerHint, parsePayer, readPayer } from './payer.ts'
import { type GateProof, readProofs } from './requirements/index.ts'
import type { GateService } from './service.ts'
import type { Credentials } from './standing.ts'

/** The first value of a header. */
export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value

/** The payer that the cookie of a request names, believed or not. */
export const cookiePayer = (request: FastifyRequest): PayerHint | undefined =>
  parsePayer(readCookies(request)[request.eep.cookies.names.payer])

function payerOf(request: FastifyRequest, gates: Pick<GateService, 'believes'>): PayerHint | undefined {
  const { headers } = request
  const { names } = request.eep.cookies
  const jar = readCookies(request)
  const payer =
    readPayer(headerText(headers['x-eep-payer-wallet']), headerText(headers['x-eep-payer-network'])) ??
    parsePayer(jar[names.payer])
  return payer && gates.believes(payer, jar[names.payerProof]) ? payer : undefined
}

/** The payer whose cookie this service gave to who asks, by its signature. */
export function provenPayer(request: FastifyRequest, gates: Pick<GateService, 'isProven'>): PayerHint | undefined {
  const { names } = request.eep.cookies
  const jar = readCookies(request)
  const payer = parsePayer(jar[names.payer])
  return payer && gates.isProven(payer, jar[names.payerProof]) ? payer : undefined
}

/**
 * What a request shows at a gate: who calls, which agent, which payer, and its proofs.
 *
 * @throws `invalid_proof` when its header of proofs cannot be read
 */
export function credentialsOf(
  request: FastifyRequest,
  gates: Pick<GateService, 'believes'>,
  proofs: readonly GateProof[] = [],
): Credentials {
  const { headers, eep } = request
  const shown = readProofs(headerText(headers['x-eep-proofs']) ?? headerText(headers['x-eep-gate-proofs']))
  return {
    caller: eep.caller,
    agent: eep.agent,
    payer: payerOf(request, gates),
    signIn: headerText(headers['sign-in-with-x']),
    proofs: [...shown, ...proofs],
    authorization: headers.authorization,
  }
}

/** Whether a request presents a payment, of whatever rail. */
export const presentsPayment = ({ headers }: FastifyRequest): boolean =>
  headers['payment-signature'] !== undefined ||
  headers['payment-authorization'] !== undefined ||
  /^payment\s/i.test(headers.authorization ?? '')
