import { describe, expect, it } from 'vitest'
import { oauthMetadata } from './oauth-metadata.ts'
import { ORIGIN, siteOf, type TestAnswer } from './site-fixture.ts'

const resource = { resource: ORIGIN, authorization_servers: [ORIGIN] }
const earlier = { issuer: ORIGIN, token_endpoint: `${ORIGIN}/token`, response_types_supported: ['code'] }
const withChallenges = { ...earlier, code_challenge_methods_supported: ['S256'] }
const server = { ...withChallenges, authorization_response_iss_parameter_supported: true }
const missing = { status: 404 }

describe('oauth-metadata', () => {
  it.each<[string, TestAnswer, TestAnswer, string]>([
    ['none', missing, missing, 'skip'],
    ['a resource', { body: resource }, missing, 'pass'],
    ['a server', missing, { body: server }, 'pass'],
    ['both', { body: resource }, { body: server }, 'pass'],
    [
      'documents that name different servers',
      { body: { ...resource, authorization_servers: ['https://login.example'] } },
      { body: server },
      'fail',
    ],
    ['a server without S256', missing, { body: earlier }, 'warn'],
    ['a server that does not name itself in answers', missing, { body: withChallenges }, 'warn'],
    ['a resource without its URL', { body: { authorization_servers: [] } }, missing, 'fail'],
    ['a resource of another host', { body: { resource: 'https://other.example' } }, missing, 'fail'],
    ['servers without URLs', { body: { ...resource, authorization_servers: ['login'] } }, missing, 'fail'],
    ['a server without endpoints', missing, { body: { issuer: ORIGIN } }, 'fail'],
    ['a broken server', { body: resource }, { status: 500 }, 'fail'],
    ['a broken resource', { status: 500 }, missing, 'fail'],
  ])('gives $3 for %s', async (_, first, second, status) => {
    const site = siteOf({
      '/.well-known/oauth-protected-resource': first,
      '/.well-known/oauth-authorization-server': second,
    })
    expect((await oauthMetadata.check(site)).status).toBe(status)
  })
})
