import { describe, expect, it } from 'vitest'
import { createStreamCheck, requireDelivery, requireEepFrame } from './eep-frames.ts'

const event = {
  specversion: '1.0',
  eep_version: '0.1',
  id: '102r014',
  source: 'did:web:profiles.example:u:ada',
  type: 'entity.updated',
  time: '2026-01-01T00:00:00.000Z',
  datacontenttype: 'application/json',
  data: {},
}
const frameOf = (envelope: { readonly id: string; readonly type: string }) => ({
  id: envelope.id,
  event: envelope.type,
  data: JSON.stringify(envelope),
})

describe('the checks of the clients of the tests', () => {
  it('accept the frames of a stream that EEP allows', () => {
    const check = createStreamCheck()
    check({})
    check({ event: 'reset', data: '{"reason":"expired","oldest_event_id":null}' })
    check(frameOf(event))
    check(frameOf({ ...event, id: '102r015' }))
    check({ event: 'slow_consumer', data: '{}' })
  })

  it.each<[string, object]>([
    ['an event without data', { id: event.id, event: event.type }],
    ['a reset for no known reason', { event: 'reset', data: '{"reason":"other","oldest_event_id":null}' }],
    ['another id than that of the event', { ...frameOf(event), id: '102r015' }],
    ['another type than that of the event', { ...frameOf(event), event: 'entity.created' }],
    ['a source that is not a DID', frameOf({ ...event, source: 'u/ada' } as typeof event)],
    ['a type in capitals', frameOf({ ...event, type: 'Entity.updated' })],
    // An event that the types refuse.
    ['no version', frameOf({ ...event, eep_version: undefined } as never)],
    ['a time without a zone', frameOf({ ...event, time: '2026-01-01' } as typeof event)],
    ['data that is not an object', frameOf({ ...event, data: [] } as typeof event)],
  ])('refuse a frame of a stream with %s', (_what, frame) => {
    expect(() => createStreamCheck()(frame)).toThrow()
  })

  it('refuse an event that a stream sends twice or too late', () => {
    const check = createStreamCheck()
    check(frameOf(event))
    expect(() => check(frameOf(event))).toThrow('came after')
    expect(() => check(frameOf({ ...event, id: '102r013' }))).toThrow('came after')
  })

  it('refuse frames of sockets that EEP does not know', () => {
    const update = { v: 1, type: 'entity', action: 'update', seq: 0, data: { source_did: event.source, event } }
    requireEepFrame(update)
    expect(() => requireEepFrame({ ...update, v: 2 })).toThrow('not a frame')
    expect(() => requireEepFrame({ ...update, action: 'changed' })).toThrow('not a frame')
    expect(() => requireEepFrame({ ...update, data: { event } })).toThrow('not a frame')
  })

  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_102r014',
    'webhook-timestamp': '1767225600',
    'webhook-signature': 'v1,YWJj v1,ZGVm v1a,key:YWJj',
    'eep-version': '0.1',
  }
  const members = {
    eep_subscription_id: 'sub_1',
    eep_delivery_id: '00000000-0000-4000-8000-000000000000',
    eep_delivery_timestamp: event.time,
    eep_delivery_attempt: 1,
  }
  const delivered = { ...event, ...members }
  const text = JSON.stringify(delivered)
  const batch = { ...headers, 'content-type': 'application/cloudevents-batch+json' }
  const attributes = Object.entries(delivered).filter(([name]) => name !== 'data' && name !== 'datacontenttype')
  const binary = {
    ...headers,
    ...Object.fromEntries(attributes.map(([name, value]) => [`ce-${name.replaceAll('_', '')}`, String(value)])),
  }

  it('accept deliveries alone, in batches and in binary mode', () => {
    requireDelivery({ headers, text })
    requireDelivery({ headers: batch, text: `[${text},${text}]` })
    requireDelivery({ headers: binary, text: '{}' })
  })

  it.each([
    ['without a signature', { headers: { ...headers, 'webhook-signature': undefined }, text }],
    ['with another id', { headers: { ...headers, 'webhook-id': '102r014' }, text }],
    ['of an event without its subscription', { headers, text: JSON.stringify(event) }],
    ['of a list that is not called a batch', { headers, text: `[${text}]` }],
    ['of an empty batch', { headers: batch, text: '[]' }],
    ['in binary mode without a type', { headers: { ...binary, 'ce-type': undefined }, text: '{}' }],
    [
      'in binary mode with an attempt before the first',
      { headers: { ...binary, 'ce-eepdeliveryattempt': '0' }, text: '{}' },
    ],
  ])('refuse a delivery %s', (_what, request) => {
    expect(() => requireDelivery(request)).toThrow()
  })
})
