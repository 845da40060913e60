import { describe, expect, it } from 'vitest'
import { cashRail } from '../../../entries/testing.ts'
import { offerOf } from './available-routes.ts'
import { manifestOf, type ServiceInfo } from './manifest.ts'
import { manifestSchema } from './schemas.ts'

const service: ServiceInfo = {
  name: 'Profiles',
  description: '',
  publicUrl: 'https://profiles.example',
  did: 'did:web:profiles.example',
  sessionCookie: 'eep_session',
  rails: [],
}
const route = (method: string, path: string) => ({ method, path, auth: 'none', tag: 'streams', summary: '' })

describe('the manifest', () => {
  it('is valid by the closed schema of the protocol, with and without a rail', () => {
    const rail = {
      ...cashRail(),
      info: { protocol: 'x402' as const, accepts: [], facilitatorUrl: 'https://f.example' },
    }
    for (const rails of [[], [cashRail()], [rail]]) {
      expect(() => manifestSchema.parse(manifestOf({ ...service, rails }, offerOf([])))).not.toThrow()
    }
  })

  it('names only layers whose routes exist', () => {
    expect(manifestOf(service, offerOf([])).layers).toEqual({ layer1: 'https://profiles.example/discover' })
    const offer = offerOf([route('GET', '/eep/stream'), route('POST', '/eep/subscribe')])
    expect(manifestOf(service, offer).layers).toEqual({
      layer1: 'https://profiles.example/discover',
      layer2_sse: 'https://profiles.example/eep/stream',
      layer2_webhook: 'https://profiles.example/eep/subscribe',
    })
  })

  it('names the WebSocket with the scheme of WebSockets', () => {
    const offer = offerOf([route('GET', '/eep/pulse')])
    const layerAt = (publicUrl: string) => manifestOf({ ...service, publicUrl }, offer).layers.layer3_ws
    expect(layerAt('https://profiles.example')).toBe('wss://profiles.example/eep/pulse')
    expect(layerAt('http://localhost:3000')).toBe('ws://localhost:3000/eep/pulse')
  })

  it('states whether x402 is supported, and on which network', () => {
    expect(manifestOf(service, offerOf([]))).toMatchObject({ x402_enabled: false, pqc_ready: false })
    const rail = cashRail({ network: 'eip155:84532', currencies: ['usdc'] })
    expect(manifestOf({ ...service, rails: [rail] }, offerOf([]))).toMatchObject({
      x402_enabled: true,
      x402: { payment_rails: ['x402/usdc'], network: 'eip155:84532' },
    })
  })

  it('declares no event types while no route delivers them', () => {
    expect(manifestOf(service, offerOf([]))).not.toHaveProperty('event_types')
  })
})
