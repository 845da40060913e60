import { defineError, defineModule } from '@eep/core/module'

/** The devices that a host has given to its members. */
export interface Devices {
  /** Returns the device with a code; undefined when the code is not the one of a device. */
  find(code: string): Promise<{ readonly accountId: string; readonly isLost: boolean } | undefined>
}

// #region module
const deviceLost = defineError('devices_lost', 401, 'This device was reported as lost')

/** Callers that send the code of a device: `X-Device: …`. */
export const devicesModule = (devices: Devices) =>
  defineModule({
    name: 'devices',
    authenticate: () => ({
      carrier: { header: 'X-Device' },
      async authenticate(code) {
        const device = await devices.find(code)
        // Not a code of a device: other credentials of the request are tried.
        if (!device) return undefined
        if (device.isLost) throw deviceLost()
        return { accountId: device.accountId, scopes: ['read:profiles', 'read:content'] }
      },
    }),
  })
// #endregion

// #region visits
/** Counts the reads of each profile. `count` must return immediately. */
export const readsModule = (count: (profileId: number, isAgent: boolean) => void) =>
  defineModule({
    name: 'reads',
    onVisit: () => (visit, _request, agent) => {
      if (visit.kind === 'view') count(visit.profileId, agent !== undefined)
    },
  })
// #endregion
