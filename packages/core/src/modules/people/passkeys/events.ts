import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const ofAccount = { audience: 'account', subject: 'account', data: z.object({ passkeyId: z.string() }) } as const

export const passkeyAdded = defineEvent('passkeys.passkey_added', {
  ...ofAccount,
  summary: 'A passkey was added to an account',
})
export const passkeyDeleted = defineEvent('passkeys.passkey_deleted', {
  ...ofAccount,
  summary: 'A passkey of an account was deleted, and its other sessions have ended',
})

export const passkeyEvents = [passkeyAdded, passkeyDeleted] as const
