import { createHmac } from 'node:crypto'
import { checkedText, isCheckedText, newCheckedText } from '../../../kernel/checked-text.ts'
import { hmac, sameText, sha256 } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'

/** The prefixes of the credentials of apps, by which they are told apart and recognized in logs. */
export const PREFIXES = { code: 'eepc_', access: 'eepa_', refresh: 'eepr_' } as const

const CODE_PURPOSE = 'oauth-server-code'
const REFRESH_PURPOSE = 'oauth-server-refresh'

/** The stored form of a code, an access token or a user code: its SHA-256, as hex. */
export const hashOf = (credential: string): string => sha256(credential)

/** A new access token. */
export const newAccessToken = (): string => newCheckedText(PREFIXES.access)

/** Whether a text can be an access token. */
export const isAccessToken = (text: string): boolean => isCheckedText(PREFIXES.access, text)

/**
 * The code of a decision: a MAC of the id of the sealed request, so that the form sent twice redirects twice with the same code.
 *
 * @param sealedId - the id of the sealed request, which the service made for one page
 */
export function codeOf(sealedId: string, keyring: Pick<Keyring, 'shared'>): string {
  const [{ key }] = keyring.shared(CODE_PURPOSE)
  return checkedText(PREFIXES.code, createHmac('sha256', key).update(sealedId).digest())
}

/** Whether a text can be an authorization code. */
export const isCode = (text: string): boolean => isCheckedText(PREFIXES.code, text)

/** What a refresh token names. */
export interface RefreshClaim {
  readonly connectionId: string
  readonly generation: number
  readonly mac: string
}

/** The part of a connection that its refresh tokens are made from. */
export interface RefreshSource {
  readonly id: string
  /** Random, and stored with the connection. */
  readonly seed: string
}

const REFRESH = /^eepr_([A-Za-z0-9-]{1,64})\.(0|[1-9]\d{0,8})\.([A-Za-z0-9_-]{43})$/

const macOf = (key: Uint8Array, { id, seed }: RefreshSource, generation: number): string =>
  hmac(key, JSON.stringify([seed, id, generation]))

/** The refresh token of a generation. Nothing in the storage makes one: its MAC needs a secret of the service. */
export function refreshToken(source: RefreshSource, generation: number, keyring: Pick<Keyring, 'shared'>): string {
  const [{ key }] = keyring.shared(REFRESH_PURPOSE)
  return `${PREFIXES.refresh}${source.id}.${generation}.${macOf(key, source, generation)}`
}

/** Reads a refresh token, without checking its MAC. Undefined for what is not one. */
export function readRefreshToken(text: string): RefreshClaim | undefined {
  const [, connectionId, generation, mac] = REFRESH.exec(text) ?? []
  if (connectionId === undefined || generation === undefined || mac === undefined) return undefined
  return { connectionId, generation: Number(generation), mac }
}

/** Whether this service issued a refresh token, with the secret of today or an older one that is still listed. */
export const isIssued = ({ generation, mac }: RefreshClaim, source: RefreshSource, keyring: Pick<Keyring, 'shared'>) =>
  keyring.shared(REFRESH_PURPOSE).some(({ key }) => sameText(macOf(key, source, generation), mac))
