import { serverOptions } from '@eep/core'
import { cashRail } from '@eep/core/testing'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, type TestAppOptions } from '../support/app.ts'
import { client } from '../support/client.ts'

const uri = { type: 'string', format: 'uri' }
const version = { type: 'string', pattern: '^\\d+\\.\\d+' }
const texts = { type: 'array', items: { type: 'string' } }
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const flag = { type: 'boolean' }

/** `eep-manifest.json` of EEP v0.1, with what validators of the protocol demand beyond it: the two flags. */
const manifestSchema = closed(
  {
    did: { type: 'string', pattern: '^did:[a-z]+:.+' },
    eep_version: version,
    eep_versions: { type: 'array', minItems: 1, items: version },
    preferred_version: version,
    layers: closed({ layer1: uri, layer2_sse: uri, layer2_webhook: uri, layer3_ws: uri }, ['layer1']),
    supported_content_types: { ...texts, minItems: 1 },
    event_types: {
      type: 'array',
      maxItems: 500,
      items: closed(
        {
          type: { type: 'string', pattern: '^[a-z][a-z0-9]*(\\.[a-z][a-z0-9_]*)+$' },
          description: { type: 'string', maxLength: 512 },
          dataschema: uri,
          since: { type: 'string', maxLength: 32 },
          deprecated: flag,
        },
        ['type'],
      ),
    },
    event_catalog_url: uri,
    gates_url: uri,
    services_url: uri,
    capabilities_query_url: uri,
    reputation: closed(
      { contract: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }, chain: { type: 'string' }, scan_url: uri },
      ['contract', 'chain'],
    ),
    pqc_ready: flag,
    pqc_algorithms: texts,
    signing_algorithms: {
      type: 'array',
      minItems: 1,
      items: {
        enum: [
          'EdDSA',
          'ES256K',
          'ES256',
          'ML-DSA-65',
          'ML-DSA-87',
          'SLH-DSA-128s',
          'hybrid-EdDSA-ML-DSA-65',
          'hybrid-EdDSA-ML-DSA-87',
        ],
      },
    },
    signing_jwks_url: uri,
    x402_enabled: flag,
    x402: closed({ facilitator_url: uri, payment_rails: texts, network: { type: 'string' } }),
    compliance: closed({
      eu_ai_act: flag,
      gdpr: flag,
      dora: flag,
      eidas2: flag,
      anp_compatible: flag,
      dpv_purpose: { type: 'string' },
      dpv_retention: { type: 'string' },
    }),
    data_residency: { type: 'string' },
    payment_networks: {
      type: 'array',
      items: closed(
        { chain: { type: 'string' }, address: { type: 'string' }, min_confirmations: { type: 'integer', minimum: 0 } },
        ['chain', 'address'],
      ),
    },
    pricing_mode: { enum: ['fixed', 'negotiable', 'auction'] },
    updated_at: { type: 'string', format: 'date-time' },
    tls_mode: { enum: ['standard', 'mTLS', 'mTLS-required'] },
    forward_secrecy_enforced: flag,
    discovery_hints: closed({
      link_header_supported: flag,
      dns_txt_record: { type: 'string', pattern: '^v=eep1;\\s*manifest=https://' },
      beacon_interval_seconds: { type: 'integer', minimum: 30, maximum: 86_400 },
    }),
    conformance_credential: { type: 'object' },
  },
  ['did', 'eep_version', 'layers', 'supported_content_types', 'pqc_ready', 'x402_enabled'],
)

const ajv = new Ajv2020({ allErrors: true, strict: true })
formats.default(ajv)
const validate = ajv.compile(manifestSchema)

describe('/.well-known/eep.json', () => {
  let database: Awaited<ReturnType<typeof openStorage>>
  beforeAll(async () => {
    database = await openStorage()
  })
  afterAll(() => database.close())

  const x402 = {
    ...cashRail(),
    info: {
      protocol: 'x402',
      accepts: [{ network: 'eip155:8453', asset: 'usdc', currencies: ['usdc', 'usd'] }],
      facilitatorUrl: 'https://facilitator.example',
    },
  } as const

  it.each([
    ['by itself', {}],
    ['with a rail', { payments: { rails: [cashRail()] } }],
    ['with a facilitator', { payments: { rails: [x402] } }],
    ['on a port and below a path', { publicUrl: 'http://127.0.0.1:3000/profiles' }],
  ] satisfies [string, TestAppOptions][])(
    'serves a manifest that is valid by the strict schema of EEP %s',
    async (_, options) => {
      const { app, close } = await createTestApp({ ...options, storage: database.storage }, serverOptions)
      const manifest = (await client(app).get('/.well-known/eep.json')).json()
      await close()
      expect(validate(manifest) ? [] : validate.errors).toEqual([])
    },
  )

  it('rejects a manifest with an additional member', async () => {
    const { app, close } = await createTestApp({ storage: database.storage })
    const manifest = (await client(app).get('/.well-known/eep.json')).json()
    await close()
    expect(validate({ ...manifest, note: 'ours' })).toBe(false)
    expect(validate({ ...manifest, layers: {} })).toBe(false)
  })
})
