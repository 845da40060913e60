import type { Stores } from '../../ports/storage/storage.ts'
import { newAppConnection, newAppDecision, newAppGrant, newDeviceRequest, newSpend } from '../records.ts'

/** Connects an app to an account, with spending and a receipt, all with one name. */
export async function fillApps(
  tx: Stores<'connectedApps'>,
  { accountId, profileId, name }: { readonly accountId: string; readonly profileId: number; readonly name: string },
): Promise<void> {
  const app = { ...newAppGrant(accountId).app, name, clientId: `https://${name}.example/client.json` }
  const decision = newAppDecision(newAppGrant(accountId, { app, reach: 'one', profileId, spender: name }))
  const { code, decidedAt } = decision
  if (!code) return
  await tx.connectedApps.decide(decision)
  const check = () => true
  await tx.connectedApps.redeem(code.hash, { now: decidedAt, check, connection: newAppConnection() })
  const device = newDeviceRequest({ app })
  await tx.connectedApps.openDevice(device, { address: 5, all: 1_000_000 })
  await tx.connectedApps.decideDevice(device.userCodeHash, newAppGrant(accountId, { app }), device.createdAt)
  await tx.appSpending.reserveSpend(newSpend(accountId, { spender: name }))
  const receipt = { receiptId: name, accountId, spender: name, name, host: null, createdAt: decidedAt }
  await tx.appSpending.addReceipt(receipt)
}
