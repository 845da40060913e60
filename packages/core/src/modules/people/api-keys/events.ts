import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const ofAccount = { audience: 'account', subject: 'account' } as const

export const keyCreated = defineEvent('api_keys.key_created', {
  ...ofAccount,
  data: z.object({ keyId: z.int(), scopes: z.array(z.string()).readonly() }),
  summary: 'An API key was created',
})
export const keyRevoked = defineEvent('api_keys.key_revoked', {
  ...ofAccount,
  endsCredentials: true,
  data: z.object({ keyId: z.int() }),
  summary: 'An API key was revoked',
})
export const keyRotated = defineEvent('api_keys.key_rotated', {
  ...ofAccount,
  endsCredentials: true,
  data: z.object({ keyId: z.int(), replacedKeyId: z.int() }),
  summary: 'An API key replaced another, which was revoked',
})

export const apiKeyEvents = [keyCreated, keyRevoked, keyRotated] as const
