import { sendJson, startHttpServer } from './http-server.ts'

/**
 * A fault of calls of a method: `down` does not forward the call, `lost` forwards it and drops the response, `slow` answers
 * later, `error` responds with an error of the node.
 */
export type RpcFault = 'down' | 'lost' | 'error' | { readonly slowMs: number }

/** The methods that can have a fault. `*` is every method. */
export type RpcMethod = '*' | `eth_${string}`

/**
 * A proxy for a chain's RPC endpoint that fails on request.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/stablecoins.md
 * @example
 * const proxy = await startRpcProxy(chain.rpcUrl)
 * const facilitator = localFacilitator({ network: chain.network, rpcUrl: proxy.rpcUrl, privateKey })
 */
export async function startRpcProxy(target: string) {
  const faults = new Map<RpcMethod, { readonly fault: RpcFault; times: number }>()
  const calls: string[] = []

  const faultOf = (method: string): RpcFault | undefined => {
    const active = faults.get(method as RpcMethod) ?? faults.get('*')
    if (!active || active.times <= 0) return undefined
    active.times -= 1
    return active.fault
  }

  const server = await startHttpServer(async (_request, body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    calls.push(method)
    const fault = faultOf(method)
    if (fault === 'down') throw new Error('down')
    if (fault === 'error') {
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32_000, message: 'the node failed' } })
      return
    }
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const result: unknown = await answer.json()
    if (fault === 'lost') throw new Error('lost')
    if (fault) await new Promise((resolve) => setTimeout(resolve, fault.slowMs))
    sendJson(response, answer.status, result)
  })

  return {
    rpcUrl: server.url,
    /** The methods that were called. */
    calls: calls as readonly string[],
    /** Sets the fault of a method, for its next calls or until `heal`. */
    fail(method: RpcMethod, fault: RpcFault, times = Number.POSITIVE_INFINITY): void {
      faults.set(method, { fault, times })
    },
    heal: (): void => faults.clear(),
    stop: server.stop,
  }
}

/** A running proxy, as {@link startRpcProxy} returns it. */
export type RpcProxy = Awaited<ReturnType<typeof startRpcProxy>>
