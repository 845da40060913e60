import { isReservedUsername, isUsername } from './username.ts'

const MAX_STEM = 48

const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM)
    .replaceAll(/^-+|-+$/g, '')

/**
 * A username for a user who chose none, derived from the email address or else from the name. It may be taken. It leaves room for a suffix.
 */
export function usernameStem({
  email,
  fullName,
}: {
  readonly email: string | null
  readonly fullName: string | null
}): string {
  const localPart = email?.slice(0, email.lastIndexOf('@')).split('+')[0] ?? ''
  const candidates = [slugOf(localPart), slugOf(fullName ?? '')]
  return candidates.find((name) => isUsername(name) && !isReservedUsername(name)) ?? 'member'
}
