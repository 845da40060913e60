import { expect, test } from 'vitest'
import { claimedAgentDid } from './agent-did.ts'

const DID = 'did:web:agent.example'

test('reads the DID of an agent from either header', () => {
  expect(claimedAgentDid({})).toBeUndefined()
  expect(claimedAgentDid({ 'x-eep-agent-did': '' })).toBeUndefined()
  expect(claimedAgentDid({ 'x-eep-agent-did': DID })).toBe(DID)
  expect(claimedAgentDid({ 'eep-agent-did': ` ${DID}` })).toBe(DID)
  expect(claimedAgentDid({ 'x-eep-agent-did': DID, 'eep-agent-did': DID })).toBe(DID)
})

test('rejects headers that name different agents', () => {
  const headers = { 'x-eep-agent-did': DID, 'eep-agent-did': 'did:web:other.example' }
  expect(() => claimedAgentDid(headers)).toThrow(expect.objectContaining({ code: 'conflicting_agent_did' }))
})
