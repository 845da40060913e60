import { randomInt } from 'node:crypto'
import { newCheckedText } from '../../../kernel/checked-text.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { hmac } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { snapshotOf } from './clients/app.ts'
import type { AuthenticateClient, ClientCredentials } from './clients/client-authentication.ts'
import { oauthError } from './oauth-error.ts'
import { parseResource, type Resources } from './resource.ts'
import { parseScope } from './scopes.ts'
import { hashOf } from './tokens.ts'

/** The prefix of device codes. */
const DEVICE_PREFIX = 'eepg_'
/** No vowels, so that no words appear, and nothing that looks like another letter (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const USER_CODE_LETTERS = 8
const LIFETIME_SECONDS = 600
const INTERVAL_SECONDS = 5
const OPEN_OF_ADDRESS = 5
const OPEN_OF_ALL = 1_000
const ATTEMPTS = 5
const ADDRESS_PURPOSE = 'oauth-server-address'

/** A new user code, without its hyphen. */
const newUserCode = (): string =>
  Array.from({ length: USER_CODE_LETTERS }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')

/** A user code as people read it: `WDJB-MJHT`. */
const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** A user code as it was typed, without hyphens and spaces. Undefined for what cannot be one. */
export function readUserCode(text: string): string | undefined {
  const code = text
    .slice(0, 64)
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
  return code.length === USER_CODE_LETTERS && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined
}

/** A digest of the address that a request came from. It shows whether two addresses are the same, and nothing else. */
export const addressHashOf = (address: string, keyring: Pick<Keyring, 'shared'>): string =>
  hmac(keyring.shared(ADDRESS_PURPOSE)[0].key, address)

/** The body of the answer of the device authorization endpoint (RFC 8628, 3.2). */
export interface DeviceAnswer {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

export interface DeviceDeps extends GuardedStorage<'connectedApps'> {
  readonly clock: Clock
  readonly keyring: Pick<Keyring, 'shared'>
  readonly authenticate: AuthenticateClient
  readonly resources: () => Resources
  readonly grantable: readonly string[]
  /** The address of the page where the user code is entered. */
  readonly verificationUri: string
  readonly scaled: (limit: number) => number
}

/** Creates the function that opens requests of devices. */
export function createDeviceRequests(deps: DeviceDeps) {
  const { write, clock, keyring, authenticate, grantable, verificationUri, scaled } = deps

  /**
   * Opens a request of a device, which a person decides at the page for user codes.
   *
   * @throws `invalid_client`, `invalid_scope`, `invalid_target`; `temporarily_unavailable` while too many are open
   */
  return async (
    client: ClientCredentials,
    wanted: { readonly scope: string | undefined; readonly resources: readonly string[]; readonly address: string },
  ): Promise<DeviceAnswer> => {
    const { app } = await authenticate(client, { address: wanted.address })
    if (!app) throw oauthError('invalid_client', 'This client_id is not known here')
    const scopes = parseScope(wanted.scope, grantable)
    const resources = parseResource(wanted.resources, deps.resources())
    const deviceCode = newCheckedText(DEVICE_PREFIX)
    const createdAt = clock()
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const userCode = newUserCode()
      const opened = await write((tx) =>
        tx.connectedApps.openDevice(
          {
            deviceHash: hashOf(deviceCode),
            userCodeHash: hashOf(userCode),
            app: snapshotOf(app, undefined),
            scopes,
            resources,
            addressHash: addressHashOf(wanted.address, keyring),
            intervalSeconds: INTERVAL_SECONDS,
            createdAt,
            expiresAt: new Date(createdAt.getTime() + LIFETIME_SECONDS * 1_000),
          },
          { address: scaled(OPEN_OF_ADDRESS), all: scaled(OPEN_OF_ALL) },
        ),
      )
      if (opened === 'full') break
      if (opened === 'taken') continue
      return {
        device_code: deviceCode,
        user_code: showUserCode(userCode),
        verification_uri: verificationUri,
        verification_uri_complete: `${verificationUri}?user_code=${showUserCode(userCode)}`,
        expires_in: LIFETIME_SECONDS,
        interval: INTERVAL_SECONDS,
      }
    }
    throw oauthError('temporarily_unavailable', 'Too many devices wait for a decision; try again later', {
      retryAfterMs: 60_000,
    })
  }
}

/** Opens requests of devices. */
export type OpenDeviceRequest = ReturnType<typeof createDeviceRequests>
