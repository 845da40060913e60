import type { EndAddedStep, TakeOverStep } from '../../../framework/module/context.ts'
import { appDisconnected } from './events.ts'

/** Ends the connections of all apps of an account. */
export const endConnectedApps: TakeOverStep<'connectedApps'> = async (tx, emit, accountId, at) => {
  for (const { id: connectionId, app } of await tx.connectedApps.endAll(accountId, 'account', at))
    emit(appDisconnected, { connectionId, name: app.name, host: app.host, reason: 'account' }, { accountId })
}

/** Ends the connections that were made since a time. */
export const endAddedApps: EndAddedStep<'connectedApps'> = async (tx, emit, accountId, { since, at }) => {
  for (const { id: connectionId, app } of await tx.connectedApps.endAll(accountId, 'account', at, { since }))
    emit(appDisconnected, { connectionId, name: app.name, host: app.host, reason: 'account' }, { accountId })
}
