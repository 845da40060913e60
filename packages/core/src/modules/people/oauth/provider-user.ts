import { z } from 'zod'
import { emailAddress } from '../../../kernel/email-address.ts'
import { cleanedName, isBlank } from '../../../kernel/text-fields.ts'
import type { ProviderUser } from '../../../ports/oauth-provider.ts'
import { failed } from './failure-reason.ts'

const subjectSchema = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u)

/** A user as it is stored. */
export interface KnownUser {
  readonly subject: string
  /** Only one that the provider has verified. */
  readonly email: string | null
  readonly fullName: string | null
}

/** Normalizes the user of a provider: cleans the name, and omits an invalid address. */
export function knownUser({ subject, email, emailVerified, fullName }: ProviderUser): KnownUser {
  if (!subjectSchema.safeParse(subject).success) throw failed('callback_failed')
  const address = emailVerified ? emailAddress.safeParse(email).data : undefined
  const name = [...cleanedName((fullName ?? '').toWellFormed())].slice(0, 128).join('').trim()
  return { subject, email: address ?? null, fullName: isBlank(name) ? null : name }
}
