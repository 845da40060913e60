import type { Clock } from '../../../../kernel/clock.ts'
import { MINUTE_MS } from '../../../../kernel/durations.ts'
import type { Caller } from '../../../../model/caller.ts'
import type { AppDeviceRequest } from '../../../../ports/storage/connected-apps.ts'
import type { LocalRateLimits } from '../../../../runtime/rate-limits/local-rate-limits.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import type { Choice, Consent } from '../authorize/consent.ts'
import type { SealedRequests } from '../authorize/sealed.ts'
import type { App } from '../clients/app.ts'
import type { ResolveClient } from '../clients/resolve-client.ts'
import { tooManyUserCodes, userCodeNotFound } from '../consent-errors.ts'
import { readUserCode } from '../device.ts'
import { hashOf } from '../tokens.ts'

/** The wrong codes that an account, and an address, may enter in a minute. */
const WRONG_PER_MINUTE = 5

/** A device that waits for a person. */
export interface WaitingDevice {
  readonly userCode: string
  readonly request: AppDeviceRequest
  readonly app: App
}

export interface DeviceConsentDeps extends Pick<GuardedStorage<'connectedApps'>, 'read' | 'write'> {
  readonly clock: Clock
  readonly counters: Pick<LocalRateLimits, 'hit' | 'giveBack'>
  /** Multiplies a limit by the configured multiplier. */
  readonly scaled: (limit: number) => number
  readonly resolveClient: ResolveClient
  readonly sealed: SealedRequests
  readonly consent: Pick<Consent, 'grantFor'>
  /** Returns the keyed hash of an address, as the requests of devices have it. */
  readonly hashAddress: (address: string) => string
}

/** Finds the devices that wait for a person, and decides their requests (RFC 8628). */
export function createDeviceConsent(deps: DeviceConsentDeps) {
  const { read, write, clock, counters, sealed, resolveClient } = deps

  /** Counts a code, until it is known to be right. */
  async function counted<Found>(keys: readonly string[], find: () => Promise<Found | undefined>): Promise<Found> {
    const hits = await Promise.all(keys.map((key) => counters.hit(key, MINUTE_MS)))
    if (hits.some(({ count }) => count > deps.scaled(WRONG_PER_MINUTE))) {
      throw tooManyUserCodes({ retryAfterMs: MINUTE_MS })
    }
    const found = await find()
    if (found === undefined) throw userCodeNotFound()
    await Promise.all(keys.map((key) => counters.giveBack(key, MINUTE_MS)))
    return found
  }

  async function load(userCode: string, caller: Caller, address: string): Promise<WaitingDevice | undefined> {
    const request = await read.connectedApps.getDeviceRequest(hashOf(userCode), clock())
    if (!request) return undefined
    const app = await resolveClient(request.app.clientId, { signedIn: caller.account.id, address })
    return { userCode, request, app }
  }

  return {
    /**
     * Finds the device that shows a code.
     *
     * @throws `user_code_not_found`; `too_many_user_codes` after five wrong ones in a minute
     */
    async find(text: string, caller: Caller, address: string): Promise<WaitingDevice> {
      const userCode = readUserCode(text)
      const keys = [`user-code:account:${caller.account.id}`, `user-code:address:${address}`]
      return counted(keys, async () => (userCode === undefined ? undefined : load(userCode, caller, address)))
    },
    /** Returns the device of the hidden field of a page; undefined when it no longer waits. */
    async reopen(text: string, caller: Caller, address: string): Promise<WaitingDevice | undefined> {
      const opened = await sealed.open(text, caller)
      return opened?.of.kind === 'device' ? load(opened.of.userCode, caller, address) : undefined
    },
    /** Returns the hidden field of the page about a device. */
    seal: ({ userCode }: WaitingDevice, caller: Caller) => sealed.seal({ kind: 'device', userCode }, caller),
    /** When a device asked, and whether it did from the network that the person uses now. */
    originOf: ({ request }: WaitingDevice, address: string) => ({
      minutes: Math.floor((clock().getTime() - request.createdAt.getTime()) / MINUTE_MS),
      isSameNetwork: request.addressHash === deps.hashAddress(address),
    }),
    /**
     * Allows what a person chose for a device; without a scope, or without a choice, it is denied. Returns what was decided.
     *
     * @throws `user_code_not_found` when it was decided before, or has expired; `app_profile_not_allowed`
     */
    async decide(caller: Caller, device: WaitingDevice, choice: Choice | undefined): Promise<'allowed' | 'denied'> {
      const { app, request, userCode } = device
      const allowed = choice && (await deps.consent.grantFor(caller, { app }, request, choice))
      const grant = allowed && allowed.scopes.length > 0 ? allowed : null
      const isFirst = await write((tx) => tx.connectedApps.decideDevice(hashOf(userCode), grant, clock()))
      if (!isFirst) throw userCodeNotFound()
      return grant ? 'allowed' : 'denied'
    },
  }
}

export type DeviceConsent = ReturnType<typeof createDeviceConsent>
