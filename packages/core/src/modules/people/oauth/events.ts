import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

export const identityLinked = defineEvent('oauth.identity_linked', {
  audience: 'account',
  subject: 'account',
  data: z.object({ accountId: z.string(), provider: z.string() }),
  invalidates: ['account'],
  summary: 'A sign-in provider was linked to an account',
})

export const identityUnlinked = defineEvent('oauth.identity_unlinked', {
  audience: 'account',
  subject: 'account',
  data: z.object({ accountId: z.string(), provider: z.string() }),
  invalidates: ['account'],
  summary: 'A sign-in provider was unlinked from an account, and its other sessions have ended',
})

export const oauthEvents = [identityLinked, identityUnlinked] as const
