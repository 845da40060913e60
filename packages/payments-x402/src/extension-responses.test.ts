import type { CatalogueNotice } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueNoticeIn, readExtensionResponses } from './extension-responses.ts'
import { remoteFacilitator } from './remote-facilitator.ts'
import { type HttpServer, startHttpServer } from './testing/http-server.ts'
import { encodeHeader } from './testing/wallet.ts'
import { x402Rail } from './x402-rail.ts'

describe('the header EXTENSION-RESPONSES', () => {
  it.each([null, 'not base64', encodeHeader([1]), encodeHeader('text'), encodeHeader({ x: 'y'.repeat(8_192) })])(
    'is ignored when it is absent, malformed or too long: %.20s',
    (header) => {
      expect(readExtensionResponses(header)).toBeUndefined()
    },
  )

  it.each<[object, CatalogueNotice | undefined]>([
    [{ bazaar: { status: 'success' } }, { status: 'success' }],
    [{ bazaar: { status: 'rejected', rejectedReason: 'no schema' } }, { status: 'rejected', reason: 'no schema' }],
    [{ bazaar: { status: 'rejected', reason: 'x'.repeat(300) } }, { status: 'rejected', reason: 'x'.repeat(200) }],
    [{ bazaar: { status: 'other' } }, undefined],
    [{ bazaar: null }, undefined],
    [{}, undefined],
  ])('states what the catalogue did: %j', (responses, notice) => {
    expect(catalogueNoticeIn(responses as Record<string, unknown>)).toEqual(notice)
  })
})

describe('a remote facilitator', () => {
  let server: HttpServer
  let header = encodeHeader({ bazaar: { status: 'processing' } })
  beforeAll(async () => {
    server = await startHttpServer(async (request, _body, response) => {
      response.setHeader('extension-responses', header)
      const body = request.url === '/verify' ? { isValid: true } : { success: false, transaction: '', network: 'a:b' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  afterAll(() => server.stop())

  it('notifies the listeners of the rail of what its catalogue did, on both calls, and nothing else changes', async () => {
    const facilitator = remoteFacilitator({ url: server.url })
    const rail = x402Rail({ network: 'base-sepolia', payTo: `0x${'1'.repeat(40)}`, facilitator })
    const notices: CatalogueNotice[] = []
    rail.onCatalogueNotice?.((notice) => notices.push(notice))
    // The facilitator of this test reads neither.
    const [payload, requirements] = [{} as never, {} as never]
    expect(await facilitator.verify(payload, requirements)).toEqual({ isValid: true })
    header = encodeHeader({ bazaar: { status: 'rejected', rejectedReason: 'no' } })
    expect(await facilitator.settle(payload, requirements)).toMatchObject({ success: false })
    header = 'rubbish'
    expect(await facilitator.verify(payload, requirements)).toEqual({ isValid: true })
    expect(notices).toEqual([{ status: 'processing' }, { status: 'rejected', reason: 'no' }])
  })
})
