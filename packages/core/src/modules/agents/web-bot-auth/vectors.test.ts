import { describe, expect, it } from 'vitest'
import { signatureToolkit } from '../../../adapters/signature-toolkit.ts'
import { readSignature } from './read-signature.ts'
import { readSignerKeys } from './signer-keys.ts'

// The vectors of draft-ietf-webbotauth-httpsig-protocol, with the keys of RFC 9421, B.1.2 and B.1.4.

const ED25519 = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
const RSA = {
  kty: 'RSA',
  e: 'AQAB',
  n: 'r4tmm3r20Wd_PbqvP1s2-QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct-Lh1GH45x28Rw3Ry53mm-oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL-Wokqltd11nqqzi-bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d-nb4bnNkQVklLQ3fVAvJm-xdDOp9LCNCN48V2pnDOkFV6-U9nV5oyc6XI2w',
}

const vectors = [
  {
    name: 'RSA-PSS, dictionary',
    agent: 'agent2="https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA";alg="rsa-pss-sha512";expires=4889289600;nonce="wcfPQPh7SzkvrIVvhD00vNk9PkxJNY2NVbYl2PVBB4zmUoluSwE7W6bPtF60QA3k8g06FU7PPCD+J58YofY1zg==";tag="web-bot-auth"',
    signature:
      'sig2=:gHzpLNeHaHIO19NaJH9YMW5dcVSi2s0wOMBr6p18vcofS106sfC4KBIS0/szPlBBd1vIcyQ88B6CTEWIhRAiVrb9zfX0mx1aG12CSGWcYkSirHeyTxhbuJvXd27ed6skWoy4PjXItq38936ivUQjfdIwXh1aX6HxkAC3vRnEdSNfntkLWeEuIQ5BLIOBGE39fSwg27Qjq6OVWYas/9/aFUr3HA34MXWYdp+//cvlEKDp3kRoLOw9ro0AOr6srHrTeEtxon2afcws1aZVSlPdd2fZSEIGmw9HAHLDCEkFTERu1gH2k/zIEqgy7CAYXI9E5slog0cLg/Vc6+f8gih33g==:',
  },
  {
    name: 'RSA-PSS, bare string',
    agent: '"https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent");created=1735689600;keyid="oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA";alg="rsa-pss-sha512";expires=1735693200;nonce="XSHtZVCThSIAksXsH9WBs6AtxtXC0eQGiIcUGSoJstFs8lAWakjhrfwzLhyjtme5iXMZvmFWqDEs6cT3Jf+BbQ==";tag="web-bot-auth"',
    signature:
      'sig2=:I1QWNzGXdP1a4dSvOHLCVOOanEYHDk+ZsVxM9MLX/p4ko69ghKwR5EOtAD96g7g4GWP7lmpM/jFAf9q8EFRDTPLjUXySwMv4YPgabv2LQihTJG2y8a2m6IGltyruwQNiqSJVUuRaG9+b17CGmAMFZh30X6GXLdQJrCARpeTqPwp2DC+a8haDE/VE5EruqzjA5/2mKwvrkzkSqeW5tOVtFwWRRHIOidquf/8Je6kM9mhgkg4arudLA5SL4wyyYE1jURIgcOl8agrfdJ5Def23DIRtiOLRa8jT9cpTLFAuFHN+mrZA/LH9h0gSIg1cPb+0cMASee5uku1KjWcFer7jWA==:',
  },
  {
    name: 'Ed25519, dictionary',
    agent: 'agent2="https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
    signature: 'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  },
  {
    name: 'Ed25519, bare string',
    agent: '"https://signature-agent.test"',
    input:
      'sig2=("@authority" "signature-agent");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"',
    signature: 'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
  },
]

const library = await signatureToolkit().load()
const keys = readSignerKeys(JSON.stringify({ keys: [ED25519, RSA] }), 'directory', true)
const options = { clockSkewSeconds: 60, maxLifetimeSeconds: Number.MAX_SAFE_INTEGER, tapJwksUrl: undefined }

describe.each(vectors)('the vector $name', ({ agent, input, signature }) => {
  const claim = readSignature({ input, agent }, 1_735_689_601, library, options)
  const verified = (targetUri: string) => {
    if ('state' in claim) throw new Error(`The vector was refused: ${JSON.stringify(claim)}`)
    const key = keys?.get(claim.keyId)
    if (!key) throw new Error('There is no such key')
    const fields = Object.entries({ signature, 'signature-input': input, 'signature-agent': agent })
    const named = fields.map(([name, value]) => ({ name, value }))
    return library.verify({ method: 'GET', targetUri, fields: named }, claim.label, key.verifier)
  }

  it('is valid for its authority only', async () => {
    expect(await verified('https://example.com/path/to/resource')).toBe('valid')
    expect(await verified('https://example.org/path/to/resource')).toBe('invalid')
  })

  it('names the origin of its keys', () => {
    expect(claim).toMatchObject({ source: { origin: 'https://signature-agent.test' } })
  })
})

it('reads the signature of a request that the library made', async () => {
  const request = { method: 'GET', targetUri: 'https://example.com/', fields: [] }
  const sign = (base: Uint8Array) => Uint8Array.from([base.length % 256])
  const signed = library.sign(request, {
    label: 'sig1',
    components: [{ name: '@authority', parameters: {} }],
    parameters: { created: 1, tag: 'web-bot-auth' },
    signer: { algorithm: 'ed25519', sign },
  })
  expect(library.readInputs(signed['signature-input'])).toEqual([
    {
      label: 'sig1',
      components: [{ name: '@authority', parameters: {} }],
      parameters: { created: 1, tag: 'web-bot-auth' },
    },
  ])
})
