import type { CookieNames } from '../../http/cookies.ts'
import {
  type Authenticator,
  carrierName,
  isReserved,
  type ModuleAuthenticator,
} from '../../http/pipeline/authenticator.ts'
import { unauthenticated } from '../../kernel/errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Readers } from '../../ports/storage/storage.ts'
import type { Module } from '../module/define-module.ts'

/** What a module created. */
interface Declared {
  readonly module: Module
  readonly authenticator: Authenticator
}

/**
 * Returns the authenticators of modules, in the order of the modules, with the accounts of their credentials.
 *
 * @throws TypeError when a carrier is one of the contract, and one that names both modules when two have the same
 */
export function bindAuthenticators(
  declared: readonly Declared[],
  { read, cookies }: { readonly read: Pick<Readers, 'accounts'>; readonly cookies: CookieNames },
): readonly ModuleAuthenticator[] {
  const owners = new Map<string, string>()
  for (const { module, authenticator } of declared) {
    const name = carrierName(authenticator.carrier)
    const reads = `The module "${module.name}" reads credentials from the ${name}`
    if (isReserved(authenticator.carrier, Object.values(cookies)))
      throw new TypeError(`${reads}, which the contract has`)
    const owner = owners.get(name)
    if (owner !== undefined) throw new TypeError(`${reads}, which the module "${owner}" reads`)
    owners.set(name, module.name)
  }

  async function callerOf(accountId: string, scopes: readonly string[] | undefined): Promise<Caller> {
    const account = await read.accounts.get(accountId)
    if (!account || account.bannedAt || account.deletionScheduledAt) {
      throw unauthenticated({ message: 'The account of this credential cannot be used' })
    }
    return { account, via: 'module', scopes: scopes ?? 'all', isAdmin: false }
  }

  return declared.map(({ authenticator }) => ({
    carrier: authenticator.carrier,
    async identify(credential) {
      const found = await authenticator.authenticate(credential)
      if (!found) return undefined
      const { accountId, agentDid } = found
      return {
        caller: accountId === undefined ? undefined : await callerOf(accountId, found.scopes),
        agent: agentDid === undefined ? undefined : { did: agentDid, verified: true },
      }
    },
  }))
}
