import type { ServerResponse } from 'node:http'
import * as chains from 'viem/chains'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publicRpcUrlOf } from './network.ts'
import { remoteFacilitator } from './remote-facilitator.ts'
import { createBench, outcomeOf } from './testing/bench.ts'
import { sendJson, startHttpServer } from './testing/http-server.ts'
import type { FacilitatorFault, FacilitatorServer, LocalChain } from './testing/index.ts'
import { startFacilitator, startLocalChain } from './testing/index.ts'

let chain: LocalChain
let server: FacilitatorServer
beforeAll(async () => {
  chain = await startLocalChain()
  server = await startFacilitator({ chain })
})
beforeEach(() => server.heal())
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const patient = () => remoteFacilitator({ url: server.url, timeoutMs: 120_000 })
/** Gives a settlement up after a moment; everything else may take its time. */
const impatient = () => ({ ...patient(), settle: remoteFacilitator({ url: server.url, timeoutMs: 100 }).settle })
const withChain = (facilitator = patient()) => createBench(chain, { facilitator, settleTimeoutMs: 120_000 })
const withoutChain = (facilitator = patient()) =>
  createBench(chain, { facilitator, settleTimeoutMs: 120_000, rpcUrl: undefined })

/** What goes wrong with the first settle; how it ends with a chain to ask; how it ends by the facilitator's word alone. */
const faults: readonly (readonly [FacilitatorFault, string, string])[] = [
  ['twice', 'settled', 'unknown'],
  ['drop_after', 'settled', 'unknown'],
  ['error_after', 'settled', 'unknown'],
  ['failed_after', 'settled', 'unknown'],
  ['endless', 'settled', 'unknown'],
  ['drop_before', 'unknown', 'unknown'],
  ['error_before', 'unknown', 'unknown'],
  ['failed_before', 'unknown', 'unknown'],
  ['redirect', 'unknown', 'unknown'],
]

/** What a host logs when a settlement ends without a result. */
async function causeOf(step: Promise<unknown>): Promise<string> {
  const error = await step.then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  return String(error?.cause)
}

describe('the cause of an unknown outcome', () => {
  const causes: readonly (readonly [FacilitatorFault, RegExp])[] = [
    ['failed_before', /the facilitator reported an error: It Broke: <b>Error<\/b>$/],
    ['error_before', /the facilitator responded to settle with 500 and no result/],
    ['drop_before', /fetch failed/],
    ['redirect', /responded to settle with 307/],
  ]

  it.each(causes)('reports what the facilitator did: %j', async (fault, cause) => {
    for (const bench of [withChain(), withoutChain()]) {
      const { settle, recover } = await bench.verified()
      server.fail(fault, fault)
      expect(await causeOf(settle())).toMatch(cause)
      expect(await causeOf(recover())).toMatch(cause)
    }
  })

  it('names a transaction that does not contain the payment', async () => {
    const { settle } = await withChain().verified()
    server.fail('false_success')
    expect(await causeOf(settle())).toMatch(/0x(ab){32} does not contain the payment/)
  })

  it('has no secrets that the facilitator repeats', async () => {
    const signature = `0x${'cd'.repeat(65)}`
    const url = 'https://rpc.example/v2/SECRET-A'
    const errorReason = `POST ${url} failed: Authorization: Bearer SECRET-B, api_key=SECRET-C, ${signature}`
    const elsewhere = await startFacilitator({
      chain,
      facilitator: {
        ...remoteFacilitator({ url: server.url }),
        settle: async () => ({ success: false, errorReason, transaction: '', network: chain.network }),
      },
    })
    const { verified } = createBench(chain, { facilitator: remoteFacilitator({ url: elsewhere.url }) })
    const { settle } = await verified()
    const cause = await causeOf(settle())
    expect(cause).toContain('the facilitator reported an error: POST (url) failed')
    expect(cause).not.toMatch(/SECRET|cdcd/)
    await elsewhere.stop()
  })
})

describe('a facilitator over HTTP', () => {
  it('returns what it supports, verifies and settles', async () => {
    const { rail, verified, received } = withChain()
    await rail.ping?.()
    const { settle } = await verified()
    expect(await outcomeOf(settle())).toBe('settled')
    expect(await received()).toEqual([10_000n])
    expect(server.calls.slice(-3)).toEqual(['supported', 'verify', 'settle'])
    expect(rail.info?.facilitatorUrl).toBe(server.url)
  })

  it.each(faults)(
    'that does %j: %s where the chain can be asked, and recovered with one charge',
    async (fault, first) => {
      const { verified, received } = withChain()
      const { settle, recover } = await verified()
      server.fail(fault)
      expect(await outcomeOf(settle())).toBe(first)
      expect(await outcomeOf(recover())).toBe('settled')
      expect(await received()).toEqual([10_000n])
    },
  )

  it.each(faults)('that does %j, no chain to ask: never refused', async (fault, _first, alone) => {
    const { verified, received } = withoutChain()
    const { settle, recover } = await verified()
    server.fail(fault)
    expect(await outcomeOf(settle())).toBe(alone)
    // A payment that never went out is settled now; of one that did, the facilitator only reports that its nonce is used.
    const wasSent = (await received()).length === 1
    expect(await outcomeOf(recover())).toBe(wasSent ? 'unknown' : 'settled')
    expect(await received()).toEqual([10_000n])
  })

  it('that settles and never answers: settled where the chain can be asked, unknown otherwise', async () => {
    for (const [bench, outcome] of [
      [withChain(impatient()), 'settled'],
      [withoutChain(impatient()), 'unknown'],
    ] as const) {
      const { settle, recover, signed } = await bench.verified()
      // The payment is on the chain before the time for a response begins, so that none of it is spent on the chain.
      await chain.submit(signed.payload)
      server.fail({ late: new Promise(() => {}) })
      expect(await outcomeOf(settle())).toBe(outcome)
      expect(await outcomeOf(recover())).toBe(outcome)
      expect(await bench.received()).toEqual([10_000n])
    }
  })

  it('that settles after answering "pending": unknown, then recovered with one charge', async () => {
    for (const [{ verified, received }, outcome] of [
      [withChain(), 'settled'],
      [withoutChain(), 'unknown'],
    ] as const) {
      const { settle, recover } = await verified()
      const { promise, resolve } = Promise.withResolvers<void>()
      server.fail({ pending: promise })
      expect(await outcomeOf(settle())).toBe('unknown')
      resolve()
      await expect.poll(received).toEqual([10_000n])
      // A facilitator that has not finished settling it yet gives the repeated call the same result.
      expect(['settled', outcome]).toContain(await outcomeOf(recover()))
      expect(await received()).toEqual([10_000n])
    }
  })

  it('does not trust a reported success when the chain can be read', async () => {
    const { verified, received } = withChain()
    const other = await verified()
    const { transaction: otherTransaction = '' } = await other.settle()
    for (const fault of ['false_success', { otherTransaction }] as const) {
      const before = (await received()).length
      const { settle, recover } = await verified()
      server.fail(fault)
      expect(await outcomeOf(settle())).toBe('unknown')
      expect(await received()).toHaveLength(before)
      expect(await outcomeOf(recover())).toBe('settled')
      expect(await received()).toHaveLength(before + 1)
    }
  })

  it('accepts a refusal when the chain would refuse as well', async () => {
    const { verified, received } = withChain()
    const payer = await chain.newPayer()
    const { settle } = await verified(payer)
    await chain.drain(payer)
    server.fail('failed_before')
    expect(await outcomeOf(settle())).toBe('refused: invalid_exact_evm_insufficient_balance')
    expect(await received()).toEqual([])
  })

  it('that disconnects or reports "pending" does not count as a refusal although the chain would refuse', async () => {
    for (const fault of ['drop_before', 'error_before', { pending: new Promise(() => {}) }] as const) {
      const { verified } = withChain()
      const { settle, recover } = await verified()
      await chain.setPaused(true)
      server.fail(fault)
      expect(await outcomeOf(settle())).toBe('unknown')
      await chain.setPaused(false)
      expect(await outcomeOf(recover())).toBe('settled')
    }
  })

  it('accepts a refusal before sending when there is no RPC endpoint', async () => {
    const { verified, received } = withoutChain()
    const payer = await chain.newPayer()
    const { settle } = await verified(payer)
    await chain.drain(payer)
    expect(await outcomeOf(settle())).toBe('refused: invalid_exact_evm_insufficient_balance')
    expect(await received()).toEqual([])
  })

  it('does not prevent offers while it is down, and fails at verify', async () => {
    const { rail, present, verify } = createBench(chain, {
      facilitator: remoteFacilitator({ url: 'http://127.0.0.1:9' }),
    })
    expect(await outcomeOf(verify(await present()))).toBe('fault: payment_uncheckable')
    await expect(rail.ping?.()).rejects.toThrow()
  })

  it('closes earlier unknown outcomes once an endpoint is configured', async () => {
    const blind = withoutChain()
    const presented = await blind.present()
    const checkpoint = await blind.verify(presented)
    const { credential, purchase } = presented
    server.fail('drop_after')
    expect(await outcomeOf(blind.rail.settle(credential, purchase, checkpoint))).toBe('unknown')
    expect(await outcomeOf(blind.rail.recover(credential, purchase, checkpoint))).toBe('unknown')
    const seeing = createBench(chain, { payTo: blind.receiver })
    expect(await outcomeOf(seeing.rail.recover(credential, purchase, checkpoint))).toBe('settled')
  })
})

describe('an endpoint that only closes unknown outcomes', () => {
  const recovering = (recoveryRpcUrl: string) =>
    createBench(chain, { facilitator: patient(), rpcUrl: undefined, recoveryRpcUrl })

  it('is asked for nothing while outcomes are seen', async () => {
    const asked: string[] = []
    const rpc = await startHttpServer(async (_, body, response) => {
      asked.push(body)
      return sendJson(response, 500, {})
    })
    const { rail, verified, received } = recovering(rpc.url)
    await rail.ping?.()
    const { settle } = await verified()
    expect(await outcomeOf(settle())).toBe('settled')
    expect([await received(), asked]).toEqual([[10_000n], []])
    await rpc.stop()
  })

  it.each(['drop_after', 'failed_after'] as const)(
    'closes a payment whose facilitator did %s, with one charge',
    async (fault) => {
      const { verified, received } = recovering(chain.rpcUrl)
      const { settle, recover } = await verified()
      server.fail(fault)
      expect(await outcomeOf(settle())).toBe('unknown')
      const calls = server.calls.length
      expect(await outcomeOf(recover())).toBe('settled')
      expect([await received(), server.calls.length]).toEqual([[10_000n], calls])
    },
  )

  it('leaves the facilitator to be asked while it is out of reach itself', async () => {
    const { verified, received } = recovering('http://127.0.0.1:9')
    const { settle, recover } = await verified()
    server.fail('drop_before')
    expect(await outcomeOf(settle())).toBe('unknown')
    expect(await outcomeOf(recover())).toBe('settled')
    expect(await received()).toEqual([10_000n])
  })

  it('is the one that viem names for every known network', async () => {
    const urlsOf = (network: number) =>
      Object.values(chains).flatMap(({ id, rpcUrls }) => (id === network ? [...rpcUrls.default.http] : []))
    for (const id of [8453, 84532, 1, 137, 42161, 421614, 43114, 143, 42220]) {
      expect(urlsOf(id)).toContain(publicRpcUrlOf(`eip155:${id}`))
    }
  })
})

describe('remoteFacilitator', () => {
  // The facilitator is sent them as they are, so they may be empty.
  const payload = { x402Version: 2, accepted: {} as never, payload: {} }
  const requirements = {} as never

  it('sends what the official servers send, with the headers it is given', async () => {
    const seen: unknown[] = []
    const echo = await startHttpServer(async ({ url, method, headers }, body, response) => {
      seen.push([method, url, headers.authorization, headers['content-type'], body])
      sendJson(response, 200, { isValid: true, success: true, transaction: '', kinds: [] })
    })
    const facilitator = remoteFacilitator({
      url: `${echo.url}/x402/`,
      headers: async (call) => ({ authorization: `Bearer ${call}` }),
    })
    await facilitator.verify(payload, requirements)
    await facilitator.settle(payload, requirements)
    await facilitator.getSupported()
    const body = JSON.stringify({ x402Version: 2, paymentPayload: payload, paymentRequirements: {} })
    expect(seen).toEqual([
      ['POST', '/x402/verify', 'Bearer verify', 'application/json', body],
      ['POST', '/x402/settle', 'Bearer settle', 'application/json', body],
      ['GET', '/x402/supported', 'Bearer supported', undefined, ''],
    ])
    await echo.stop()
  })

  it('gives up when the response does not arrive, or is not complete, in time', async () => {
    const answers = [() => {}, (response: ServerResponse) => void response.writeHead(200).write('{"success":')]
    for (const answer of answers) {
      const silent = await startHttpServer(async (_request, _body, response) => answer(response))
      const { settle } = remoteFacilitator({ url: silent.url, timeoutMs: 50 })
      await expect(settle(payload, requirements)).rejects.toMatchObject({ name: 'TimeoutError' })
      await silent.stop()
    }
  })

  it.each([
    ['verify', 429, 2],
    ['verify', 503, 2],
    ['settle', 429, 2],
    ['settle', 503, 1],
  ] as const)(
    'gets %s again at the time of its Retry-After only when that is safe: %i',
    async (name, status, requests) => {
      let count = 0
      const busy = await startHttpServer(async (_request, _body, response) => {
        count += 1
        if (count > 1) return sendJson(response, 200, { isValid: true, success: true, transaction: '' })
        response.setHeader('retry-after', '1')
        sendJson(response, status, {})
      })
      const facilitator = remoteFacilitator({ url: busy.url, timeoutMs: 60_000 })
      const answer = facilitator[name](payload, requirements)
      await (requests === 2 ? answer : expect(answer).rejects.toThrow('503'))
      expect(count).toBe(requests)
      await busy.stop()
    },
  )

  it('does not get a request again after its timeout', async () => {
    let count = 0
    const busy = await startHttpServer(async (_request, _body, response) => {
      count += 1
      response.setHeader('retry-after', '3600')
      sendJson(response, 429, {})
    })
    await expect(remoteFacilitator({ url: busy.url }).verify(payload, requirements)).rejects.toThrow('429')
    expect(count).toBe(1)
    await busy.stop()
  })

  it('accepts a refusal with a status that is not 200', async () => {
    const refusing = await startHttpServer(async (_request, _body, response) =>
      sendJson(response, 412, {
        isValid: false,
        invalidReason: 'invalid_exact_evm_signature',
        success: false,
        transaction: '',
      }),
    )
    const { url } = refusing
    expect(await remoteFacilitator({ url }).verify(payload, requirements)).toMatchObject({ isValid: false })
    expect(await remoteFacilitator({ url }).settle(payload, requirements)).toMatchObject({ success: false })
    await refusing.stop()
  })

  it.each([
    ['a redirect', 302, '{"success":true}'],
    ['a server error', 500, '{"success":false}'],
    ['HTML', 200, '<p>fine</p>'],
    ['JSON null', 200, 'null'],
    ['a success that is a text', 200, '{"success":"true"}'],
    ['no body', 204, ''],
  ])('rejects on %s', async (_name, status, body) => {
    const odd = await startHttpServer(async (_request, _body, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end(body)
    })
    await expect(remoteFacilitator({ url: odd.url }).settle(payload, requirements)).rejects.toThrow(String(status))
    await odd.stop()
  })
})
