import { type EepPluginOptions, eep, type RequirementVerifier, serverOptions } from '@eep/core'
import Fastify from 'fastify'

// #region verifier
/** Grants access to members of a club: `{ "type": "x-membership", "club": "chess" }` in a tier. */
const membership =
  (members: (club: string) => Promise<readonly string[]>): RequirementVerifier =>
  async (requirement, { caller }) => {
    const { club } = requirement as { readonly club?: unknown }
    if (typeof club !== 'string' || !caller?.account.emailVerified) return false
    return (await members(club)).includes(caller.account.email)
  }
// #endregion

export async function host(options: EepPluginOptions, members: (club: string) => Promise<readonly string[]>) {
  const app = Fastify({ ...serverOptions })
  // #region option
  await app.register(eep, {
    ...options,
    gates: { ...options.gates, requirementVerifiers: { 'x-membership': membership(members) } },
  })
  // #endregion
  return app
}
