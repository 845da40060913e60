import { describe, expect, it } from 'vitest'
import { agentCard } from './agent-card.ts'
import { siteOf, type TestAnswers } from './site-fixture.ts'

const PATH = '/.well-known/agent-card.json'
const skill = { id: 'read', name: 'Read', description: 'Reads pages.', tags: ['read'] }
const card = {
  name: 'Site',
  description: 'A site.',
  version: '1.0',
  url: 'https://site.example/',
  capabilities: { streaming: false },
  skills: [skill],
}
const { url, ...withoutUrl } = card
const BINDING = 'https://site.example/bindings/own'
const streaming = { streaming: true }

describe('agent-card', () => {
  it.each<[string, TestAnswers, string]>([
    ['a card', { [PATH]: { body: card } }, 'pass'],
    ['the earlier address', { '/.well-known/agent.json': { body: card } }, 'pass'],
    ['interfaces in place of a URL', { [PATH]: { body: { ...withoutUrl, supportedInterfaces: [{ url }] } } }, 'pass'],
    ['a URI binding', { '/': { status: 404 }, [PATH]: { body: { ...card, preferredTransport: BINDING } } }, 'pass'],
    [
      'streaming without a binding of A2A',
      { [PATH]: { body: { ...card, preferredTransport: BINDING, capabilities: streaming } } },
      'fail',
    ],
    ['streaming over JSON-RPC', { [PATH]: { body: { ...card, capabilities: streaming } } }, 'pass'],
    ['JSON-RPC, by default, that is not there', { '/': { status: 404 }, [PATH]: { body: card } }, 'fail'],
    [
      'another JSON-RPC interface that is not there',
      {
        [PATH]: {
          body: { ...card, supportedInterfaces: [{ url: 'https://site.example/rpc', protocolBinding: 'JSONRPC' }] },
        },
      },
      'fail',
    ],
    ['no URL', { [PATH]: { body: withoutUrl } }, 'fail'],
    ['no name', { [PATH]: { body: { ...card, name: ' ' } } }, 'fail'],
    ['no capabilities', { [PATH]: { body: { ...card, capabilities: null } } }, 'fail'],
    ['no skills', { [PATH]: { body: { ...card, skills: [] } } }, 'fail'],
    ['a skill without tags', { [PATH]: { body: { ...card, skills: [{ ...skill, tags: undefined }] } } }, 'fail'],
    ['HTML', { [PATH]: '<!doctype html>' }, 'fail'],
    ['no card', {}, 'fail'],
  ])('gives $2 for %s', async (_, answers, status) => {
    expect((await agentCard.check(siteOf({ '/': { status: 405 }, ...answers }))).status).toBe(status)
  })
})
