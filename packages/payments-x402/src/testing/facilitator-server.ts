import type { ServerResponse } from 'node:http'
import type { Facilitator, PaymentPayload, PaymentRequirements, SettleResponse } from '../facilitator.ts'
import { localFacilitator } from '../local-facilitator.ts'
import { sendJson, startHttpServer } from './http-server.ts'
import type { LocalChain } from './local-chain.ts'

/** A failure of a facilitator in `settle`. */
export type FacilitatorFault =
  /** Settles, and responds once the promise is resolved. */
  | { readonly late: Promise<unknown> }
  /** Answers immediately that the payment is pending, and settles once the promise is resolved. */
  | { readonly pending: Promise<unknown> }
  /** Submits the payment to the chain twice. */
  | 'twice'
  /** Settles, and the connection breaks before the response. */
  | 'drop_after'
  /** The connection breaks before it settles. */
  | 'drop_before'
  /** Settles, and returns 502 with a page of HTML. */
  | 'error_after'
  /** Does not settle, and returns 500. */
  | 'error_before'
  /** Does not settle, and redirects elsewhere. */
  | 'redirect'
  /** Settles, and redirects elsewhere. */
  | 'redirect_after'
  /** Settles, and responds with another amount and another payer. */
  | 'wrong_amount_after'
  /** Settles, and responds with a failure of an unknown reason. */
  | 'failed_after'
  /** Does not settle, and responds with a failure of an unknown reason. */
  | 'failed_before'
  /** Does not settle, and reports success with a transaction that does not exist. */
  | 'false_success'
  /** Does not settle, and reports success with the transaction of another payment. */
  | { readonly otherTransaction: string }
  /** Settles, and responds with a body without an end. */
  | 'endless'

/** Options of {@link startFacilitator}. */
export interface FacilitatorServerOptions {
  /** The chain to settle on; its facilitator wallet pays the gas. */
  readonly chain: LocalChain
  /** Settles instead of a local facilitator. */
  readonly facilitator?: Facilitator | undefined
}

/**
 * A facilitator over HTTP, as `remoteFacilitator` and official servers call it, that fails on request.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const server = await startFacilitator({ chain })
 * const facilitator = remoteFacilitator({ url: server.url })
 */
export async function startFacilitator({ chain, facilitator = facilitatorOf(chain) }: FacilitatorServerOptions) {
  const faults: FacilitatorFault[] = []
  const calls: string[] = []

  const server = await startHttpServer(async (request, body, response) => {
    const path = request.url ?? ''
    calls.push(path.slice(1))
    if (request.method === 'GET' && path === '/supported')
      return sendJson(response, 200, await facilitator.getSupported())
    const { paymentPayload, paymentRequirements } = JSON.parse(body) as {
      paymentPayload: PaymentPayload
      paymentRequirements: PaymentRequirements
    }
    if (path === '/verify') {
      return sendJson(response, 200, await facilitator.verify(paymentPayload, paymentRequirements))
    }
    if (path !== '/settle') return sendJson(response, 404, {})
    const settle = () => facilitator.settle(paymentPayload, paymentRequirements)
    await answerSettle(response, faults.shift(), settle, chain.network)
  })

  return {
    url: server.url,
    /** The calls so far: `verify`, `settle`, `supported`. */
    calls: calls as readonly string[],
    /** Makes the next calls of `settle` fail, one fault for each. */
    fail: (...next: FacilitatorFault[]): void => void faults.push(...next),
    heal: (): void => void faults.splice(0),
    stop: server.stop,
  }
}

/** A running facilitator, as {@link startFacilitator} returns it. */
export type FacilitatorServer = Awaited<ReturnType<typeof startFacilitator>>

const facilitatorOf = ({ network, rpcUrl, wallets }: LocalChain): Facilitator =>
  localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })

async function answerSettle(
  response: ServerResponse,
  fault: FacilitatorFault | undefined,
  settle: () => Promise<SettleResponse>,
  network: string,
): Promise<void> {
  const success = (transaction: string) => sendJson(response, 200, { success: true, transaction, network })
  const failure = (status: number, errorReason: string) =>
    sendJson(response, status, { success: false, errorReason, transaction: '', network })

  if (typeof fault === 'object') {
    if ('otherTransaction' in fault) return success(fault.otherTransaction)
    if ('pending' in fault) {
      void fault.pending.then(settle).catch(() => undefined)
      return failure(200, 'settlement_pending')
    }
    const answer = await settle()
    await fault.late
    return sendJson(response, 200, answer)
  }
  switch (fault) {
    case 'drop_before':
      throw new Error('dropped')
    case 'error_before':
      return failure(500, 'unexpected_error')
    case 'failed_before':
      return failure(200, 'It Broke: <b>Error</b>')
    case 'redirect':
      response.writeHead(307, { location: 'https://elsewhere.invalid/settle' }).end()
      return
    case 'false_success':
      return success(`0x${'ab'.repeat(32)}`)
    default:
  }
  const answer = await settle()
  switch (fault) {
    case 'twice':
      return sendJson(response, 200, await settle())
    case 'drop_after':
      throw new Error('dropped')
    case 'error_after':
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
      return
    case 'failed_after':
      return failure(200, 'It Broke: <b>Error</b>')
    case 'redirect_after':
      response.writeHead(307, { location: 'https://elsewhere.invalid/settle' }).end()
      return
    case 'wrong_amount_after':
      return sendJson(response, 200, { ...answer, amount: '1', payer: `0x${'11'.repeat(20)}` })
    case 'endless':
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`${' '.repeat(1_000_000)}${JSON.stringify(answer)}`)
      return
    default:
      return sendJson(response, answer.success ? 200 : 402, answer)
  }
}
